"""The `upcard` command. A user's mistake gets one clear sentence and exit code 2."""

import gc
import sys
from io import TextIOWrapper


def main() -> None:
    gc.disable()  # most of a command's second is imports: collecting costs a tenth of it and frees nothing
    try:
        _run()
    finally:
        gc.enable()


def _run() -> None:
    import typer

    _never_fail_to_write()
    from upcard.cli.app import app
    from upcard.problems import BadFile, UpcardError

    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()  # here, where a reader who has left can be dealt with
    except BadFile as bad:
        from upcard.catalog.problem_places import with_lines

        _fail("\n".join(map(str, with_lines(bad.problems))), 2)
    except UpcardError as error:
        _fail(str(error), 2)
    except typer.Abort:
        _fail("stopped", 130)
    except typer.TyperException as error:  # a wrong option or argument
        _fail(_one_sentence(error), 2)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except BrokenPipeError:
        _exit_silently(0)
    except SystemExit as leaving:  # Rich and Typer leave with 1, which is nobody else's, when the reader has left
        _exit_silently(0) if leaving.code == 1 else sys.exit(leaving.code)
    except OSError as error:
        print(f"upcard: {error.filename or 'output'}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        _exit_silently(2)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _never_fail_to_write() -> None:
    """Prints "?" for a character that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _fail(text: str, code: int) -> None:
    for line in text.splitlines():
        print(f"upcard: {line}", file=sys.stderr)
    sys.exit(code)


def _one_sentence(error: Exception) -> str:
    format_message = getattr(error, "format_message", None)
    text = str(format_message() if callable(format_message) else error).replace("\n", " ").strip()
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", None) or "upcard"
    return f"{text[:1].lower()}{text[1:]}".rstrip(".") + f"; see {command} --help"


def _exit_silently(code: int) -> None:
    """Exits silently, because our output cannot be written; Python's flush at exit stays silent too."""
    import os

    if isinstance(sys.stdout, TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
