"""The shoe: verified decks, one unbiased shuffle, a player's cut, the cut card, drawing, refilling and verifying.

The order follows from a secret key, the players' nonce and the cut: Fisher-Yates over a ChaCha20 key stream keyed by
HMAC-SHA256(key, nonce), then rotated at the cut. SHA-256 of the key is published before the first wager, the key when
the shoe is over, so that anybody can make the order again. Where the key comes from is not this file's business.
"""

import hashlib
import hmac
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from upcard.cards import DECK, Card, card_text
from upcard.problems import BadRequest

KEY_BYTES = 32
CARDS_A_DECK = 52

_EACH = frozenset(DECK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle:
    """What a shoe's order follows from."""

    key: bytes
    nonce: bytes = b""
    cut: int

    @property
    def commitment(self) -> str:
        """What is published before the first wager."""
        return commitment(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoe:
    """Cards in the order they will be dealt, and where the cut card lies."""

    shuffle: Shuffle
    order: tuple[Card, ...]
    cut_card: int  # this many cards come out before it


@dataclass(eq=False, slots=True)
class ShoeCards:
    """The cards of a shoe from a place on, as a dealer draws them."""

    shuffle: Shuffle
    cards: tuple[Card, ...]
    drawn: int = 0
    refills: int = 0

    def draw(self) -> Card | None:
        """The next card, or None when there is none."""
        if self.drawn == len(self.cards):
            return None
        card = self.cards[self.drawn]
        self.drawn += 1
        return card

    def refill(self, discards: Sequence[Card]) -> None:
        """Shuffles the discards with the same key and a nonce of their own (R33)."""
        self.refills += 1
        nonce = self.shuffle.nonce + b"/discards/" + str(self.refills).encode()
        self.cards, self.drawn = shuffled(sorted(discards), self.shuffle.key, nonce), 0


def missing_cards(deck: Iterable[int]) -> list[str]:
    """What is wrong with a deck spread out for verification: cards missing, cards too many."""
    deck = tuple(deck)
    if len(deck) == len(_EACH) and set(deck) == _EACH:
        return []
    counts = Counter(deck)
    missing = [f"{card_text(one)} is missing" for one in DECK if not counts[one]]
    extra = [f"{counts[one]} of {card_text(one)}" for one in DECK if counts[one] > 1]
    strange = [f"{one} is no card" for one in counts if one not in DECK]
    return [*missing, *extra, *strange]


def brick(decks: Sequence[Sequence[Card]]) -> list[Card]:
    """One pile of decks, each verified first: 52 different cards."""
    for number, deck in enumerate(decks, start=1):
        wrong = missing_cards(deck)
        if wrong:
            raise BadRequest(f"deck {number} is not complete: {', '.join(wrong)}")
    return [one for deck in decks for one in deck]


@lru_cache(maxsize=1024)
def new_shoe(decks: int, shuffle: Shuffle, margins: "Margins") -> Shoe:
    """Shuffles, cuts, and places the cut card; the same arguments give the same shoe in every process."""
    margins.check(shuffle.cut)
    order = shuffled(brick([DECK] * decks), shuffle.key, shuffle.nonce)
    return Shoe(shuffle=shuffle, order=(*order[shuffle.cut :], *order[: shuffle.cut]), cut_card=margins.cut_card)


def shoe_problems(shoe: Shoe, promised: str, dealt: Sequence[Card]) -> list[str]:
    """What of a shoe is not as promised (a commitment, or nothing) and as dealt (its first cards)."""
    problems = []
    if promised and promised.lower() != shoe.shuffle.commitment:
        problems.append("the key is not the one that was committed to")
    if len(dealt) > len(shoe.order):
        problems.append(f"{len(dealt)} cards cannot have come out of a shoe of {len(shoe.order)}")
        return problems
    for number, (was, should) in enumerate(zip(dealt, shoe.order, strict=False), start=1):
        if was != should:
            problems.append(f"card {number} was {card_text(was)}, and should have been {card_text(should)}")
            break
    return problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Where a player may cut, and where the cut card goes, in cards."""

    least: int
    most: int
    cut_card: int

    @property
    def middle(self) -> int:
        """Where the shoe is cut when nobody says where."""
        return (self.least + self.most) // 2

    def check(self, cut: int) -> None:
        """Refuses a cut too near an end."""
        if not self.least <= cut <= self.most:
            raise BadRequest(f"cut between {self.least} and {self.most} cards from the front, not at {cut}")


def commitment(key: bytes) -> str:
    """What is published of a key before it is used."""
    return hashlib.sha256(key).hexdigest()


def shuffled(cards: Sequence[Card], key: bytes, nonce: bytes) -> tuple[Card, ...]:
    """Fisher-Yates: every order of the cards is equally likely over all keys."""
    if len(key) != KEY_BYTES:
        raise BadRequest(f"a shoe's key has {KEY_BYTES} bytes, not {len(key)}")
    words = _words(hmac.new(key, nonce, hashlib.sha256).digest())
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _below(bound: int, words: Iterator[int]) -> int:
    """A uniform number below the bound: words that would favour small numbers are thrown away."""
    limit = (1 << 32) - (1 << 32) % bound
    while (word := next(words)) >= limit:
        pass
    return word % bound


def _words(key: bytes) -> Iterator[int]:
    """The ChaCha20 key stream as 32-bit little-endian words."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    stream = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor()
    while True:
        yield from struct.unpack("<1024I", stream.update(bytes(4096)))
