"""What a paytable line pays: a number of units, or a share of a jackpot.

The files keep what the filing prints. A plain number is units of the wager; "$25" is dollars for the wager the table
is printed for; "25%" is a share of the table's jackpot and "50% of MEGA" names it; a table by stake gives each its own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from upcard.catalog.fields import exact_fraction, quoted
from upcard.units import Cents, decimal_text, dollars, money, share


@dataclass(frozen=True, slots=True)
class Fixed:
    """A line that pays so many units of the wager."""

    units: Fraction


@dataclass(frozen=True, slots=True)
class Share:
    """A line that pays a share of a jackpot, which may depend on the stake."""

    jackpot: str
    by_stake: tuple[tuple[Cents | None, Fraction], ...]

    @property
    def largest(self) -> Fraction:
        """The share at the largest stake."""
        return self.by_stake[-1][1]

    def at(self, stake: Cents) -> Fraction:
        """The share for a stake, or the single share for all stakes."""
        shares = dict(self.by_stake)
        if None in shares:
            return shares[None]
        if stake not in shares:
            stakes = " or ".join(dollars(cents) for cents in shares if cents is not None)
            raise ValueError(f"a wager of {dollars(stake)} has no share of {self.jackpot}; it takes {stakes}")
        return shares[stake]


Pay = Fixed | Share

MOST_UNITS = 10**9  # more than any felt pays, less than overflows a float when squared


Cell = Fraction | Cents | tuple[Fraction, str]  # units, dollars, or a share and its jackpot's name, "" for the table's


@dataclass(frozen=True, slots=True)
class Printed:
    """A pay as the file prints it: by stake, units or cents or a share with the jackpot's name."""

    by_stake: tuple[tuple[Cents | None, Cell], ...]
    what: str  # units, dollars or share


_SHARE_OF = re.compile(r"(\d+(?:\.\d+)?%)(?: of (.+))?")


def read_printed(value: object) -> Printed:
    """Parses one printed pay, before the rest of its table is known."""
    if isinstance(value, Mapping):
        if not value:
            raise ValueError("a pay by stake needs at least one stake")
        cells = [(_stake(str(stake)), *_read_cell(cell)) for stake, cell in value.items()]
        if len({what for _, what, _ in cells}) > 1 or cells[0][1] == "units":
            raise ValueError("a pay by stake must be in dollars for every stake, or in shares for every stake")
        cells.sort(key=lambda cell: cell[0])
        return Printed(tuple((stake, amount) for stake, _, amount in cells), cells[0][1])
    what, amount = _read_cell(value)
    return Printed(((None, amount),), what)


def resolve(printed: Printed, *, jackpot: str, printed_wager: Cents | None) -> Pay:
    """What a printed pay means in its table."""
    if printed.what == "share":
        return _resolve_share(printed, jackpot)
    units = []
    for stake, amount in printed.by_stake:
        if printed.what == "units":
            units.append(Fraction(_number(amount)))
            continue
        wager = stake or printed_wager
        if not wager:
            raise ValueError('a pay in dollars needs the wager it is for: give the table printed_wager = "$1"')
        units.append(Fraction(int(_number(amount)), wager))
    if len(set(units)) > 1:
        raise ValueError("all stakes must be paid in the same proportion")
    return Fixed(units[0])


def pay_text(pay: Pay, *, basis: str = "") -> str:
    if isinstance(pay, Fixed):
        number = decimal_text(pay.units)
        return f"{number} {basis}".strip()
    shares = "/".join(percent(part) for _, part in pay.by_stake)
    return f"{shares} of {pay.jackpot}"


def percent(part: Fraction) -> str:
    """Writes a share as "25%"."""
    return f"{decimal_text(part * 100)}%"


def _resolve_share(printed: Printed, jackpot: str) -> Share:
    names, shares = set(), []
    for stake, cell in printed.by_stake:
        if not isinstance(cell, tuple):  # _read_cell gives shares as pairs
            raise ValueError("write a share of a jackpot as 25% or 25% of NAME")
        names.add(cell[1] or jackpot)
        shares.append((stake, cell[0]))
    if names == {""}:
        raise ValueError('a share needs the jackpot it is of: write "25% of NAME", or give the table jackpot = "NAME"')
    if len(names) > 1:
        raise ValueError(f"a line can only pay from one jackpot, not from {' and '.join(sorted(names))}")
    return Share(names.pop(), tuple(shares))


def _read_cell(value: object) -> tuple[str, Cell]:
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        raise ValueError(f'{quoted(value)} is not a pay like 9, "$25" or "25%"')
    if isinstance(value, str):
        text = value.strip()
        if match := _SHARE_OF.fullmatch(text):
            part = share(match[1])
            if not 0 < part <= 1:
                raise ValueError(f"a share of a jackpot must be more than 0% and at most 100%, not {value}")
            return "share", (part, (match[2] or "").strip())
        if text.startswith("$"):
            return "dollars", money(text)
        if text.startswith("-"):
            raise ValueError(f"a pay cannot be negative: {value}")
        raise ValueError(f'{quoted(value)} is not a pay like 9, "$25" or "25%"')
    return "units", exact_fraction(value, what="a pay", most=MOST_UNITS, unit="units")


def _stake(text: str) -> Cents:
    stake = money(text)
    if not stake:
        raise ValueError(f"a stake must be more than zero, not {text}")
    return stake


def _number(amount: Fraction | int | tuple[Fraction, str]) -> Fraction:
    if isinstance(amount, tuple):
        raise ValueError("a line cannot pay both a fixed amount and a share")
    return Fraction(amount)


PrintedPay = Annotated[
    Printed,
    BeforeValidator(read_printed),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0},
                {"type": "string", "examples": ["$25", "25%", "50% of MEGA"]},
                {"type": "object", "additionalProperties": {"type": "string"}},
            ]
        }
    ),
]
