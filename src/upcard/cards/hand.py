"""The points of a hand."""

from collections.abc import Iterable

from upcard.cards import ACE, rank_of, value_of_rank


def total(cards: Iterable[int]) -> tuple[int, bool]:
    """The best total of a hand, and whether an ace counts eleven in it (a soft total)."""
    points, aces = 0, 0
    for card in cards:
        points += value_of_rank(rank_of(card))
        aces += rank_of(card) == ACE
    if aces and points <= 11:
        return points + 10, True
    return points, False


def is_bust(cards: Iterable[int]) -> bool:
    return total(cards)[0] > 21
