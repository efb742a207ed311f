"""How several winners of one hand share, by the readings R8, R14 and R18. Largest remainder; no cent is lost.

Odd cents go to the players: what all winners of a hand are owed together is rounded up, then shared out. `written` is
the format of the entry: entries of format 1 are shared as they were.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from upcard import formats
from upcard.settlement.sharing import share_out
from upcard.units import Cents, Rounding, round_cents


def divided(base: int, shares: Sequence[Fraction], written: int = formats.FORMAT) -> list[Cents]:
    """R8, R18: the amount divided by the number of winners, then each winner's share of their part."""
    return apportioned([Fraction(base, len(shares)) * share for share in shares], written)


def pro_rata(base: int, shares: Sequence[Fraction], written: int = formats.FORMAT) -> list[Cents]:
    """The other reading of R8: what the largest share wins, divided in proportion to the shares."""
    pool = base * max(shares)
    return apportioned([pool * share / sum(shares) for share in shares], written)


def in_full(base: int, shares: Sequence[Fraction]) -> list[Cents]:
    """R14 Bonus: each winner gets their share of the whole amount."""
    return [round_cents(base * share, Rounding.UP) for share in shares]


def scaled(base: int, shares: Sequence[Fraction], written: int = formats.FORMAT) -> list[Cents]:
    """R14 Progressive: shares of the meter at the deal, scaled down together if they exceed all of it."""
    divisor = max(sum(shares), Fraction(1))
    return apportioned([base * share / divisor for share in shares], written)


def at_most(pot: int, owed: list[Cents]) -> list[Cents]:
    """What is owed or, if the pot no longer holds that much, the whole pot in the same proportion."""
    return owed if sum(owed) <= pot else share_out(pot, owed)


def one_after_another(base: int, shares: Sequence[Fraction], reseed: int) -> list[Cents]:
    """The other reading of R14: in seat order, each from what is left; after a full win the seed is left."""
    awards, remaining = [], base
    for share in shares:
        award = round_cents(remaining * share, Rounding.UP)
        awards.append(award)
        remaining = reseed if share == 1 else remaining - award
    return awards


def apportioned(owed: Sequence[Fraction], written: int = formats.FORMAT) -> list[Cents]:
    """Exact amounts as whole cents, which add up to the exact sum rounded up; each is rounded down or up."""
    total = round_cents(sum(owed, Fraction(0)), Rounding.UP)
    if written < 2:
        return _in_proportion(total, owed)
    parts = [amount.numerator // amount.denominator for amount in owed]
    fractions = [amount - part for amount, part in zip(owed, parts, strict=True)]
    largest_first = sorted(range(len(owed)), key=lambda number: (-fractions[number], number))
    for number in largest_first[: total - sum(parts)]:
        parts[number] += 1
    return [Cents(part) for part in parts]


def _in_proportion(total: int, owed: Sequence[Fraction]) -> list[Cents]:
    """Format 1: shares the rounded sum in proportion, by which one winner may get a cent too much."""
    if not total:
        return [Cents(0) for _ in owed]
    scale = lcm(*(amount.denominator for amount in owed))
    return share_out(total, [amount.numerator * (scale // amount.denominator) for amount in owed])
