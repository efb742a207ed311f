"""Counting deals from a shoe of any composition, card by card.

The Moebius inversion of `wagers.counts` again, with each block of coinciding cards weighted by how many copies of that
card the shoe holds. Ranks are taken all at once as arrays, suits one pattern at a time.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from upcard.cards import HEARTS
from upcard.problems import BadRequest
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import Pair, Tally, gather, moebius, set_partitions
from upcard.wagers.pattern_sets import Space

MOST_CARDS = 50_000  # fourth powers of more would not fit 64 bits

Mix = tuple[int, ...]  # the marks of some cards, lowest first
_MARKS, _CLASSES = 64, 1 << 20  # more than there are marks, and classes of ranks
_EXACT = 2**53  # floats hold every whole number below

Counts = npt.NDArray[np.int64]


def tally_shoe(kind: DealKind, listed: Sequence[str], shoe: Sequence[int], suit: int = HEARTS) -> Tally:
    """Counts the deals from a shoe given as copies of each of the 52 cards."""
    return gather(kind.sheet(suit), listed, _counted(kind, suit, _checked(shoe)))


def tally_marked(
    kind: DealKind, listed: Sequence[str], shoe: Sequence[int], marks: Sequence[int], suit: int = HEARTS
) -> dict[Mix, Tally]:
    """The same by the marks of the cards dealt: every card has one, a number from zero on."""
    sheet, copies = kind.sheet(suit), np.array(_checked(shoe), dtype=np.int64).reshape(13, 4)
    marked = np.array(marks, dtype=np.int64).reshape(13, 4)
    suit_class = class_numbers(sheet.suits, sheet.suit_classes)
    parts = [(tuple(copies[:, column]), tuple(marked[:, column])) for column in range(4)]
    first_alike = [parts.index(part) for part in parts]
    cells: dict[int, dict[Pair, int]] = defaultdict(lambda: defaultdict(int))
    for blocks in set_partitions(sheet.reads):
        block_of = {role: number for number, block in enumerate(blocks) for role in block}
        order = tuple(block_of[role] for role in sheet.reads)
        sums: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
        for suits in product(range(4), repeat=len(blocks)):
            merged_suits = tuple(first_alike[held_suit] for held_suit in suits)
            if merged_suits not in sums:
                sums[merged_suits] = _by_mix(_rank_classes(kind, suit, order), copies, marked, order, merged_suits)
            column = int(suit_class[sheet.suits.index([suits[block] for block in order])])
            for code, rank_class, count in sums[merged_suits]:
                cells[code][rank_class, column] += moebius(blocks) * count
    return {_mix_of(code, len(sheet.reads)): gather(sheet, listed, by_pair) for code, by_pair in cells.items()}


def _by_mix(
    classes: Counts, copies: Counts, marked: Counts, order: tuple[int, ...], suits: tuple[int, ...]
) -> list[tuple[int, int, int]]:
    """The number of deals by the code of their marks and their class of ranks, for blocks of these suits."""
    blocks = len(suits)
    row = np.ones(1, dtype=np.int64)
    for held_suit in suits:
        row = np.multiply.outer(row, copies[:, held_suit]).ravel()
    ranks = np.indices((13,) * blocks).reshape(blocks, -1)
    drawn = np.sort([marked[ranks[block], suits[block]] for block in order], axis=0)
    codes = np.zeros(drawn.shape[1], dtype=np.int64)
    for marks in drawn:
        codes = codes * _MARKS + marks
    keys, places = np.unique(codes * _CLASSES + classes, return_inverse=True)
    sums = np.zeros(len(keys), dtype=np.int64)
    np.add.at(sums, places, row)
    return [(int(key) // _CLASSES, int(key) % _CLASSES, int(count)) for key, count in zip(keys, sums, strict=True)]


def _mix_of(code: int, cards: int) -> Mix:
    """The marks of a code, lowest first."""
    marks = []
    for _ in range(cards):
        code, mark = divmod(code, _MARKS)
        marks.append(mark)
    return tuple(reversed(marks))


def _checked(shoe: Sequence[int]) -> tuple[int, ...]:
    if len(shoe) != 52 or min(shoe) < 0 or sum(shoe) > MOST_CARDS:
        raise BadRequest(f"a shoe must be 52 counts of cards, none negative, {MOST_CARDS} cards at most")
    return tuple(shoe)


@lru_cache(maxsize=512)  # other paytables of the same kind need the same shoes
def _counted(kind: DealKind, suit: int, shoe: tuple[int, ...]) -> Mapping[Pair, int]:
    """The deals of every pair of classes."""
    sheet = kind.sheet(suit)
    copies = np.array(shoe, dtype=np.int64).reshape(13, 4)
    quick = sum(shoe) ** len(sheet.reads) < _EXACT
    suit_class = class_numbers(sheet.suits, sheet.suit_classes)
    parts = [tuple(copies[:, column]) for column in range(4)]
    first_alike = [parts.index(part) for part in parts]  # suits that hold the same cards are summed once
    counts = np.zeros((len(sheet.rank_classes), len(sheet.suit_classes)), dtype=np.int64)
    for blocks in set_partitions(sheet.reads):
        sign = moebius(blocks)
        block_of = {role: number for number, block in enumerate(blocks) for role in block}
        rank_class = _rank_classes(kind, suit, tuple(block_of[role] for role in sheet.reads))
        sums: dict[tuple[int, ...], Counts] = {}
        for suits in product(range(4), repeat=len(blocks)):
            merged_suits = tuple(first_alike[held_suit] for held_suit in suits)
            if merged_suits not in sums:
                row = np.ones(1, dtype=np.int64)
                for held_suit in merged_suits:
                    row = np.multiply.outer(row, copies[:, held_suit]).ravel()
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
    classes: Counts = class_numbers(sheet.ranks, sheet.rank_classes)[number]
    return classes


def class_numbers(space: Space, classes: Sequence[int]) -> Counts:
    """The class of every pattern, as an array."""
    numbers = np.zeros(space.patterns, dtype=np.int64)
    for number, part in enumerate(classes):
        as_bytes = np.frombuffer(part.to_bytes(space.patterns // 8 + 1, "little"), dtype=np.uint8)
        bits = np.unpackbits(as_bytes, bitorder="little")[: space.patterns]
        numbers[bits.astype(bool)] = number
    return numbers
