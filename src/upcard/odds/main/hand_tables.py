"""Every hand a player can hold, as arrays: built once, valid for every shoe and every rule.

A hand is ten counts (ace, two ... ten) packed into one whole number, its key. Next to the hands are the *removals*:
the sets of cards gone from the shoe when the dealer plays, which are the hands themselves and, for a split
pair, the hand with the other hands' pair cards.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.odds.dealer import BUST, VALUES, Soft17, endings

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_BITS = 6
_MASK = (1 << _BITS) - 1
_ONE = np.left_shift(np.int64(1), _BITS * np.arange(VALUES, dtype=np.int64))  # the key of a single card


class Hands(NamedTuple):
    """All hands of 21 points at most, fewest points first."""

    keys: Ints
    counts: Ints
    cards: Ints
    total: Ints  # the best total
    soft: Ints  # 1 where an ace counts eleven
    after: Ints  # [hand, value] the hand with one card more, or -1 for a bust
    pair: Ints  # [first, second] the hand of two cards
    holding: Ints  # [value, ...] the hands of two cards or more that hold a value, then filled up with -1
    holders: Ints  # [value] how many they are


class Removals(NamedTuple):
    """The sets of cards gone from the shoe for which the dealer's chances are computed."""

    counts: Ints
    of_hand: Ints  # [hand] its own cards
    of_split: Ints  # [pair value, other pair cards, hand] with so many pair cards more, or -1


class DealerTree(NamedTuple):
    """Endings of the dealer's hand as a tree of products, and the orders of each by up card."""

    parent: Ints
    value: Ints
    drawn: Ints  # how many of the value
    node: Ints  # [ending] its node
    cards: Ints  # [ending]
    outcome: Ints  # [ending] 0..4 for 17..21, 5 for a blackjack
    orders: Floats  # [ending, up card]
    most_of_one: int


@cache
def hands() -> Hands:
    counts = _all_counts()
    keys = counts @ _ONE
    points = counts @ np.arange(1, VALUES + 1)
    order = np.lexsort((keys, points))
    counts, keys, points = counts[order], keys[order], points[order]
    soft = (counts[:, 0] > 0) & (points <= 11)
    after = _places(keys, keys[:, None] + _ONE[None, :])
    return Hands(
        keys=keys,
        counts=counts,
        cards=counts.sum(axis=1),
        total=points + 10 * soft,
        soft=soft.astype(np.int64),
        after=after,
        pair=_places(keys, _ONE[:, None] + _ONE[None, :]),
        holding=_holding(counts),
        holders=((counts > 0) & (counts.sum(axis=1) > 1)[:, None]).sum(axis=0),
    )


@cache
def removals(most_hands: int, *, aces_drawn_to: bool, aces_resplit: bool) -> Removals:
    """The table of removals for splits to so many hands."""
    table = hands()
    others = 2 * most_hands - 3 if most_hands > 1 else 0
    keys_wanted = np.full((VALUES, others + 1, len(table.keys)), -1, dtype=np.int64)
    for value in range(VALUES):
        holders = table.counts[:, value] > 0
        if value == 0 and not aces_drawn_to:
            holders = holders & (table.cards == 2)
        most_extra = others if value or aces_resplit else min(others, 1)
        for extra_cards in range(1, most_extra + 1):
            keys_wanted[value, extra_cards, holders] = table.keys[holders] + extra_cards * _ONE[value]
    split = keys_wanted >= 0
    keys, places = np.unique(np.concatenate([table.keys, keys_wanted[split]]), return_inverse=True)
    keys_wanted[split] = places[len(table.keys) :]
    return Removals(counts=counts_of(keys), of_hand=places[: len(table.keys)], of_split=keys_wanted)


@cache
def dealer_tree(soft17: Soft17) -> DealerTree:
    """The tree of the dealer's endings that are not busts: the chance of a bust is the remainder."""
    return tree_of(
        (ending.counts, min(ending.total - 17, 5), ending.orders) for ending in endings(soft17) if ending.total != BUST
    )


@cache
def up_tree(soft17: Soft17, up: int) -> DealerTree:
    """The same for one up card only."""
    return tree_of(
        (ending.counts, min(ending.total - 17, 5), ending.orders)
        for ending in endings(soft17)
        if ending.total != BUST and ending.orders[up]
    )


def tree_of(ends: Iterable[tuple[Sequence[int], int, Sequence[float]]]) -> DealerTree:
    """A tree of some endings: of each its counts, its outcome, and its orders by up card."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    parent, value, count = [0], [0], [0]
    node, cards, outcome, orders = [], [], [], []
    for counts, end, by_up in ends:
        path: tuple[tuple[int, int], ...] = ()
        for place, copies in enumerate(counts):
            if copies:
                above = numbers[path]
                path = (*path, (place, copies))
                if path not in numbers:
                    numbers[path] = len(parent)
                    parent.append(above)
                    value.append(place)
                    count.append(copies)
        node.append(numbers[path])
        cards.append(sum(counts))
        outcome.append(end)
        orders.append(by_up)
    return DealerTree(
        parent=np.array(parent),
        value=np.array(value),
        drawn=np.array(count),
        node=np.array(node),
        cards=np.array(cards),
        outcome=np.array(outcome),
        orders=np.array(orders, dtype=np.float64),
        most_of_one=max(count),
    )


def key_of(value: int) -> int:
    """The key of a single card."""
    return int(_ONE[value])


def counts_of(keys: Ints) -> Ints:
    """[key, value] the cards of keys."""
    return (keys[:, None] >> (_BITS * np.arange(VALUES))) & _MASK


def _holding(counts: Ints) -> Ints:
    lists = [np.flatnonzero((counts[:, value] > 0) & (counts.sum(axis=1) > 1)) for value in range(VALUES)]
    rows = np.full((VALUES, max(map(len, lists))), -1, dtype=np.int64)
    for value, holders in enumerate(lists):
        rows[value, : len(holders)] = holders
    return rows


def _places(keys: Ints, wanted: Ints) -> Ints:
    """Where the wanted keys stand among the keys, or -1."""
    order = np.argsort(keys)
    places = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return np.where(keys[places] == wanted, places, -1)


def _all_counts() -> Ints:
    """Counts of every non-empty hand of 21 hard points at most."""
    counts = np.zeros((1, VALUES), dtype=np.int64)
    for value in range(VALUES):
        room = (21 - counts @ np.arange(1, VALUES + 1)) // (value + 1)
        grown = np.repeat(counts, room + 1, axis=0)
        starts = np.repeat(np.cumsum(room + 1) - (room + 1), room + 1)
        grown[:, value] = np.arange(len(grown)) - starts
        counts = grown
    return counts[counts.any(axis=1)]
