"""How many deals give each event: exact, for any number of decks.

Deals are ordered and without replacement. A choice of k different physical cards is counted by Moebius inversion over
the ways in which the k cards might coincide: every set partition of the roles contributes the patterns that are equal
within each of its blocks, times decks^blocks, with the partition's sign. A partition's patterns factor into ranks and
suits, so the number of deals of an event is a polynomial in the number of decks whose coefficients are counts of bits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial

from upcard.cards import HEARTS
from upcard.wagers.kind import DealKind, Kind, Sheet
from upcard.wagers.pattern_sets import Role, Space

Pair = tuple[int, int]  # a class of rank patterns and a class of suit patterns


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of the deals (on which the wager is offered) give each event."""

    deals: int
    by_event: Mapping[str, int]

    @property
    def loss(self) -> int:
        """The deals that give no listed event."""
        return self.deals - sum(self.by_event.values())


def tally(kind: DealKind, listed: Sequence[str], decks: int, suit: int = HEARTS) -> Tally:
    """Counts the deals from a full shoe of so many decks."""
    sheet = kind.sheet(suit)
    cells = {
        pair: sum(factor * decks**power for power, factor in enumerate(polynomial))
        for pair, polynomial in _polynomials(kind, suit if kind.reads_chosen_suit else HEARTS).items()
    }
    return gather(sheet, listed, cells)


def gather(sheet: Sheet, listed: Sequence[str], cells: Mapping[Pair, int]) -> Tally:
    """Sums the deals of each pair of classes into the events a paytable lists, highest first."""
    if sheet.offered is not None:
        cells = {pair: count for pair, count in cells.items() if pair in sheet.offered}
    highest = sheet.rank(listed)
    by_event = {event: 0 for event in sheet.events if event in listed}
    for pair, count in cells.items():
        if pair in highest:
            by_event[highest[pair]] += count
    return Tally(sum(cells.values()), by_event)


def unreachable(kind: Kind, listed: Sequence[str], decks: int) -> tuple[str, ...]:
    """The listed events that cannot happen with so many decks (R21)."""
    if isinstance(kind, DealKind):
        counts = tally(kind, listed, decks).by_event
        return tuple(event for event, count in counts.items() if count == 0)
    return tuple(event for event in listed if kind.least_decks.get(event, 1) > decks)


@cache
def _polynomials(kind: DealKind, suit: int) -> Mapping[Pair, tuple[int, ...]]:
    """For every pair of classes, its number of deals as coefficients of decks^0, decks^1 ..."""
    sheet = kind.sheet(suit)
    factors: dict[Pair, list[int]] = {
        (rank_class, suit_class): [0] * (len(sheet.reads) + 1)
        for rank_class in range(len(sheet.rank_classes))
        for suit_class in range(len(sheet.suit_classes))
    }
    for blocks in set_partitions(sheet.reads):
        sign = moebius(blocks)
        ranks = _equal_within(sheet.ranks, blocks)
        suits = _equal_within(sheet.suits, blocks)
        rank_counts = [(part & ranks).bit_count() for part in sheet.rank_classes]
        suit_counts = [(part & suits).bit_count() for part in sheet.suit_classes]
        for (rank_class, suit_class), polynomial in factors.items():
            polynomial[len(blocks)] += sign * rank_counts[rank_class] * suit_counts[suit_class]
    return {pair: tuple(polynomial) for pair, polynomial in factors.items()}


def _equal_within(space: Space, blocks: Sequence[Sequence[Role]]) -> int:
    equal = space.every
    for block in blocks:
        if len(block) > 1:
            equal &= space.same(*block)
    return equal


def set_partitions(roles: Sequence[Role]) -> Iterator[list[list[Role]]]:
    """All ways to divide the roles into blocks."""
    if not roles:
        yield []
        return
    first, rest = roles[0], roles[1:]
    for blocks in set_partitions(rest):
        yield [[first], *blocks]
        for number, block in enumerate(blocks):
            yield [*blocks[:number], [first, *block], *blocks[number + 1 :]]


def moebius(blocks: Sequence[Sequence[Role]]) -> int:
    """The sign and weight of a set partition in the inversion."""
    weight = 1
    for block in blocks:
        weight *= factorial(len(block) - 1) * (1 if len(block) % 2 else -1)
    return weight
