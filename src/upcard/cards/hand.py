"""The points of a hand."""

from collections.abc import Iterable

from upcard.cards import DECK, rank_of, value_of_rank

_VALUES = tuple(value_of_rank(rank_of(card)) for card in DECK)  # looked up: hands are counted all the time


def total(cards: Iterable[int]) -> tuple[int, bool]:
    """The best total of a hand, and whether an ace counts eleven in it (a soft total)."""
    points, has_ace = 0, False
    for card in cards:
        value = _VALUES[card]
        points += value
        if value == 1:
            has_ace = True
    if has_ace and points <= 11:
        return points + 10, True
    return points, False


def is_bust(cards: Iterable[int]) -> bool:
    return total(cards)[0] > 21
