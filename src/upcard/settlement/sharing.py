"""Sharing an amount out in whole cents: pro rata, the left-over cents to the largest remainders."""

from collections.abc import Sequence

from upcard.units import Cents


def share_out(amount: int, weights: Sequence[int]) -> list[Cents]:
    """Parts of the amount in proportion to the weights; they add up to it exactly. Ties go to the earlier."""
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError("weights must be positive to share by")
    parts = [amount * weight // whole for weight in weights]
    remainders = [amount * weight % whole for weight in weights]
    left = amount - sum(parts)
    for number in sorted(range(len(weights)), key=lambda number: (-remainders[number], number))[:left]:
        parts[number] += 1
    return [Cents(part) for part in parts]
