"""The `upcard` command. Whatever a user gets wrong is said in one clear sentence, with exit code 2."""

import gc
import sys
from io import TextIOWrapper


def main() -> None:
    """Runs the command line."""
    gc.disable()  # most of a command's second is imports: collecting costs a tenth of it and frees nothing
    try:
        _run()
    finally:
        gc.enable()


def _run() -> None:
    import typer

    _never_fail_to_write()
    from upcard.cli.app import app
    from upcard.problems import UpcardError

    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()  # here, where a reader who has left can be dealt with
    except UpcardError as wrong:
        _fail(str(wrong), 2)
    except typer.Abort:
        _fail("stopped", 130)
    except typer.TyperException as wrong:  # a wrong option or argument
        _fail(_one_sentence(wrong), 2)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except BrokenPipeError:
        _hush(0)
    except SystemExit as leaving:  # Rich and Typer leave with 1, which is nobody else's, when the reader has left
        _hush(0) if leaving.code == 1 else sys.exit(leaving.code)
    except OSError as wrong:
        print(f"upcard: {wrong.filename or 'output'}: {(wrong.strerror or str(wrong)).lower()}", file=sys.stderr)
        _hush(2)
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


def _hush(code: int) -> None:
    """Our output cannot be written: leave without another word, also when Python closes the stream."""
    import os

    if isinstance(sys.stdout, TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
