"""Counting deals from a shoe of any composition, card by card.

The Moebius inversion of `wagers.counts` again, with each block of coinciding cards weighted by how many copies of that
card the shoe holds. Ranks are taken all at once as arrays, suits one pattern at a time.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import factorial

import numpy as np
import numpy.typing as npt

from upcard.cards import HEARTS
from upcard.problems import BadRequest
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import Pair, Tally, gather, moebius, set_partitions
from upcard.wagers.pattern_sets import Space

MOST_CARDS = 50_000  # fourth powers of more would not fit 64 bits

Mix = tuple[int, int]  # how many cards are marked +1, and how many -1
_EXACT = 2**53  # floats hold every whole number below

Counts = npt.NDArray[np.int64]


def tally_shoe(kind: DealKind, listed: Sequence[str], shoe: Sequence[int], suit: int = HEARTS) -> Tally:
    """Counts the deals from a shoe given as copies of each of the 52 cards."""
    return gather(kind.sheet(suit), listed, _counted(kind, suit, _checked(shoe), (1,) * 52))


def tally_marked(
    kind: DealKind, listed: Sequence[str], shoe: Sequence[int], marks: Sequence[int], suit: int = HEARTS
) -> dict[Mix, Tally]:
    """The same, by how many of the cards dealt are marked +1, and how many -1.

    With each marked card weighted by x or y, the deals are a polynomial in x and y. Its coefficients are the
    counts, and follow from its values at small whole numbers.
    """
    shoe, cards = _checked(shoe), len(kind.reads)
    points = [(x, y) for x in range(cards + 1) for y in range(cards + 1 - x)]
    values = {
        (x, y): _counted(kind, suit, shoe, tuple(x if mark > 0 else y if mark < 0 else 1 for mark in marks))
        for x, y in points
    }
    by_mix: dict[Mix, dict[Pair, int]] = {mix: {} for mix in points}
    for pair in values[0, 0]:
        for mix, count in coefficients({point: counts[pair] for point, counts in values.items()}, cards).items():
            by_mix[mix][pair] = count
    return {mix: gather(kind.sheet(suit), listed, cells) for mix, cells in by_mix.items()}


def coefficients(values: Mapping[Mix, int], degree: int) -> dict[Mix, int]:
    """The coefficients of a polynomial in x and y from its values where x + y is at most its degree."""
    rows = {y: _line({x: values[x, y] for x in range(degree + 1 - y)}) for y in range(degree + 1)}
    # rows[y][i] is the i-th Newton coefficient in x at y; each is a polynomial in y of the remaining degree.
    sums: dict[Mix, Fraction] = {(x, y): Fraction(0) for x, y in values}
    for i in range(degree + 1):
        in_y = _line({y: rows[y][i] for y in range(degree + 1 - i)})
        for j, coefficient in enumerate(in_y):
            for x_power, x_factor in enumerate(_FALLING[i]):
                for y_power, y_factor in enumerate(_FALLING[j]):
                    if x_factor and y_factor:
                        sums[x_power, y_power] += coefficient * x_factor * y_factor
    return {mix: int(count) for mix, count in sums.items()}


def _line(values: Mapping[int, Fraction | int]) -> list[Fraction]:
    """The Newton coefficients of a polynomial from its values at 0, 1, 2 ..."""
    differences = [Fraction(values[place]) for place in range(len(values))]
    coefficients = []
    for order in range(len(values)):
        coefficients.append(differences[0] / factorial(order))
        differences = [after - before for before, after in pairwise(differences)]
    return coefficients


# x (x - 1) (x - 2) ..., by its coefficients
_FALLING = ((1,), (0, 1), (0, -1, 1), (0, 2, -3, 1), (0, -6, 11, -6, 1))


def _checked(shoe: Sequence[int]) -> tuple[int, ...]:
    if len(shoe) != 52 or min(shoe) < 0 or sum(shoe) > MOST_CARDS:
        raise BadRequest(f"a shoe must be 52 counts of cards, none negative, {MOST_CARDS} cards at most")
    return tuple(shoe)


@lru_cache(maxsize=512)  # other paytables of the same kind need the same shoes
def _counted(kind: DealKind, suit: int, shoe: tuple[int, ...], weights: tuple[int, ...]) -> Mapping[Pair, int]:
    """The deals of every pair of classes, each card weighted."""
    sheet = kind.sheet(suit)
    copies, factors = (np.array(numbers, dtype=np.int64).reshape(13, 4) for numbers in (shoe, weights))
    most = max(1, *weights) * sum(shoe)
    quick = most ** len(sheet.reads) < _EXACT
    suit_class = _class_numbers(sheet.suits, sheet.suit_classes)
    parts = [(tuple(copies[:, column]), tuple(factors[:, column])) for column in range(4)]
    first_alike = [parts.index(part) for part in parts]  # suits that hold the same cards are summed once
    counts = np.zeros((len(sheet.rank_classes), len(sheet.suit_classes)), dtype=np.int64)
    for blocks in set_partitions(sheet.reads):
        sign = moebius(blocks)
        block_of = {role: number for number, block in enumerate(blocks) for role in block}
        rank_class = _rank_classes(kind, suit, tuple(block_of[role] for role in sheet.reads))
        weighed = [copies * factors ** len(block) for block in blocks]
        sums: dict[tuple[int, ...], Counts] = {}
        for suits in product(range(4), repeat=len(blocks)):
            merged_suits = tuple(first_alike[held_suit] for held_suit in suits)
            if merged_suits not in sums:
                row = np.ones(1, dtype=np.int64)
                for number, held_suit in enumerate(merged_suits):
                    row = np.multiply.outer(row, weighed[number][:, held_suit]).ravel()
                sums[merged_suits] = _sums(rank_class, row, len(sheet.rank_classes), quick=quick)
            column = suit_class[sheet.suits.index([suits[block_of[role]] for role in sheet.reads])]
            counts[:, column] += sign * sums[merged_suits]
    return {
        (int(rank_class), int(suit_class)): int(count) for (rank_class, suit_class), count in np.ndenumerate(counts)
    }


def _sums(classes: Counts, row: Counts, number: int, *, quick: bool) -> Counts:
    """The sum of a row for each class; as floats it is quicker, and exact while they hold every whole number."""
    if quick:
        return np.bincount(classes, weights=row, minlength=number).astype(np.int64)
    sums = np.zeros(number, dtype=np.int64)
    np.add.at(sums, classes, row)
    return sums


@lru_cache(maxsize=256)
def _rank_classes(kind: DealKind, suit: int, block_of: tuple[int, ...]) -> Counts:
    """The class of every choice of ranks for the blocks, given the block of each card read."""
    sheet, blocks = kind.sheet(suit), max(block_of) + 1
    axes = np.indices((13,) * blocks).reshape(blocks, -1)
    number = np.zeros(axes.shape[1], dtype=np.int64)
    for block in block_of:
        number = number * 13 + axes[block]
    classes: Counts = _class_numbers(sheet.ranks, sheet.rank_classes)[number]
    return classes


def _class_numbers(space: Space, classes: Sequence[int]) -> Counts:
    """The class of every pattern, as an array."""
    numbers = np.zeros(space.patterns, dtype=np.int64)
    for number, part in enumerate(classes):
        as_bytes = np.frombuffer(part.to_bytes(space.patterns // 8 + 1, "little"), dtype=np.uint8)
        bits = np.unpackbits(as_bytes, bitorder="little")[: space.patterns]
        numbers[bits.astype(bool)] = number
    return numbers
