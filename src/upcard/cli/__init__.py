"""The `upcard` command. Whatever a user gets wrong is said in one clear sentence, with exit code 2."""

import sys
from io import TextIOWrapper


def main() -> None:
    """Runs the command line."""
    import typer

    _never_fail_to_write()
    from upcard.cli.app import app
    from upcard.problems import UpcardError

    try:
        code = app(standalone_mode=False)
    except UpcardError as wrong:
        _fail(str(wrong), 2)
    except typer.Abort:
        _fail("stopped", 130)
    except typer.TyperException as wrong:  # a wrong option or argument
        _fail(_one_sentence(wrong), 2)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except BrokenPipeError:
        _hush()
    except OSError as wrong:
        _fail(f"{wrong.filename or 'file'}: {(wrong.strerror or str(wrong)).lower()}", 2)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _never_fail_to_write() -> None:
    """A letter that the terminal's encoding lacks is shown as "?"."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _fail(text: str, code: int) -> None:
    for line in text.splitlines():
        print(f"upcard: {line}", file=sys.stderr)
    sys.exit(code)


def _one_sentence(wrong: Exception) -> str:
    format_message = getattr(wrong, "format_message", None)
    text = str(format_message() if callable(format_message) else wrong).replace("\n", " ").strip()
    return f"{text[:1].lower()}{text[1:]}".rstrip(".") + "; see upcard --help"


def _hush() -> None:
    """The reader of our output went away: leave quietly, also when Python closes the stream."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
