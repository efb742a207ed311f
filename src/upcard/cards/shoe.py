"""The shoe: verified decks, one unbiased shuffle, a player's cut, the cut card, drawing, refilling and verifying.

The order follows from a secret key, the players' nonce and the cut: Fisher-Yates over a ChaCha20 key stream keyed by
HMAC-SHA256(key, nonce), then rotated at the cut. SHA-256 of the key is published before the first wager, the key when
the shoe is over, so that anybody can verify the order. The caller supplies the key.
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
CARDS_PER_DECK = 52

_EACH = frozenset(DECK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle:
    """What determines the order of a shoe."""

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
    """The remaining cards of a shoe, as a dealer draws them."""

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
        """Shuffles the discards in."""
        self.refills += 1
        self.cards, self.drawn = refilled(self.shuffle, self.refills, discards), 0


def refilled(shuffle: Shuffle, number: int, discards: Sequence[Card]) -> tuple[Card, ...]:
    """The discards of the n-th refill of a shoe, shuffled with its key and a new nonce (R33)."""
    nonce = shuffle.nonce + b"/discards/" + str(number).encode()
    return shuffled(sorted(discards), shuffle.key, nonce)


def missing_cards(deck: Iterable[int]) -> list[str]:
    """Problems of a deck spread out for verification: missing and duplicate cards."""
    deck = tuple(deck)
    if len(deck) == len(_EACH) and set(deck) == _EACH:
        return []
    counts = Counter(deck)
    missing = [f"{card_text(card)} is missing" for card in DECK if not counts[card]]
    extra = [f"{counts[card]} of {card_text(card)}" for card in DECK if counts[card] > 1]
    unknown = [f"{card} is not a card" for card in counts if card not in DECK]
    return [*missing, *extra, *unknown]


def brick(decks: Sequence[Sequence[Card]]) -> list[Card]:
    """One stack of decks, each first verified to be 52 different cards."""
    for number, deck in enumerate(decks, start=1):
        problems = missing_cards(deck)
        if problems:
            raise BadRequest(f"deck {number} is not complete: {', '.join(problems)}")
    return [card for deck in decks for card in deck]


@lru_cache(maxsize=1024)
def new_shoe(decks: int, shuffle: Shuffle, margins: "Margins") -> Shoe:
    """Shuffles, cuts, and places the cut card; the same arguments give the same shoe in every process."""
    margins.check(shuffle.cut)
    order = shuffled(brick([DECK] * decks), shuffle.key, shuffle.nonce)
    return Shoe(shuffle=shuffle, order=(*order[shuffle.cut :], *order[: shuffle.cut]), cut_card=margins.cut_card)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedShoe:
    """What was published about a shoe, to compare it with."""

    commitment: str = ""  # before its first wager
    promise: str = ""  # the same hash, when the shoe before it began
    dealt: Sequence[Card | None] = ()  # in their order; None: a hole card that nobody turned over
    refills: Sequence[
        Sequence[Card | None]
    ] = ()  # the cards on the table, each time the discards were shuffled in (R33)


def shoe_problems(shoe: Shoe, published: PublishedShoe) -> list[str]:
    """How a shoe differs from what was published."""
    problems, dealt = [], published.dealt
    if published.commitment and published.commitment.lower() != shoe.shuffle.commitment:
        problems.append("the key is not the one that was committed to")
    if published.promise and published.promise.lower() != shoe.shuffle.commitment:
        problems.append("the key is not the one that was promised when the shoe before began")
    order = list(shoe.order)
    for number, on_table in enumerate(published.refills, start=1):
        discards = Counter(shoe.order)
        hole = max((place for place, card in enumerate(dealt[: len(order)]) if card is None), default=0)
        discards.subtract(order[hole] if card is None else card for card in on_table)
        if min(discards.values()) < 0:
            return [*problems, f"refill {number}: these cards cannot be on the table at once"]
        order += refilled(shoe.shuffle, number, list(discards.elements()))
    if len(dealt) > len(order):
        problems.append(f"{len(dealt)} cards cannot have come out of a shoe of {len(order)}")
        return problems
    for number, (dealt_card, expected) in enumerate(zip(dealt, order, strict=False), start=1):
        if dealt_card is not None and dealt_card != expected:
            problems.append(f"card {number} was {card_text(dealt_card)}, and should have been {card_text(expected)}")
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
        """Where the shoe is cut if no player chooses."""
        return (self.least + self.most) // 2

    def check(self, cut: int) -> None:
        """Refuses a cut too near an end."""
        if not self.least <= cut <= self.most:
            raise BadRequest(f"cut between {self.least} and {self.most} cards from the front, not at {cut}")


def commitment(key: bytes) -> str:
    """The hash of a key that is published before the key is used."""
    return hashlib.sha256(key).hexdigest()


def shuffled(cards: Sequence[Card], key: bytes, nonce: bytes) -> tuple[Card, ...]:
    """Fisher-Yates: every order of the cards is equally likely over all keys."""
    if len(key) != KEY_BYTES:
        raise BadRequest(f"a shoe's key must have {KEY_BYTES} bytes, not {len(key)}")
    words = _words(hmac.new(key, nonce, hashlib.sha256).digest())
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _below(bound: int, words: Iterator[int]) -> int:
    """A uniform number below the bound: rejects words that would favour small numbers."""
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
