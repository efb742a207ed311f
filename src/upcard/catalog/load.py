"""Loads the catalog's files. A file with mistakes is refused with a list of all of them, each with its place."""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from upcard.catalog.fields import CatalogModel, Exact, RawTable, quoted
from upcard.catalog.game import Game
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout
from upcard.catalog.paytable import (
    Paytable,
    PaytableEntry,
    PaytableFile,
    PaytableHead,
    build,
    event_problems,
    paytable_problems,
)
from upcard.catalog.problem_places import MOST_BYTES
from upcard.catalog.reading import ReadingsFile
from upcard.catalog.salvage import Salvaged, salvage
from upcard.problems import BadFile, Problem, nearest
from upcard.wagers import Kind

FileModel = TypeVar("FileModel", bound=CatalogModel)


def load_paytables(path: Path, kinds: Mapping[str, Kind], *, readings: Collection[str] | None = None) -> list[Paytable]:
    """The paytables of one file, on these kinds of wager; `readings` are those they may cite, if known."""
    raw = _read_toml(path)
    file = str(path)
    _refuse_other_formats(file, raw)
    events = event_problems(file, raw, kinds)
    try:
        parsed = PaytableFile.model_validate(raw)
    except ValidationError as error:
        head = salvage(PaytableHead, {key: value for key, value in raw.items() if key != "paytable"})
        entries = [salvage(PaytableEntry, entry) for entry in _entries_of(raw)]
        others = paytable_problems(file, head, entries, readings)
        raise BadFile([*_problems(file, raw, error, PaytableFile), *events, *others]) from None
    problems = [
        *events,
        *paytable_problems(file, Salvaged(parsed), [Salvaged(entry) for entry in parsed.paytable], readings),
    ]
    if problems:
        raise BadFile(problems)
    return build(file, parsed, kinds)


def load_model(path: Path, model: type[FileModel]) -> FileModel:
    draft, problems = load_salvaged(path, model)
    if problems:
        raise BadFile(problems)
    return draft.entry


def load_salvaged(path: Path, model: type[FileModel]) -> tuple[Salvaged[FileModel], list[Problem]]:
    """A file as far as it can be read, and the problems with the rest."""
    raw = _read_toml(path)
    try:
        return Salvaged(model.model_validate(raw)), []
    except ValidationError as error:
        return salvage(model, raw), _problems(str(path), raw, error, model)


def complaints_of(file: str, problems: Sequence[Problem], complaints: Iterable[tuple[str, str]]) -> list[Problem]:
    """Problems that show only against the rest of the catalog, in a file that could be read at least in part."""
    places = [problem.place.replace(", ", ".") for problem in problems]
    return [
        Problem(file=file, place=place, sentence=sentence)
        for place, sentence in complaints
        if not any(f"{other}.".startswith(f"{place}.") for other in places)  # its own mistake may be the reason
    ]


def format_of(path: Path) -> type[CatalogModel]:
    """The format of a file, by its keys."""
    raw = _read_toml(path)
    if "kind" in raw:
        from upcard.catalog.kind_file import KindFile  # which loads its files here

        return KindFile
    for key, model in _MARKER_KEYS.items():
        if key in raw:
            return model
    if not set(raw) & (set(Game.model_fields) | set(PaytableHead.model_fields)):
        sentence = (
            "this is not a catalog file: it has no key of a kind, paytable, game, layout, readings or jurisdiction file"
        )
        raise BadFile([Problem(file=str(path), place="", sentence=sentence)])
    return PaytableFile if "basis" in raw or isinstance(raw.get("wager"), str) else Game


_MARKER_KEYS: dict[str, type[CatalogModel]] = {
    "paytable": PaytableFile,
    "reading": ReadingsFile,
    "limits": Jurisdiction,
    "game": Layout,
    "rules": Game,
}
_NAMES = {
    ReadingsFile: "a readings file",
    Jurisdiction: "a jurisdiction file",
    Layout: "a layout file",
    Game: "a game file",
}


def _refuse_other_formats(file: str, raw: RawTable) -> None:
    """Refuses other formats in one sentence, instead of listing every key as unknown."""
    if "paytable" in raw:
        return
    model = next((model for key, model in _MARKER_KEYS.items() if key in raw), None)
    if model is not None:
        raise BadFile([Problem(file=file, place="", sentence=f"this is {_NAMES[model]}, not a paytable file")])
    if not set(raw) & set(PaytableHead.model_fields):
        raise BadFile([Problem(file=file, place="", sentence="this is not a paytable file: it has no [[paytable]]")])


