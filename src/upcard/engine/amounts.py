"""Which amounts of money a command may carry: a range in steps, or a few fixed amounts."""

from collections.abc import Mapping
from dataclasses import dataclass

from upcard.engine.round import Spot
from upcard.engine.terms import Terms, WagerTerms
from upcard.units import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Amounts from least to most in steps, counted from nothing; or only the ones named."""

    least: Cents
    most: Cents
    step: Cents
    only: tuple[Cents, ...] = ()
    because: str = ""  # why only these: "bigger" equals its main wager, "main" has bigger wagers on it

    def __contains__(self, amount: int) -> bool:
        if self.only:
            return amount in self.only
        return self.least <= amount <= self.most and amount % self.step == 0

    @property
    def is_empty(self) -> bool:
        """No amount fits."""
        first = -(-self.least // self.step) * self.step
        return not self.only and first > self.most


def stake_range(terms: Terms, wager: WagerTerms, placed: Mapping[str, Cents]) -> Range:
    """What may stand on a wager, beside what already stands on the spot."""
    if wager.equals:
        amount = placed[wager.equals]
        return Range(only=(amount,), least=amount, most=amount, step=wager.step, because="bigger")
    bigger = [name for name in placed if terms.wagers[name].equals == wager.name]
    if bigger:
        amount = placed[bigger[0]]
        return Range(only=(amount,), least=amount, most=amount, step=wager.step, because="main")
    if wager.amounts:
        return Range(only=wager.amounts, least=wager.amounts[0], most=wager.amounts[-1], step=wager.step)
    return Range(least=wager.least, most=wager.most, step=wager.step)


def insurance_range(terms: Terms, spot: Spot) -> Range:
    """The same amount on each main wager, up to half of the smallest."""
    smallest = min(spot.hands[0].stakes.values())
    half = smallest * terms.rules.insurance_most
    step = terms.insurance_step
    most = Cents(int(half) // step * step)
    return Range(least=step, most=most, step=step)
