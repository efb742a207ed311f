"""Which amounts of money a command may carry: a range in steps, or a few fixed amounts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from upcard.engine.round import Hand, Spot
from upcard.engine.terms import Terms, WagerTerms
from upcard.units import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The multiples of step from least to most; or, where `only` is given, only those amounts."""

    least: Cents
    most: Cents
    step: Cents
    only: tuple[Cents, ...] = ()
    because: str = ""  # why only these: a "bigger" wager equals its main wager; a "main" wager has bigger ones on it

    def __contains__(self, amount: int) -> bool:
        if self.only:
            return amount in self.only
        return self.least <= amount <= self.most and amount % self.step == 0

    @property
    def is_empty(self) -> bool:
        first = -(-self.least // self.step) * self.step
        return not self.only and first > self.most


def stake_range(terms: Terms, wager: WagerTerms, placed: Mapping[str, Cents]) -> Range:
    """The stakes allowed on a wager, given those already on the spot."""
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


def open_range(terms: Terms, wager: WagerTerms, placed: Mapping[str, Cents]) -> Range:
    """The stakes that may be placed now: where one of the spot's wagers must stay small (R31), it may be this one."""
    allowed = stake_range(terms, wager, placed)
    small = terms.small_stake
    if small is None or not lacks_small_wager(terms, {**placed, wager.name: Cents(small + 1)}):
        return allowed
    only = tuple(amount for amount in allowed.only if amount <= small)
    return replace(allowed, only=only, most=min(allowed.most, small))


def lacks_small_wager(terms: Terms, placed: Mapping[str, Cents]) -> bool:
    """R31: whether a spot has as many wagers as it may, and none of them is small."""
    small, most = terms.small_stake, terms.most_wagers
    return small is not None and most is not None and len(placed) >= most and min(placed.values()) > small


def insurance_range(terms: Terms, spot: Spot) -> Range:
    """The same amount on each main wager, up to half of the smallest."""
    smallest = min(spot.hands[0].stakes.values())
    half = smallest * terms.rules.insurance_most
    step = terms.insurance_step
    most = Cents(int(half) // step * step)
    return Range(least=step, most=most, step=step)


def double_range(terms: Terms, hand: Hand, name: str) -> Range:
    """The amounts that may be added to one main wager; zero is allowed on some of them, unless all go alike (R30)."""
    stake = hand.stakes[name]
    if terms.doubles_alike:
        return _double_alike_range(terms, hand, stake)
    if not terms.rules.double_for_less:
        return Range(only=(Cents(0), stake), least=Cents(0), most=stake, step=terms.chip)
    return Range(least=Cents(0), most=stake, step=terms.chip)


def _double_alike_range(terms: Terms, hand: Hand, stake: Cents) -> Range:
    """R30, same proportion: the same amount on equal wagers; unequal ones are only doubled in full."""
    if not terms.rules.double_for_less or len(set(hand.stakes.values())) > 1:
        return Range(only=(stake,), least=stake, most=stake, step=terms.chip)
    return Range(least=min(terms.chip, stake), most=stake, step=terms.chip)
