"""Divides an amount in whole cents, pro rata; leftover cents go to the largest remainders."""

from collections.abc import Sequence

from upcard.units import Cents


def share_out(amount: int, weights: Sequence[int]) -> list[Cents]:
    """Parts of the amount in proportion to the weights; they add up to it exactly. Ties go to the earlier."""
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, and not all zero")
    parts = [amount * weight // total for weight in weights]
    remainders = [amount * weight % total for weight in weights]
    leftover = amount - sum(parts)
    for number in sorted(range(len(weights)), key=lambda number: (-remainders[number], number))[:leftover]:
        parts[number] += 1
    return [Cents(part) for part in parts]
