"""How several winners of one hand share, by the readings R8, R14 and R18. Largest remainder; no cent vanishes.

The odd cent is the players': what all winners of a hand are owed together is rounded up, then shared out.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from upcard.settlement.sharing import share_out
from upcard.units import Cents, Rounding, round_cents


def divided(base: int, shares: Sequence[Fraction]) -> list[Cents]:
    """R8, R18: the amount divided by the number of winners, then each one's share of his part."""
    return apportioned([Fraction(base, len(shares)) * share for share in shares])


def pro_rata(base: int, shares: Sequence[Fraction]) -> list[Cents]:
    """R8 otherwise: what the largest share wins, divided in proportion to the shares."""
    pool = base * max(shares)
    return apportioned([pool * share / sum(shares) for share in shares])


def in_full(base: int, shares: Sequence[Fraction]) -> list[Cents]:
    """R14 Bonus: each winner his own share of the whole."""
    return [round_cents(base * share, Rounding.UP) for share in shares]


def scaled(base: int, shares: Sequence[Fraction]) -> list[Cents]:
    """R14 Progressive: shares of the meter at the deal, scaled down together if they exceed all of it."""
    whole = max(sum(shares), Fraction(1))
    return apportioned([base * share / whole for share in shares])


def at_most(pot: int, owed: list[Cents]) -> list[Cents]:
    """What is owed, or, where the pot no longer holds it all, the pot in the same proportion."""
    return owed if sum(owed) <= pot else share_out(pot, owed)


def one_after_another(base: int, shares: Sequence[Fraction], reseed: int) -> list[Cents]:
    """R14 otherwise: in seat order, each from what is left; a full win leaves the seed to the next."""
    awards, left = [], base
    for share in shares:
        award = round_cents(left * share, Rounding.UP)
        awards.append(award)
        left = reseed if share == 1 else left - award
    return awards


def apportioned(owed: Sequence[Fraction]) -> list[Cents]:
    """Exact amounts as whole cents that add up to their sum, rounded up."""
    if not any(owed):
        return [Cents(0) for _ in owed]
    scale = lcm(*(one.denominator for one in owed))
    weights = [one.numerator * (scale // one.denominator) for one in owed]
    return share_out(round_cents(sum(owed, Fraction(0)), Rounding.UP), weights)
