"""`python -m upcard` is the `upcard` command."""

from upcard.cli import main

if __name__ == "__main__":
    main()
