"""The operator's keys: they seal records, sign checkpoints and encrypt secrets. Their file is kept apart from the book.

The file has one key per line, 64 hexadecimal digits, the newest last. Retired keys stay in it: records that they sealed
are verified with them, and secrets that they encrypted are opened with them. Which key seals is the book's to say
(`keys.py`); a key serves each purpose through a key of its own, derived from it.
"""

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.problems import BadRequest

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

Mac = Callable[[str], str]  # makes the seal of a text

KEY_BYTES = 32
_MAC_DIGITS = 32  # 128 bits of HMAC-SHA256
_NONCE_BYTES = 12
_BLOCK_BYTES = 64  # of SHA-256


class OperatorKey:
    """One key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise BadRequest(f"the operator's key has {KEY_BYTES} bytes, not {len(key)}")
        self.raw = key
        self.id = self._derived("id").hex()[:_MAC_DIGITS]
        # HMAC (RFC 2104) with the two hashes of the padded key computed once: a record's seal takes half the time.
        padded = self._derived("seal").ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))
        self.mac = self.mac_of("")  # the seal of a text: only a holder of this key can make it, or verify it

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(self.raw, f"upcard: {purpose}".encode(), "sha256")

    def mac_of(self, book: str) -> Mac:
        """Makes the seals of one book's rows: moved to another book of the same operator, they do not fit."""
        of_book, outer_of_all = self._inner.copy(), self._outer
        of_book.update(book.encode())

        def mac(text: str) -> str:
            inner, outer = of_book.copy(), outer_of_all.copy()
            inner.update(text.encode())
            outer.update(inner.digest())
            return outer.hexdigest()[:_MAC_DIGITS]

        return mac

    @cached_property
    def cipher(self) -> "ChaCha20Poly1305":
        """Encrypts secrets."""
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return ChaCha20Poly1305(self._derived("encrypt"))

    @cached_property
    def _signing(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._derived("sign"))

    @cached_property
    def public_key(self) -> str:
        """With this anybody verifies what the key signed."""
        return self._signing.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """An Ed25519 signature."""
        return self._signing.sign(text.encode()).hex()


class Keyring:
    """The keys of one operator, the newest last."""

    def __init__(self, keys: Sequence[bytes], path: Path | None = None) -> None:
        if not keys:
            raise BadRequest("a key file has at least one key")
        self.keys = tuple(OperatorKey(key) for key in keys)
        self.path = path

    @property
    def newest(self) -> OperatorKey:
        """The last key of the file."""
        return self.keys[-1]

    def find(self, key_id: str) -> OperatorKey | None:
        """The key of an id."""
        return next((key for key in self.keys if key.id == key_id), None)

    def reread(self) -> None:
        """Reads the file again: another process may have added a key."""
        if self.path is not None:
            self.keys = _keys_in(self.path)

    def add(self) -> OperatorKey:
        """Adds a new key at the end of the file."""
        key = OperatorKey(secrets.token_bytes(KEY_BYTES))
        if self.path is not None:
            _write(self.path, [*(one.raw.hex() for one in self.keys), key.raw.hex()])
        self.keys = (*self.keys, key)
        return key

    # --- secrets --------------------------------------------------------------------------------------------------

    def encrypt(self, secret: bytes, owner: str) -> str:
        """A secret encrypted with the newest key for one owner; it cannot be passed off as another's."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        encrypted = self.newest.cipher.encrypt(nonce, secret, owner.encode())
        return f"{self.newest.id}:{(nonce + encrypted).hex()}"

    def decrypt(self, encrypted: str, owner: str) -> bytes:
        """The secret again."""
        from cryptography.exceptions import InvalidTag

        key_id, _, text = encrypted.partition(":")
        key = self.find(key_id)
        try:
            if key is None:
                raise ValueError(key_id)
            raw = bytes.fromhex(text)
            return key.cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], owner.encode())
        except (ValueError, InvalidTag):
            raise BadRequest(f"the key of {owner} was encrypted with another operator's key than this one") from None

    def token(self, text: str) -> str:
        """A text that only a holder of the newest key can make out of this one."""
        return hmac.digest(self.keys[-1].raw, f"upcard: token {text}".encode(), "sha256").hex()


def key_file(path: Path) -> Keyring:
    """The operator's keys out of their file, which is made at the first start."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):  # another process was first: its key is used
                _write(path, [secrets.token_hex(KEY_BYTES)], replace=False)
        return Keyring([key.raw for key in _keys_in(path)], path)
    except OSError as wrong:
        raise BadRequest(
            f"the operator's key {path} cannot be used: {(wrong.strerror or str(wrong)).lower()}"
        ) from None


def _keys_in(path: Path) -> tuple[OperatorKey, ...]:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BadRequest(f"{path} can be read by others: chmod 600 it, for it opens every live shoe")
    try:
        lines = path.read_text(encoding="ascii").split()
        keys = tuple(OperatorKey(bytes.fromhex(line)) for line in lines)
    except (ValueError, BadRequest):
        keys = ()
    if not keys:
        raise BadRequest(f"{path} is not an operator's key: {2 * KEY_BYTES} hexadecimal digits per line") from None
    return keys


def _write(path: Path, lines: Sequence[str], *, replace: bool = True) -> None:
    """The whole file or nothing of it, readable by its owner only."""
    part = Path(f"{path}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write("".join(f"{line}\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
        if replace:
            part.rename(path)
        else:
            os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def verified(public_key: str, text: str, signature: str) -> bool:
    """Whether the owner of a public key signed a text."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), text.encode())
    except (ValueError, InvalidSignature):
        return False
    return True
