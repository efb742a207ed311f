"""Counting deals from a shoe of any composition, card by card.

The Moebius inversion of `wagers.counts` again, with each block of coinciding cards weighed by how many copies of that
card the shoe holds. Ranks are taken all at once as arrays, suits one pattern at a time.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from upcard.cards import HEARTS
from upcard.problems import BadRequest
from upcard.wagers import DealKind
from upcard.wagers.counts import Pair, Tally, gather, moebius, set_partitions
from upcard.wagers.kind import Sheet
from upcard.wagers.space import Role, Space

MOST_CARDS = 50_000  # fourth powers of more would not fit 64 bits

Counts = npt.NDArray[np.int64]


def tally_shoe(kind: DealKind, listed: Sequence[str], shoe: Sequence[int], suit: int = HEARTS) -> Tally:
    """Counts the deals from a shoe given as copies of each of the 52 cards."""
    if len(shoe) != 52 or min(shoe) < 0 or sum(shoe) > MOST_CARDS:
        raise BadRequest(f"a shoe is 52 counts of cards, none negative, {MOST_CARDS} cards at most")
    sheet = kind.sheet(suit)
    return gather(sheet, listed, _cells(sheet, np.array(shoe, dtype=np.int64).reshape(13, 4)))


def _cells(sheet: Sheet, copies: Counts) -> dict[Pair, int]:
    """The deals of every pair of classes."""
    rank_class = _class_numbers(sheet.ranks, sheet.rank_classes)
    suit_class = _class_numbers(sheet.suits, sheet.suit_classes)
    found = np.zeros((len(sheet.rank_classes), len(sheet.suit_classes)), dtype=np.int64)
    for blocks in set_partitions(sheet.reads):
        sign = moebius(blocks)
        block_of = {role: number for number, block in enumerate(blocks) for role in block}
        members = _members(sheet, rank_class, block_of, len(blocks))
        for suits in product(range(4), repeat=len(blocks)):
            weights = np.ones(1, dtype=np.int64)
            for shown in suits:
                weights = np.multiply.outer(weights, copies[:, shown]).ravel()
            column = suit_class[sheet.suits.index([suits[block_of[role]] for role in sheet.reads])]
            found[:, column] += sign * (members @ weights)
    return {(int(a), int(b)): int(count) for (a, b), count in np.ndenumerate(found)}


def _members(sheet: Sheet, rank_class: Counts, block_of: dict[Role, int], blocks: int) -> Counts:
    """For every rank class (a row), which ranks of the blocks (a column each) belong to it."""
    axes = np.indices((13,) * blocks).reshape(blocks, -1)
    number = np.zeros(axes.shape[1], dtype=np.int64)
    for role in sheet.reads:
        number = number * 13 + axes[block_of[role]]
    rows = np.arange(len(sheet.rank_classes))[:, None]
    members: Counts = (rank_class[number][None, :] == rows).astype(np.int64)
    return members


def _class_numbers(space: Space, classes: Sequence[int]) -> Counts:
    """The class of every pattern, as an array."""
    numbers = np.zeros(space.patterns, dtype=np.int64)
    for number, part in enumerate(classes):
        as_bytes = np.frombuffer(part.to_bytes(space.patterns // 8 + 1, "little"), dtype=np.uint8)
        bits = np.unpackbits(as_bytes, bitorder="little")[: space.patterns]
        numbers[bits.astype(bool)] = number
    return numbers
