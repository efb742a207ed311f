"""The points of a hand."""

from collections.abc import Iterable

from upcard.cards import ACE, rank_of, value_of_rank


def total(cards: Iterable[int]) -> tuple[int, bool]:
    """The best total of a hand, and whether an ace counts eleven in it (a soft total)."""
    points, has_ace = 0, False
    for card in cards:
        rank = rank_of(card)
        points += value_of_rank(rank)
        if rank == ACE:
            has_ace = True
    if has_ace and points <= 11:
        return points + 10, True
    return points, False


def is_bust(cards: Iterable[int]) -> bool:
    return total(cards)[0] > 21
