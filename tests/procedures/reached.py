"""Whether the program itself uses what a mutation changed: a value that no code reads proves nothing.

Reads by tests do not count, nor do those that only store or compare files.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import upcard
from upcard.catalog.fields import CatalogModel
from upcard.catalog.index import Catalog
from upcard.catalog.paytable import Paytable

PROGRAM = str(Path(upcard.__file__).parent)
STORING = tuple(str(Path(PROGRAM) / "catalog" / name) for name in ("ruleset.py", "load.py", "salvage.py"))
PARTS = ("games", "layouts", "paytables", "jurisdictions")

Change = tuple[type, str, object]  # a model, one of its fields, and the new value


class Uses:
    """What a mutation changed, and what of that the program used."""

    def __init__(self) -> None:
        self.changed: list[str] = []
        self.used: set[str] = set()


_now: list[Uses] = []  # of the mutation that is being tried


@contextmanager
def watching() -> Iterator[Uses]:
    """Watches the mutations made inside it."""
    _now.append(Uses())
    try:
        yield _now[-1]
    finally:
        _now.pop()


@contextmanager
def watching_values(before: Catalog, after: Catalog) -> Iterator[None]:
    """Watches who reads the values in which two catalogs differ."""
    changes = [change for part in PARTS for change in differences(getattr(before, part), getattr(after, part))]
    if not changes or not _now:
        yield
        return
    uses = _now[-1]
    uses.changed += [f"{model.__name__}.{field}" for model, field, _ in changes]
    names = {field for _, field, _ in changes}

    def read(model: Any, name: str) -> Any:
        value = object.__getattribute__(model, name)
        if name in names and _is_program(sys._getframe(1)):
            uses.used |= {
                f"{kind.__name__}.{field}"
                for kind, field, new in changes
                if field == name and isinstance(model, kind) and value == new
            }
        return value

    with ExitStack() as patches:
        for kind in (CatalogModel, Paytable):
            patches.enter_context(mock.patch.object(kind, "__getattribute__", read))
        yield


def watched(name: str, original: object, replacement: object) -> object:
    """A replacement in the code that notes its use by the program; a constant cannot be watched, and counts as used."""
    if isinstance(replacement, property) and replacement.fget is not None:
        return property(_noting(name, replacement.fget))
    if isinstance(replacement, dict) and isinstance(original, dict):
        return {
            key: value if original.get(key) is value else _noting(f"{name}[{key}]", value)
            for key, value in replacement.items()
        }
    if callable(replacement):
        return _noting(name, replacement)
    if _now:
        _now[-1].changed.append(name)
        _now[-1].used.add(name)
    return replacement


def _noting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    if _now:
        _now[-1].changed.append(name)

    @wraps(function)
    def noting(*args: Any, **words: Any) -> Any:
        if _now and _is_program(sys._getframe(1)):
            _now[-1].used.add(name)
        return function(*args, **words)

    return noting


def _is_program(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith(PROGRAM) and file not in STORING


def differences(before: object, after: object) -> Iterator[Change]:
    """The innermost fields in which two parts of a catalog differ."""
    if before is after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in before.keys() & after.keys():
            yield from differences(before[key], after[key])
    elif isinstance(before, tuple) and isinstance(after, tuple):
        for old, new in zip(before, after, strict=True):
            yield from differences(old, new)
    elif _is_part(before) and type(before) is type(after):
        for name in _field_names(before):
            old, new = getattr(before, name), getattr(after, name)
            if old != new:
                inside = list(differences(old, new)) if _has_parts(old, new) else []
                yield from inside or [(type(before), name, new)]


def _has_parts(old: object, new: object) -> bool:
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(_is_part, (*old, *new)))
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return old.keys() == new.keys() and all(map(_is_part, (*old.values(), *new.values())))
    return _is_part(old) and _is_part(new)


def _is_part(value: object) -> bool:
    return isinstance(value, CatalogModel | Paytable)


def _field_names(part: object) -> list[str]:
    if is_dataclass(part):
        return [field.name for field in fields(part)]
    return list(type(part).model_fields) if isinstance(part, CatalogModel) else []
