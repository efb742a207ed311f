"""The shoe: verified decks, one unbiased shuffle, a player's cut, and the cut card.

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

from upcard.cards import DECK, Card, card_text
from upcard.problems import BadRequest

KEY_BYTES = 32
CARDS_A_DECK = 52

_EACH = frozenset(DECK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoe:
    """Cards in the order they will be dealt, and where the cut card lies."""

    decks: int
    order: tuple[Card, ...]
    cut_card: int  # this many cards come out before it


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


def new_shoe(*, decks: int, key: bytes, nonce: bytes, cut: int, margins: "Margins") -> Shoe:
    """Shuffles, cuts, and places the cut card; the same arguments give the same shoe."""
    margins.check(cut)
    order = shuffled(brick([DECK] * decks), key, nonce)
    return Shoe(decks=decks, order=(*order[cut:], *order[:cut]), cut_card=margins.cut_card)


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Where a player may cut, and where the cut card goes, in cards."""

    least: int
    most: int
    cut_card: int

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
