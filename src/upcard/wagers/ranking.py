"""A kind under a paytable: which of its listed events a hand is. Built once, then two look-ups per hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from upcard.wagers.kind import DealKind
from upcard.wagers.pattern_sets import Role, Space


@dataclass(frozen=True, slots=True)
class Ranking:
    """The highest listed event of every pattern of ranks and suits."""

    reads: tuple[Role, ...]
    rank_classes: bytes  # by number of the rank pattern
    suit_classes: bytes
    events: Mapping[tuple[int, int], str]

    def event(self, cards: Sequence[int]) -> str | None:
        """The event of cards given in the order the kind reads them."""
        ranks = suits = 0
        for card in cards:
            ranks = ranks * 13 + (card >> 2)
            suits = suits * 4 + (card & 3)
        return self.events.get((self.rank_classes[ranks], self.suit_classes[suits]))


@cache
def ranking(kind: DealKind, listed: tuple[str, ...], suit: int) -> Ranking:
    """The ranking of a kind under the events a paytable lists."""
    ranks, suits = _class_numbers(kind, suit)
    return Ranking(kind.reads, ranks, suits, kind.sheet(suit).rank(listed))


@cache
def _class_numbers(kind: DealKind, suit: int) -> tuple[bytes, bytes]:
    sheet = kind.sheet(suit)
    return class_numbers(sheet.ranks, sheet.rank_classes), class_numbers(sheet.suits, sheet.suit_classes)


def class_numbers(space: Space, classes: Sequence[int]) -> bytes:
    """The class of every pattern of a space, by the pattern's number."""
    numbers = bytearray(space.patterns)
    for number, part in enumerate(classes):
        bits = f"{part:b}"
        place = bits.find("1")
        while place >= 0:
            numbers[len(bits) - 1 - place] = number
            place = bits.find("1", place + 1)
    return bytes(numbers)
