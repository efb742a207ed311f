"""`upcard replay`: a transcript played again and checked to the byte."""

from pathlib import Path

from upcard.catalog import shipped
from upcard.cli.output import write_lines
from upcard.pit.transcript import read_text, replay, run
from upcard.problems import BadFile, Problem


def show(files: list[str], *, write: bool) -> None:
    """Checks each transcript, or writes what happens into it."""
    problems: list[Problem] = []
    for file in files:
        path = Path(file)
        if write:
            path.write_text(run(shipped(), read_text(path), file), encoding="utf-8")
            write_lines(f"{file}: written")
            continue
        found = replay(shipped(), path)
        problems += found
        if not found:
            write_lines(f"{file}: holds")
    if problems:
        raise BadFile(problems)
