"""Adds to each problem of a file the line and the column it is about."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from upcard.catalog.toml_places import TomlPlaces
from upcard.problems import Problem

MOST_BYTES = 1_000_000  # of a catalog file

_PLACED = re.compile(r"\bline \d+")
_KEY = re.compile(r"([^\[\] ]+)(?:\[(\d+)\])?(?: (.+))?", flags=re.DOTALL)
_QUOTED = re.compile(r"'([^']*)'")

Steps = tuple[str | int, ...]


def with_lines(problems: Iterable[Problem]) -> list[Problem]:
    """The problems, each with line and column. One about a whole file, such as one that cannot be read, has none."""
    files: dict[str, _File | None] = {}
    placed = []
    for problem in problems:
        if not problem.place or _PLACED.search(problem.place) or _PLACED.search(problem.sentence):
            placed.append(problem)
            continue
        if problem.file not in files:
            files[problem.file] = _File.read(problem.file)
        file = files[problem.file]
        if file is None:
            placed.append(problem)
            continue
        line, before = file.places.find(*file.path(problem))
        placed.append(replace(problem, place=f"{problem.place}, line {line}, column {before + 1}"))
    return placed


class _File:
    def __init__(self, text: str) -> None:
        self.places, self.raw = TomlPlaces(text), tomllib.loads(text)

    @classmethod
    def read(cls, file: str) -> "_File | None":
        try:
            with Path(file).open("rb") as stream:
                return cls(stream.read(MOST_BYTES).decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError):  # not a file, not UTF-8 or not TOML: the problem says so
            return None

    def path(self, problem: Problem) -> Steps:
        """The steps to the key that a problem is about, or further to the key or the value that it quotes."""
        path = _steps(self.raw, problem.place)
        for name in _QUOTED.findall(problem.sentence):
            for further in ((name,), _value_in(self.raw, path, name)):
                if further and (*path, *further) in self.places:
                    return (*path, *further)
        if path not in self.places and path[-1:] in self.places:
            return path[-1:]  # a key above the tables that it applies to
        return path


def _value_in(raw: object, path: Steps, name: str) -> Steps:
    """The steps from a table to the key with this value, or to this value in the list of a key; its own name last."""
    for step in path:
        if isinstance(raw, list) and isinstance(step, int):
            raw = raw[step]
        else:
            raw = raw.get(step) if isinstance(raw, dict) else None
    entries = sorted(raw.items(), key=lambda entry: entry[0] == "name") if isinstance(raw, dict) else []
    for key, value in entries:
        if value == name:
            return (key,)
        if isinstance(value, list) and name in value:
            return (key, value.index(name))
    return ()


def _steps(raw: object, place: str) -> Steps:
    """Reads a place such as `paytable Mine, published[1].figure`; names may contain commas and dots."""
    match = _KEY.match(place.partition(",")[0].partition(".")[0])
    if match is None or not isinstance(raw, dict):
        return ()
    key = match[1]
    value, path, rest = raw.get(key), (key,), place[len(key) :]
    if isinstance(value, list):
        number, rest = _entry(value, rest)
        if number is None:
            return path
        return (key, number, *_steps(value[number], rest.lstrip(".,").lstrip()))
    return (*path, *_steps(value, rest.lstrip(".,").lstrip()))


def _entry(entries: list[object], rest: str) -> tuple[int | None, str]:
    """The entry of a list that a place names, by its number or its name, and the rest of the place."""
    numbered = re.match(r"\[(\d+)\]", rest)
    if numbered is not None:
        number = int(numbered[1])
        return (number if number < len(entries) else None), rest[numbered.end() :]
    names = [(_name(entry), number) for number, entry in enumerate(entries)]
    text = rest.lstrip()
    fitting = [
        (len(name), -number) for name, number in names if name and re.match(rf"{re.escape(name)}(?:[,.]|$)", text)
    ]
    if not fitting:
        return None, ""
    length, number = max(fitting)
    return -number, text[length:]


def _name(entry: object) -> str:
    name = (entry.get("name") or entry.get("wager") or entry.get("plan")) if isinstance(entry, dict) else None
    return name if isinstance(name, str) else ""
