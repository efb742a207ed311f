"""Playing transcripts again: to check them, or to write what happens into them."""

from pathlib import Path

from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.output import write_lines
from upcard.pit.transcript import read_text, replay, run
from upcard.problems import BadFile, Problem


def check_transcripts(files: list[str]) -> None:
    problems: list[Problem] = []
    for file in files:
        differences = replay(catalog_in_use(), Path(file))
        problems += differences
        if not differences:
            write_lines(f"{file}: matches")
    if problems:
        raise BadFile(problems)


def write_transcripts(files: list[str]) -> None:
    for file in files:
        path = Path(file)
        path.write_text(run(catalog_in_use(), read_text(path), file), encoding="utf-8")
        write_lines(f"{file}: written")
