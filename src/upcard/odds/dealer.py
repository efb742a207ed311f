"""The dealer's hand by ranks alone: every way it can end, and in how many orders its cards can come.

A hand here is ten counts, one for each value from ace to ten. The chance that a hand ends so is the number of its
orders times a product of falling factorials of the shoe: that holds for any shoe, so the list is built once for each
rule of soft 17. Plain whole numbers; no suits, no player, no money.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import perm
from operator import add
from typing import Literal

Soft17 = Literal["hit", "stand", "until_hard"]
OpenHands = dict[tuple[int, int, bool], list[int]]  # by key, points and whether bound to hit: orders by up card

VALUES = 10  # ace, two ... nine, ten: the ten stands for jack, queen and king too
ACE_VALUE, TEN_VALUE = 0, 9
BUST = 22  # the total of every hand over 21
BLACKJACK = 23  # the total of an ace with a ten, where it must be distinguished from 21
_BITS = 6
_MASK = (1 << _BITS) - 1


@dataclass(frozen=True, slots=True)
class Ending:
    """One final hand: its counts, its total, and how many orders of its cards end here for each up card."""

    counts: tuple[int, ...]
    total: int  # 17..21, BUST or BLACKJACK
    orders: tuple[int, ...]

    @property
    def cards(self) -> int:
        return sum(self.counts)


@cache
def endings(soft17: Soft17) -> tuple[Ending, ...]:
    """Every final dealer hand under a rule of soft 17, fewest cards first."""
    return _played_out(soft17, ())


@cache
def endings_by_hole(soft17: Soft17, hole: int) -> tuple[Ending, ...]:
    """Every final dealer hand whose hole card has this value; its orders are those with it as the second card."""
    return _played_out(soft17, (hole,))


def _played_out(soft17: Soft17, next_cards: tuple[int, ...]) -> tuple[Ending, ...]:
    """Every way to play on from each up card; the next cards are known, those after them may be any."""
    open_hands: OpenHands = {
        (1 << _BITS * up, up + 1, False): [int(up == value) for value in range(VALUES)] for up in range(VALUES)
    }
    final: dict[int, tuple[int, list[int]]] = {}
    known = iter(next_cards)
    while open_hands:
        card = next(known, None)
        longer: OpenHands = {}
        for (key, hard, bound), orders in open_hands.items():
            for value in range(VALUES) if card is None else (card,):
                grown, points = key + (1 << _BITS * value), hard + value + 1
                soft = points <= 11 and grown & _MASK > 0
                total = points + 10 if soft else points
                still_bound = bound or (soft and total == 17 and soft17 == "until_hard")
                if total < 17 or (soft and (still_bound or (total == 17 and soft17 == "hit"))):
                    _add(longer, (grown, points, still_bound), orders)
                else:
                    ending = final.get(grown)
                    final[grown] = (total, orders if ending is None else list(map(add, ending[1], orders)))
        open_hands = longer
    return tuple(Ending(_counts(key), _name(key, total), tuple(orders)) for key, (total, orders) in final.items())


def falling(count: int, drawn: int) -> int:
    """How many ways to take so many cards, in order, from so many alike."""
    return perm(max(count, 0), drawn)


def ways(ending: Ending, shoe: Sequence[int]) -> int:
    """In how many ways a shoe yields exactly these cards in one given order."""
    product = 1
    for count, drawn in zip(shoe, ending.counts, strict=True):
        if drawn:
            product *= falling(count, drawn)
    return product


def _add(hands: OpenHands, hand: tuple[int, int, bool], orders: list[int]) -> None:
    former = hands.get(hand)
    hands[hand] = orders if former is None else list(map(add, former, orders))


def _counts(key: int) -> tuple[int, ...]:
    return tuple(key >> _BITS * value & _MASK for value in range(VALUES))


def _name(key: int, total: int) -> int:
    if key == (1 << _BITS * ACE_VALUE) + (1 << _BITS * TEN_VALUE):
        return BLACKJACK
    return min(total, BUST)
