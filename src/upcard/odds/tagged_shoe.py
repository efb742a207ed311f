"""In how many ways the cards gone from a shoe make each running count, exactly, for any tags.

The sets of n cards by the sum of their tags are the coefficients of a polynomial: the product of (1 + y x^tag) over all
cards, whose powers of y number the cards. Each power of y is kept as one whole number with a field of bits for
each sum. Without a card of some tag, the polynomial is divided by that card's factor: one subtraction per power of y.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, gcd, perm

from upcard.odds.composition import Mix
from upcard.problems import BadRequest
from upcard.strategy.counting import CARDS, CountingSystem

_MOST_SUMS = 20_000  # different running counts
_MOST_MIXES = 60_000

Rows = list[int]


@dataclass(frozen=True)
class TaggedShoe:
    """A full shoe of so many decks of which `gone` random cards are out, and the next cards are to be dealt."""

    count: CountingSystem
    decks: int
    gone: int
    longest: int  # the most cards that are dealt next

    def __post_init__(self) -> None:
        if self.gone * max(self.marks) > _MOST_SUMS:
            raise BadRequest(
                f"these tags give more than {_MOST_SUMS:,} running counts: use smaller tags, or fewer decimals"
            )

    @cached_property
    def tags(self) -> tuple[int, ...]:
        """The different tags, lowest first; scaled to whole numbers."""
        return _different_tags(self.count)

    @cached_property
    def _unit(self) -> int:
        return gcd(*(tag - self.tags[0] for tag in self.tags)) or 1

    @cached_property
    def marks(self) -> tuple[int, ...]:
        """Of each different tag: how many steps it is above the lowest."""
        return tuple((tag - self.tags[0]) // self._unit for tag in self.tags)

    @property
    def cards_left(self) -> int:
        return CARDS * self.decks - self.gone

    @cached_property
    def _bits(self) -> int:
        """Enough for the ways to draw the cards gone and to deal the longest hand; whole bytes."""
        most = comb(CARDS * self.decks, self.gone) * perm(CARDS * self.decks, self.longest)
        return 8 * (most.bit_length() // 8 + 1)

    @cached_property
    def _rows(self) -> Rows:
        """[cards gone] the ways to draw so many, by the sum of their marks."""
        rows = [1, *[0] * self.gone]
        drawn = 0
        for mark in (self.marks[number] for number in number_tags(self.count) for _ in range(self.decks)):
            shift = self._bits * mark
            drawn = min(drawn + 1, self.gone)
            for cards in range(drawn, 0, -1):
                rows[cards] += rows[cards - 1] << shift
        return rows

    def all_ways(self) -> list[int]:
        """By the sum of marks: the ways to draw the cards gone."""
        return self.unpacked(self._rows[-1])

    def ways_without(self, mixes: Sequence[Mix]) -> dict[Mix, int]:
        """The same without the cards of each mix, packed into one number: sums of them are sums of all ways."""
        branches: dict[Mix, set[int]] = {}
        for mix in mixes:
            for length in range(len(mix)):
                branches.setdefault(mix[:length], set()).add(mix[length])
        if len(branches) > _MOST_MIXES:
            raise BadRequest("this wager has too many hands for so many different tags: use tags by value")
        wanted, ways = set(mixes), {}

        def visit(mix: Mix, rows: Rows) -> None:
            if mix in wanted:
                ways[mix] = rows[-1]
            for number in sorted(branches.get(mix, ())):
                visit((*mix, number), self._divided(rows, self.marks[number]))

        visit((), self._rows)
        return ways

    def _divided(self, rows: Rows, mark: int) -> Rows:
        """The rows without one card of a mark."""
        shift = self._bits * mark
        divided, former = [], 0
        for row in rows:
            former = row - (former << shift)
            divided.append(former)
        return divided

    def unpacked(self, row: int) -> list[int]:
        """The fields of a packed number, one for each sum of marks."""
        width = self._bits // 8
        sums = self.gone * max(self.marks) + 1
        text = row.to_bytes(width * sums, "little")
        return [int.from_bytes(text[width * place : width * (place + 1)], "little") for place in range(sums)]

    def running(self, marks: int) -> int:
        """The running count, on the scale of the tags, of a sum of marks."""
        return self.gone * self.tags[0] + self._unit * marks


def number_tags(count: CountingSystem) -> list[int]:
    """Of each of the 52 cards, the number of its tag among the different tags."""
    tags = _different_tags(count)
    return [tags.index(tag) for tag in count.tags]


def _different_tags(count: CountingSystem) -> tuple[int, ...]:
    return tuple(sorted(set(count.tags)))
