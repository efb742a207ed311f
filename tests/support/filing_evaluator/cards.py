"""Cards as text, such as "Qh" and "Ts", and the points of hands as every filing counts them."""

from collections.abc import Sequence

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = frozenset(rank + suit for rank in RANKS for suit in SUITS)
VALUES = {rank: min(place, 10) for place, rank in enumerate(RANKS, start=1)}  # faces count 10, an ace 1 or 11
FACES = "JQK"
RED = "dh"


def value(card: str) -> int:
    return VALUES[card[0]]


def points(cards: Sequence[str]) -> int:
    """The total of a hand; an ace counts 11 where that is no bust."""
    low = sum(VALUES[card[0]] for card in cards)
    return low + 10 if low <= 11 and any(card[0] == "A" for card in cards) else low


def is_soft_17(cards: Sequence[str]) -> bool:
    return points(cards) == 17 and sum(VALUES[card[0]] for card in cards) == 7


def is_blackjack(cards: Sequence[str]) -> bool:
    """An ace and a ten or face card."""
    return len(cards) == 2 and points(cards) == 21


def same_rank(cards: Sequence[str]) -> bool:
    return len({card[0] for card in cards}) == 1


def same_suit(cards: Sequence[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def is_straight(cards: Sequence[str]) -> bool:
    """Three cards in sequence; an ace is high or low, but A-2-K is no straight (R17)."""
    low, middle, high = sorted(RANKS.index(card[0]) for card in cards)
    return (low + 1 == middle == high - 1) or (low, middle, high) == (0, 11, 12)
