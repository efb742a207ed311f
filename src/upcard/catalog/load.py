"""Reading the catalog's files. A file with mistakes is refused with all of them at once, each with its place."""

import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from upcard.catalog.fields import Entry, Exact, Table, shown
from upcard.catalog.game import Game
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout
from upcard.catalog.paytable import (
    Paytable,
    PaytableEntry,
    PaytableFile,
    PaytableHead,
    build,
    draft_problems,
    event_problems,
)
from upcard.catalog.reading import ReadingsFile
from upcard.catalog.salvage import Draft, salvage
from upcard.problems import BadFile, Problem, nearest

MOST_BYTES = 1_000_000

FileModel = TypeVar("FileModel", bound=Entry)


def load_paytables(path: Path, *, readings: Collection[str] | None = None) -> list[Paytable]:
    """The paytables of one file, the catalog's or a user's own; with the readings they may cite, where known."""
    raw = _read_toml(path)
    file = str(path)
    _refuse_other_formats(file, raw)
    events = event_problems(file, raw)
    try:
        parsed = PaytableFile.model_validate(raw)
    except ValidationError as wrong:
        head = salvage(PaytableHead, {key: value for key, value in raw.items() if key != "paytable"})
        drafts = [salvage(PaytableEntry, entry) for entry in _entries_of(raw)]
        more = draft_problems(file, head, drafts, readings)
        raise BadFile([*_problems(file, raw, wrong, PaytableFile), *events, *more]) from None
    problems = [*events, *draft_problems(file, Draft(parsed), [Draft(one) for one in parsed.paytable], readings)]
    if problems:
        raise BadFile(problems)
    return build(file, parsed)


def load_model(path: Path, model: type[FileModel]) -> FileModel:
    """A file that is one model."""
    draft, problems = load_draft(path, model)
    if problems:
        raise BadFile(problems)
    return draft.entry


def load_draft(path: Path, model: type[FileModel]) -> tuple[Draft[FileModel], list[Problem]]:
    """A file that is one model, as far as it can be read, and what is wrong with the rest."""
    raw = _read_toml(path)
    try:
        return Draft(model.model_validate(raw)), []
    except ValidationError as wrong:
        return salvage(model, raw), _problems(str(path), raw, wrong, model)


def format_of(path: Path) -> type[Entry]:
    """Which format a file is in, told by its keys."""
    raw = _read_toml(path)
    for key, model in _SIGNS.items():
        if key in raw:
            return model
    if not set(raw) & (set(Game.model_fields) | set(PaytableHead.model_fields)):
        sentence = "this is no catalog file: its keys are those of no paytable, game, layout, readings or jurisdiction"
        raise BadFile([Problem(file=str(path), place="", sentence=sentence)])
    return PaytableFile if "basis" in raw or isinstance(raw.get("wager"), str) else Game


_SIGNS: dict[str, type[Entry]] = {
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


def _refuse_other_formats(file: str, raw: Table) -> None:
    """A list of every key as unknown would hide the one thing to say."""
    if "paytable" in raw:
        return
    model = next((model for key, model in _SIGNS.items() if key in raw), None)
    if model is not None:
        raise BadFile([Problem(file=file, place="", sentence=f"this is {_NAMES[model]}, not a paytable file")])
    if not set(raw) & set(PaytableHead.model_fields):
        raise BadFile([Problem(file=file, place="", sentence="this is no paytable file: it has no [[paytable]]")])


def _entries_of(raw: Table) -> list[Table]:
    entries = raw.get("paytable")
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _read_toml(path: Path) -> Table:
    """The raw tables of a TOML file."""
    file = str(path)
    try:
        if path.is_dir():
            raise BadFile([Problem(file=file, place="", sentence="this is a directory, not a file")])
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)  # a device tells no size, and may have no end
        if len(content) > MOST_BYTES:
            sentence = "this file is over 1 MB, too large for a catalog file"
            raise BadFile([Problem(file=file, place="", sentence=sentence)])
        return tomllib.loads(content.decode("utf-8-sig"), parse_float=Exact)
    except OSError as wrong:
        reason = (wrong.strerror or str(wrong)).lower()
        raise BadFile([Problem(file=file, place="", sentence=f"cannot be read: {reason}")]) from None
    except UnicodeDecodeError:
        raise BadFile([Problem(file=file, place="", sentence="this is not UTF-8 text")]) from None
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile([Problem(file=file, place="", sentence=f"not valid TOML: {_lower(str(wrong))}")]) from None
    except (RecursionError, ValueError) as wrong:
        sentence = f"not valid TOML: {_lower(str(wrong)) or 'too deeply nested'}"
        raise BadFile([Problem(file=file, place="", sentence=sentence)]) from None


