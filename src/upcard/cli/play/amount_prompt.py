"""A question about money in the middle of a hand: how much to double by, how much insurance.

It collects one amount for each wager it asks about, inside the ranges that `legal` gave, and then is a command.
"""

from dataclasses import dataclass, field

from upcard.cli.play.table_text import amounts
from upcard.engine import commands as c
from upcard.engine.offered_choices import Choice
from upcard.engine.stake_ranges import Range
from upcard.problems import BadRequest
from upcard.units import Cents, dollars, money


@dataclass(slots=True)
class AmountPrompt:
    """A choice that still needs amounts, and the amounts entered so far."""

    choice: Choice
    typed: str = ""
    answers: list[Cents] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        name, allowed = self._part
        verb = "Insure" if self.choice.order is c.Insure else "Double"
        wagers = len(self.choice.amounts)
        each = self.choice.equal and wagers > 1
        what = f"{verb} each of {wagers} main wagers by" if each else f"{verb} the {name} by"
        return f"{what} how much? {amounts(allowed)}. Enter alone: {dollars(_most(allowed))}. Escape: cancel."

    def type(self, key: str) -> bool:
        """Takes a typed character; False: it cannot be part of an amount."""
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key in "0123456789.$":
            self.typed = (self.typed + key)[:10]
        else:
            return False
        return True

    def answer(self) -> c.Double | c.Insure | None:
        """Takes the amount typed, or the largest if none was; gives the command once every amount is known."""
        _, allowed = self._part
        typed, self.typed = self.typed, ""
        amount = _read(typed) if typed else _most(allowed)
        if amount not in allowed:
            raise BadRequest(f"{dollars(amount)} is not allowed: enter {amounts(allowed)}")
        self.answers.append(amount)
        names = [name for name, _ in self.choice.amounts]
        if self.choice.equal:
            self.answers = [amount] * len(names)
        if len(self.answers) < len(names):
            return None
        answered = tuple(zip(names, self.answers, strict=True))
        return (
            c.Insure(self.choice.spot, answered)
            if self.choice.order is c.Insure
            else c.Double(self.choice.spot, answered)
        )

    @property
    def _part(self) -> tuple[str, Range]:
        return self.choice.amounts[len(self.answers)]


def _most(allowed: Range) -> Cents:
    return max(allowed.only) if allowed.only else allowed.most


def _read(typed: str) -> Cents:
    """Reads "5", "2.5" or "$2.50"."""
    dollars_part, point, cents_part = typed.removeprefix("$").partition(".")
    text = f"${dollars_part or 0}.{cents_part:0<2}" if point else f"${dollars_part}"
    try:
        return money(text)
    except ValueError:
        raise BadRequest(f"{typed!r} is not an amount: enter one such as 5 or 2.50") from None
