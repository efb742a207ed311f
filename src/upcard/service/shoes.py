"""Live shoes: keys sealed with the operator's own key until the shoe is over, and the pile the dealer draws from.

The operator's key is a file of 32 bytes in hexadecimal that only its owner may read. Whoever has the database but not
that file learns nothing of a shoe that is still dealt.
"""

import hmac
import os
import secrets
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from upcard.cards import Card
from upcard.cards.shoe import KEY_BYTES, Margins, Shoe, new_shoe, shuffled
from upcard.problems import BadRequest

_NONCE_BYTES = 12


class Seal:
    """Encrypts the keys of live shoes."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        if len(key) != KEY_BYTES:
            raise BadRequest(f"the operator's key has {KEY_BYTES} bytes, not {len(key)}")
        self._cipher = ChaCha20Poly1305(key)
        self._signing = hmac.digest(key, b"upcard: sign", "sha256")  # one key never serves two purposes

    def sign(self, text: str) -> str:
        """What only the holder of the operator's key can make of a text."""
        return hmac.digest(self._signing, text.encode(), "sha256").hex()

    def close(self, key: bytes, owner: str) -> str:
        """A shoe's key sealed for its table and number; nobody can pass it off as another's."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return (nonce + self._cipher.encrypt(nonce, key, owner.encode())).hex()

    def open(self, sealed: str, owner: str) -> bytes:
        """The key again; a sentence says when it was sealed with another operator's key."""
        from cryptography.exceptions import InvalidTag

        try:
            raw = bytes.fromhex(sealed)
            return self._cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], owner.encode())
        except (ValueError, InvalidTag):
            raise BadRequest(f"the key of {owner} was sealed with another operator's key than this one") from None


def key_file(path: Path) -> Seal:
    """The operator's key out of its file, which is made at the first start."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(KEY_BYTES) + "\n")
                file.flush()
                os.fsync(file.fileno())
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise BadRequest(f"{path} can be read by others: chmod 600 it, for it opens every live shoe")
        return Seal(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    except (ValueError, UnicodeDecodeError):
        raise BadRequest(f"{path} is not an operator's key: {2 * KEY_BYTES} hexadecimal digits") from None
    except OSError as wrong:
        raise BadRequest(
            f"the operator's key {path} cannot be used: {(wrong.strerror or str(wrong)).lower()}"
        ) from None


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
