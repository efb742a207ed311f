"""Live shoes: what their order follows from, and the pile the dealer draws from.

A shoe's key is stored encrypted with the operator's key until the shoe is over: whoever has the database but not that
key learns nothing of a shoe that is still dealt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from upcard.cards import Card
from upcard.cards.shoe import Margins, Shoe, new_shoe, shuffled


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle:
    """What a shoe's order follows from."""

    key: bytes
    nonce: bytes
    cut: int


class Pile:
    """The cards of a shoe from a place on, as a dealer draws them."""

    def __init__(self, shuffle: Shuffle, cards: tuple[Card, ...], drawn: int, refills: int) -> None:
        self.shuffle, self.cards, self.drawn, self.refills = shuffle, cards, drawn, refills

    def draw(self) -> Card | None:
        """The next card."""
        if self.drawn == len(self.cards):
            return None
        card = self.cards[self.drawn]
        self.drawn += 1
        return card

    def refill(self, discards: Sequence[Card]) -> None:
        """The discards, shuffled with the same key and a nonce of their own (R33)."""
        self.refills += 1
        nonce = self.shuffle.nonce + b"/discards/" + str(self.refills).encode()
        self.cards, self.drawn = shuffled(sorted(discards), self.shuffle.key, nonce), 0


@lru_cache(maxsize=1024)
def order_of(decks: int, shuffle: Shuffle, margins: Margins) -> Shoe:
    """A shoe made from what it follows from; many processes and restarts make the same."""
    return new_shoe(decks=decks, key=shuffle.key, nonce=shuffle.nonce, cut=shuffle.cut, margins=margins)
