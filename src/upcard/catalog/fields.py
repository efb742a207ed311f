"""How money, odds, shares, decks and limits are written in the catalog's files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, WithJsonSchema

from upcard.units import Cents, Odds, decimal_text, dollars, money, share


class CatalogModel(BaseModel):
    """A frozen part of a catalog file; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, arbitrary_types_allowed=True, strict=True)


class Exact(Decimal):
    """A TOML decimal number, digit for digit: files become fractions without passing through a float."""

    __repr__ = Decimal.__str__


def quoted(value: object) -> str:
    """A value of a file for quoting in a sentence, shortened if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python does not print integers of more than 4300 digits
        return "a number with thousands of digits"
    return text if len(text) <= 80 else f"{text[:77]}..."


def exact_fraction(value: int | Decimal, *, what: str, most: int, unit: str) -> Fraction:
    """A number of a file as a fraction; checked first, because 1e-999999999 would have a huge denominator."""
    if isinstance(value, Decimal) and not value.is_finite():
        raise ValueError(f"{what} must be a finite number, not {str(value).lower()}")
    if value < 0:
        raise ValueError(f"{what} cannot be negative: {quoted(value)}")
    if value > most:
        raise ValueError(f"{what} may be at most {most:,} {unit}, not {quoted(value)}")
    if isinstance(value, Decimal) and int(value.as_tuple().exponent) < -MOST_PLACES:
        raise ValueError(f"{what} may have at most {MOST_PLACES} decimals, not {quoted(value)}")
    return Fraction(value)


MOST_PLACES = 12


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"write {what} in quotation marks, not {quoted(value)}")
    return value


def _read_money(value: object) -> Cents:
    return money(_text(value, 'money like "$5"'))


def _read_positive_money(value: object) -> Cents:
    amount = _read_money(value)
    if not amount:
        raise ValueError(f"this must be more than zero, not {value}")
    return amount


def _read_odds(value: object) -> Odds:
    return Odds.parse(_text(value, 'odds like "3:2"'))


def _read_share(value: object) -> Fraction:
    return share(_text(value, 'a share like "10%"'))


def _read_decks(value: object) -> tuple[int, ...]:
    """Reads 6, [2, 6, 8], "2-8" or "2, 4-6"."""
    if isinstance(value, bool):
        raise ValueError(f'{quoted(value)} is not a number of decks like 6, [2, 6, 8] or "2-8"')
    if isinstance(value, int):
        decks = {value}
    elif isinstance(value, list | tuple) and all(type(count) is int for count in value):
        decks = set(value)
    elif isinstance(value, str) and re.fullmatch(r"\d+(-\d+)?(, ?\d+(-\d+)?)*", value):
        decks = set()
        for part in value.replace(" ", "").split(","):
            low, _, high = part.partition("-")
            decks |= set(range(int(low[:4]), int((high or low)[:4]) + 1))
    else:
        raise ValueError(f'{quoted(value)} is not a number of decks like 6, [2, 6, 8] or "2-8"')
    if not decks or min(decks) < 1 or max(decks) > MOST_DECKS:
        raise ValueError(f"decks must be between 1 and {MOST_DECKS}, not {quoted(value)}")
    return tuple(sorted(decks))


def _read_deck_part(value: object) -> Fraction:
    """Reads 1, 0.25 or "1/4"."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,4}/[1-9]\d{0,3}", value):
        part = Fraction(value)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        part = exact_fraction(value, what="a part of the shoe", most=MOST_DECKS, unit="decks")
    else:
        raise ValueError(f'{quoted(value)} is not a number of decks like 1, 0.25 or "1/4"')
    return part


def _share_text(value: Fraction) -> str:
    return f"{decimal_text(value * 100)}%"


def _deck_part_text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


MOST_DECKS = 100

SuitName = Literal["clubs", "diamonds", "hearts", "spades"]
Equipment = Literal["automatic shuffler", "jackpot system"]  # that has a model

Money = Annotated[
    int,
    BeforeValidator(_read_money),
    PlainSerializer(dollars, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": r"^\$\d", "examples": ["$5", "$2.50"]}),
]
PositiveMoney = Annotated[
    int,
    BeforeValidator(_read_positive_money),
    PlainSerializer(dollars, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": r"^\$[\d,.]*[1-9]", "examples": ["$5", "$2.50"]}),
]
OddsField = Annotated[
    Odds,
    BeforeValidator(_read_odds),
    PlainSerializer(str, when_used="json"),
    WithJsonSchema({"type": "string", "examples": ["3:2"]}),
]
ShareField = Annotated[
    Fraction,
    BeforeValidator(_read_share),
    PlainSerializer(_share_text, when_used="json"),
    WithJsonSchema({"type": "string", "examples": ["10%"]}),
]
DeckPart = Annotated[
    Fraction,
    BeforeValidator(_read_deck_part),
    PlainSerializer(_deck_part_text, when_used="json"),
    WithJsonSchema(
        {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": r"^\d+/\d+$", "examples": ["1/4"]}]}
    ),
]
Decks = Annotated[
    tuple[int, ...],
    BeforeValidator(_read_decks),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST_DECKS},
                {"type": "string", "examples": ["2-8"]},
                {"type": "array", "items": {"type": "integer", "minimum": 1}},
            ]
        }
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A least or largest wager: an amount, or a part of the table's posted minimum."""

    cents: Cents | None = None
    of_posted_minimum: Fraction | None = None

    def at(self, posted_minimum: Cents) -> Cents:
        """The bound in cents once the table's minimum is posted (R24: the exact half)."""
        if self.cents is not None:
            return self.cents
        part = Fraction(self.of_posted_minimum or 0) * posted_minimum
        return Cents(-(-part.numerator // part.denominator))

    def __str__(self) -> str:
        if self.cents is not None:
            return dollars(self.cents)
        return next(text for text, part in _POSTED.items() if part == self.of_posted_minimum)


_POSTED = {"posted minimum": Fraction(1), "half the posted minimum": Fraction(1, 2)}


def _read_bound(value: object) -> Bound:
    text = _text(value, 'a limit like "$2" or "posted minimum"')
    if text in _POSTED:
        return Bound(of_posted_minimum=_POSTED[text])
    try:
        return Bound(cents=money(text))
    except ValueError:
        raise ValueError(f"{text!r} is not a limit like $2, {' or '.join(map(repr, _POSTED))}") from None


BoundField = Annotated[
    Bound,
    BeforeValidator(_read_bound),
    PlainSerializer(str, when_used="json"),
    WithJsonSchema({"type": "string", "examples": ["$2", *_POSTED]}),
]


def slug_of(name: str) -> str:
    """The form of a name that fits an address: DA6/4 is da6-4, 21+3 is 21-3."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def decks_text(decks: tuple[int, ...]) -> str:
    """Writes decks as "2-8", "6" or "2, 4-6, 8"."""
    runs: list[list[int]] = []
    for count in decks:
        if runs and runs[-1][-1] == count - 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


RawTable = Mapping[str, Any]  # a table of a TOML file before it is checked