def _entries_of(raw: RawTable) -> list[RawTable]:
    entries = raw.get("paytable")
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _read_toml(path: Path) -> RawTable:
    file = str(path)
    try:
        if path.is_dir():
            raise BadFile([Problem(file=file, place="", sentence="this is a directory, not a file")])
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)  # a device has no size, and may have no end
        if len(content) > MOST_BYTES:
            sentence = "this file is over 1 MB, too large for a catalog file"
            raise BadFile([Problem(file=file, place="", sentence=sentence)])
        return tomllib.loads(content.decode("utf-8-sig"), parse_float=Exact)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadFile([Problem(file=file, place="", sentence=f"cannot be read: {reason}")]) from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        sentence = f"this is not UTF-8 text: see line {line}, byte {column} of it"
        raise BadFile([Problem(file=file, place="", sentence=sentence)]) from None
    except tomllib.TOMLDecodeError as error:
        raise BadFile([Problem(file=file, place="", sentence=f"not valid TOML: {_lower(str(error))}")]) from None
    except (RecursionError, ValueError) as error:
        sentence = f"not valid TOML: {_lower(str(error)) or 'too deeply nested'}"
        raise BadFile([Problem(file=file, place="", sentence=sentence)]) from None


def _problems(file: str, raw: RawTable, validation: ValidationError, model: type[CatalogModel]) -> list[Problem]:
    errors = validation.errors(include_url=False)
    return [
        Problem(file=file, place=_place(raw, error["loc"]), sentence=_sentence(error, model))
        for error in errors
        if not _is_echo(error, errors)
    ]


def _is_echo(error: ErrorDetails, errors: list[ErrorDetails]) -> bool:
    """Whether an error only repeats others.

    A list whose entries are all wrong is also reported as too short, and one with a wrong entry as not being a word
    that may stand instead of a list.
    """
    loc = error["loc"]
    if error["type"] == "literal_error" and isinstance(error["input"], list):
        loc = loc[:-1]
    elif error["type"] != "too_short":
        return False
    return any(
        other is not error and len(other["loc"]) > len(loc) and other["loc"][: len(loc)] == loc for other in errors
    )


def _place(raw: object, loc: Iterable[int | str]) -> str:
    """The key of an error; an entry of a list is named if it has a name."""
    words: list[str] = []
    value = raw
    for step in loc:
        if isinstance(step, str) and words and not isinstance(value, dict | None):
            continue  # it names a member of a union
        value = _step(value, step)
        if isinstance(step, int):
            name = value.get("name") or value.get("wager") if isinstance(value, dict) else None
            if words and isinstance(name, str):
                words[-1] = f"{words[-1]} {name}"
            elif words:
                words[-1] = f"{words[-1]}[{step}]"
        elif value is not None or not words or words[-1] != step:
            words.append(str(step))
    return ", ".join([words[0], ".".join(words[1:])] if len(words) > 1 else words)


def _step(value: object, step: int | str) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _sentence(error: ErrorDetails, model: type[CatalogModel]) -> str:
    match error["type"]:
        case "missing":
            return "this key is missing"
        case "extra_forbidden":
            suggestions = nearest(str(error["loc"][-1]), _keys(model))
            return "unknown key" + (f"; did you mean {' or '.join(suggestions)}?" if suggestions else "")
        case "too_short":
            return "this list is empty"
        case "tuple_type":
            return f"this must be a list, not {quoted(error['input'])}"
        case "model_type" | "model_attributes_type" | "dict_type" | "mapping_type":
            return f"this must be a table of keys, not {quoted(error['input'])}"
        case "literal_error":
            return f"{quoted(error['input'])} is not one of {error.get('ctx', {}).get('expected', '')}"
        case "value_error":
            return str(error.get("ctx", {}).get("error", error["msg"]))
        case _:
            return f"{_lower(error['msg'])}, not {quoted(error['input'])}"


def _keys(model: type[CatalogModel]) -> set[str]:
    """Every key a file of this format may use, at any depth."""
    keys, pending, visited = set(), [model], set()
    while pending:
        current = pending.pop()
        visited.add(current)
        keys |= set(current.model_fields)
        inside = (part for field in current.model_fields.values() for part in parts_of(field.annotation))
        pending += [part for part in inside if part not in visited]
    return keys


def parts_of(annotation: object) -> list[type[CatalogModel]]:
    """The models inside the type of a key."""
    if isinstance(annotation, type) and issubclass(annotation, CatalogModel):
        return [annotation]
    return [entry for inner in get_args(annotation) for entry in parts_of(inner)]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