def _problems(file: str, raw: Table, wrong: ValidationError, model: type[Entry]) -> list[Problem]:
    errors = wrong.errors(include_url=False)
    return [
        Problem(file=file, place=_place(raw, error["loc"]), sentence=_sentence(error, model))
        for error in errors
        if not _is_echo(error, errors)
    ]


def _is_echo(error: ErrorDetails, errors: list[ErrorDetails]) -> bool:
    """A list whose entries are all wrong is also called too short: that says nothing new."""
    loc = error["loc"]
    return error["type"] == "too_short" and any(
        len(other["loc"]) > len(loc) and other["loc"][: len(loc)] == loc for other in errors
    )


def _place(raw: object, loc: Iterable[int | str]) -> str:
    """The key of an error; an entry of a list goes by its name where it has one."""
    words: list[str] = []
    here = raw
    for step in loc:
        here = _step(here, step)
        if isinstance(step, int):
            name = here.get("name") or here.get("wager") if isinstance(here, dict) else None
            if words and isinstance(name, str):
                words[-1] = f"{words[-1]} {name}"
            elif words:
                words[-1] = f"{words[-1]}[{step}]"
        elif here is not None or not words or words[-1] != step:
            words.append(str(step))
    return ", ".join([words[0], ".".join(words[1:])] if len(words) > 1 else words)


def _step(here: object, step: int | str) -> object:
    if isinstance(here, dict):
        return here.get(step)
    if isinstance(here, list | tuple) and isinstance(step, int) and step < len(here):
        return here[step]
    return None


def _sentence(error: ErrorDetails, model: type[Entry]) -> str:
    match error["type"]:
        case "missing":
            return "this key is missing"
        case "extra_forbidden":
            near = nearest(str(error["loc"][-1]), _keys(model))
            return "unknown key" + (f"; did you mean {' or '.join(near)}?" if near else "")
        case "too_short":
            return "this list is empty"
        case "tuple_type":
            return f"a list is wanted here, not {shown(error['input'])}"
        case "model_type" | "model_attributes_type" | "dict_type" | "mapping_type":
            return f"a table of keys is wanted here, not {shown(error['input'])}"
        case "literal_error":
            return f"{shown(error['input'])} is not one of {error.get('ctx', {}).get('expected', '')}"
        case "value_error":
            return str(error.get("ctx", {}).get("error", error["msg"]))
        case _:
            return f"{_lower(error['msg'])}, not {shown(error['input'])}"


def _keys(model: type[Entry]) -> set[str]:
    """Every key a file of this format may use, at any depth."""
    keys, todo, seen = set(), [model], set()
    while todo:
        one = todo.pop()
        seen.add(one)
        keys |= set(one.model_fields)
        inside = (part for field in one.model_fields.values() for part in _entries(field.annotation))
        todo += [part for part in inside if part not in seen]
    return keys


def _entries(annotation: object) -> list[type[Entry]]:
    if isinstance(annotation, type) and issubclass(annotation, Entry):
        return [annotation]
    return [found for inner in get_args(annotation) for found in _entries(inner)]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
