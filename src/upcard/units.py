"""Money and odds.

Money is a whole number of cents. Odds keep the difference a felt prints: "25 to 1" leaves the winner the
stake, "25 for 1" does not. A division of money names its rounding, so that no cent is lost by accident.
"""

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NewType, Self

Cents = NewType("Cents", int)

MOST_MONEY = Cents(10**13)  # a hundred billion dollars: more is a typing error, and floats hold every cent below

_MONEY = re.compile(r"\$(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?")
_MOST_PLACES = 14  # of a share as a fraction; its percentage has at most twelve
_NUMBER = r"(\d{1,9}(?:\.\d{1,12})?)"  # no table has longer odds, and they would slow prices down
_ODDS = re.compile(rf"{_NUMBER}\s*(:|to|for)\s*{_NUMBER}")
_SHARE = re.compile(rf"{_NUMBER}%")


class Basis(Enum):
    """Whether a winner keeps the stake on top of the pay."""

    TO_ONE = "to 1"
    FOR_ONE = "for 1"


class Rounding(Enum):
    """What happens to a fraction of a cent."""

    UP = "up"
    DOWN = "down"
    NEAREST = "nearest"


def money(text: str) -> Cents:
    """Reads "$5", "$2.50" or "$1,250"."""
    match = _MONEY.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:40]!r} is not an amount of money like $5, $2.50 or $1,250")
    dollar_digits, cents = match.groups()
    digits = dollar_digits.replace(",", "").lstrip("0")
    if len(digits) > len(str(MOST_MONEY)):  # before int(), which has its own error for thousands of digits
        raise ValueError(_too_much(digits))
    amount = Cents(int(digits or 0) * 100 + int(cents or 0))
    if amount > MOST_MONEY:
        raise ValueError(_too_much(digits))
    return amount


def dollars(cents: int) -> str:
    """Writes cents as "$1,250" or "$2.50"."""
    dollar_part, cent_part = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}${dollar_part:,}.{cent_part:02d}" if cent_part else f"{sign}${dollar_part:,}"


def _too_much(digits: str) -> str:
    return f"an amount of money may be at most {dollars(MOST_MONEY)}, not a number of {len(digits)} digits"


def share(text: str) -> Fraction:
    """Reads "25%" as one quarter."""
    match = _SHARE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a share like 25%")
    return Fraction(match[1]) / 100


def decimal_text(value: Fraction, places: int | None = None) -> str:
    """A fraction in exact digits: rounded half up to `places`, or all digits, or "p/q" if they never end."""
    if places is None:
        exact = next((count for count in range(_MOST_PLACES + 1) if 10**count % value.denominator == 0), None)
        if exact is None:
            return str(value)
        places = exact
    scaled = (value * 10**places + Fraction(1, 2)).__floor__()
    integer, decimals = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{integer}.{decimals:0{places}d}" if places else f"{sign}{integer}"


def round_cents(amount: Fraction, rounding: Rounding) -> Cents:
    """Rounds an exact amount to cents; NEAREST gives half a cent to the player."""
    match rounding:
        case Rounding.DOWN:
            return Cents(amount.numerator // amount.denominator)
        case Rounding.UP:
            return Cents(-(-amount.numerator // amount.denominator))
        case Rounding.NEAREST:
            doubled = 2 * amount + 1
            return Cents(doubled.numerator // (2 * doubled.denominator))


@dataclass(frozen=True, slots=True)
class Odds:
    """What one unit wins, and whether the stake is returned."""

    pays: Fraction
    basis: Basis

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads "3:2", "25 to 1" or "25 for 1"; a colon means "to"."""
        match = _ODDS.fullmatch(text.strip())
        if match is None or Fraction(match[3]) == 0:
            raise ValueError(f"{text[:40]!r} is not odds like 3:2, 25 to 1 or 25 for 1")
        basis = Basis.FOR_ONE if match[2] == "for" else Basis.TO_ONE
        return cls(Fraction(match[1]) / Fraction(match[3]), basis)

    @property
    def net(self) -> Fraction:
        """What a winning unit gains beyond itself."""
        return self.pays if self.basis is Basis.TO_ONE else self.pays - 1

    def win(self, stake: Cents, rounding: Rounding) -> Cents:
        """What the house pays on a winning stake, not counting a stake that is returned (to 1)."""
        return round_cents(self.pays * stake, rounding)

    def __str__(self) -> str:
        if self.pays.denominator == 1:
            return f"{self.pays} {self.basis.value}"
        if self.basis is Basis.TO_ONE:
            return f"{self.pays.numerator}:{self.pays.denominator}"
        return f"{self.pays.numerator} for {self.pays.denominator}"
