"""Tells what is wrong with a file apart from what only follows from another file that was left out.

A mistake in one kind leaves out its file; then every paytable of it, every game that lists those, and every layout of
those games misses a name. One sentence for each of these files is enough.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from upcard.catalog.problem_places import MOST_BYTES
from upcard.problems import Problem

_MISSING = re.compile(r"there is no (wager kind|paytable|game) '([^']+)'")
_FOLDERS = {"wager kind": "kinds", "paytable": "paytables", "game": "games"}
_NAME = re.compile(r"""^\s*(?:name|slug)\s*=\s*["']([^"'\n]+)["']""", flags=re.MULTILINE)


def without_consequences(problems: Iterable[Problem]) -> list[Problem]:
    """The problems, the causes first; a file that only misses what other bad files should bring has one."""
    problems = list(problems)
    files = dict.fromkeys(problem.file for problem in problems)
    brought = {(Path(file).parent.name, name): file for file in files for name in _names(file)}
    causes: list[Problem] = []
    consequences: dict[str, Problem] = {}
    for problem in problems:
        missing = _MISSING.match(problem.sentence)
        cause = brought.get((_FOLDERS[missing[1]], missing[2])) if missing else None
        if missing is None or cause in (None, problem.file):
            causes.append(problem)
        else:
            sentence = f"this needs {missing[2]!r} of {cause}, which has mistakes"
            consequences.setdefault(problem.file, Problem(file=problem.file, place=problem.place, sentence=sentence))
    bad = {problem.file for problem in causes}
    return [*causes, *(problem for problem in consequences.values() if problem.file not in bad)]


def _names(file: str) -> list[str]:
    """The names that a file brings, as far as they can be seen in a file with mistakes."""
    try:
        with Path(file).open("rb") as stream:
            return _NAME.findall(stream.read(MOST_BYTES).decode(errors="replace"))
    except OSError:
        return []
