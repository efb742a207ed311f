"""Reads what can be read of a file with mistakes.

A user gets all mistakes of a file at once, so the later checks run on whatever could be parsed. Wrong parts are left
out, and their keys marked as doubtful, so that no check complains about them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError, create_model
from pydantic_core import ErrorDetails

from upcard.catalog.fields import CatalogModel, RawTable
from upcard.problems import nearest

Model = TypeVar("Model", bound=CatalogModel, covariant=True)
Path = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Salvaged(Generic[Model]):
    """A file or an entry as far as it could be read; a required key that was left out is None."""

    entry: Model
    doubtful: frozenset[str] = frozenset()  # keys that were left out; "every KEY" if a list lost an entry


def salvage(model: type[Model], raw: RawTable) -> Salvaged[Model]:
    doubtful: set[str] = set()
    missing: dict[str, Any] = {}
    shape, readable = model, raw
    while True:
        try:
            return Salvaged(shape.model_validate(readable), frozenset(doubtful))
        except ValidationError as validation:
            errors = validation.errors(include_url=False)
        paths = {_path(readable, error) for error in errors}
        doubtful |= {word for path in paths for word in _words(readable, path)} | _misspelled(errors, model)
        absent = {str(error["loc"][0]) for error in errors if error["type"] == "missing" and len(error["loc"]) == 1}
        missing |= dict.fromkeys(absent, (Any, None))
        doubtful |= absent | {f"every {key}" for key in absent}
        shape = create_model(model.__name__, __base__=model, **missing)
        readable = _without(readable, (), paths - {()})


def _path(raw: object, error: ErrorDetails) -> Path:
    """The part of the file an error is about; for a missing key, the entry that lacks it."""
    path: list[int | str] = []
    value: Any = raw
    for step in error["loc"]:  # other steps name a member of a union
        inside = step in value if isinstance(value, Mapping) else isinstance(value, list) and step in range(len(value))
        if inside:
            value = value[step]
            path.append(step)
    return tuple(path)


def _words(raw: RawTable, path: Path) -> set[str]:
    if len(path) == 1:
        return {str(path[0]), f"every {path[0]}"}
    if len(path) == 2 and isinstance(raw[str(path[0])], list):
        return {f"every {path[0]}"}
    return set()


def _misspelled(errors: list[ErrorDetails], model: type[CatalogModel]) -> set[str]:
    """Keys that an unknown key may be a misspelling of, such as basis for `bassis`."""
    unknown = [
        str(error["loc"][0]) for error in errors if error["type"] == "extra_forbidden" and len(error["loc"]) == 1
    ]
    return {key for slip in unknown for key in nearest(slip, model.model_fields)}


def _without(value: Any, path: Path, paths: set[Path]) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(part, (*path, key), paths) for key, part in value.items() if (*path, key) not in paths}
    if isinstance(value, list):
        return [
            _without(part, (*path, index), paths) for index, part in enumerate(value) if (*path, index) not in paths
        ]
    return value
