"""Types of the commands' fields, and base classes of the commands at a table."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeVar, cast, dataclass_transform

from pydantic import ConfigDict, Field, PlainSerializer, PlainValidator, TypeAdapter
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

from upcard.engine import commands as c
from upcard.ledger.record import Level, Name, Record
from upcard.ledger.record import is_unset as is_unset
from upcard.units import MOST_MONEY, Cents

Seconds = Annotated[int, Field(ge=1, le=86_400)]
Spot = Annotated[int, Field(ge=1, le=20)]
Words = Annotated[str, Field(min_length=1, max_length=400)]
Wager = Annotated[str, Field(min_length=1, max_length=80)]
Counted = Annotated[int, Field(ge=0, le=MOST_MONEY, strict=True)]  # cents in a tray
CardText = Annotated[str, Field(pattern=r"^([2-9TJQKA])[cdhs]$")]

_amounts: TypeAdapter[dict[Wager, Level]] = TypeAdapter(Annotated[dict[Wager, Level], Field(max_length=20)])


def _read_amounts(amounts: object) -> tuple[tuple[str, int], ...]:
    """Parses cents by wager: an object in JSON, pairs in the engine."""
    return tuple(_amounts.validate_python(dict(amounts) if isinstance(amounts, tuple) else amounts).items())


WireAmounts = Annotated[
    c.Amounts,
    PlainValidator(_read_amounts, json_schema_input_type=dict[Wager, Level]),
    PlainSerializer(dict, return_type=dict[str, int]),
]
Money = Annotated[Cents, Field(gt=0, le=MOST_MONEY, strict=True)]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(Field, field))
def command(kind: type[T]) -> type[T]:
    """Makes a command class: immutable, validated, and without unknown fields."""
    frozen = dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))(kind)
    return cast(type[T], frozen)


class Pace(Record):
    """How many seconds a table waits."""

    betting: Seconds = 20  # after the first wager
    decision: Seconds = 30
    insurance: Seconds = 10
    late: Seconds = 10
    away: Seconds = 120  # how long a seat is held for a player who is away
    sitting_out: Seconds = 1200


@command
class AtTable:
    """A command at a table."""

    table: Name


@command
class OfSpot(AtTable):
    """A command for a spot."""

    spot: Spot


@command
class OfPlayer(AtTable):
    """A command by or about a player."""

    player: Name


def fields_of(kind: type) -> Mapping[str, FieldInfo]:
    """The fields of a kind of command or request."""
    fields: Mapping[str, FieldInfo] = getattr(kind, "model_fields", None) or kind.__pydantic_fields__  # type: ignore[attr-defined]  # of a dataclass
    return fields
