"""The operator's keys: they seal records, sign checkpoints and encrypt secrets. Their file is kept apart from the book.

The file has one key per line, 64 hexadecimal digits, the newest last. Retired keys stay in it: they verify the records
they sealed, and decrypt the secrets they encrypted. The book says which key seals now (`sealing_key.py`). For each
purpose, another key is derived from the operator's key.
"""

import hashlib
import hmac
import logging
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

_log = logging.getLogger(__name__)

Mac = Callable[[str], str]  # makes the seal of a text

KEY_BYTES = 32
_MAC_DIGITS = 32  # 128 bits of HMAC-SHA256
_NONCE_BYTES = 12
_BLOCK_BYTES = 64  # of SHA-256


class OperatorKey:
    """One of the operator's keys."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise BadRequest(f"an operator's key has {KEY_BYTES} bytes, not {len(key)}")
        self.raw = key
        self.id = self._derived("id").hex()[:_MAC_DIGITS]
        # HMAC (RFC 2104) with the two hashes of the padded key computed once: that halves the time of a seal.
        padded = self._derived("seal").ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))
        self.mac = self.mac_of("")  # the seal of a text: only a holder of this key can make it, or verify it

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(self.raw, f"upcard: {purpose}".encode(), "sha256")

    def mac_of(self, book: str) -> Mac:
        """Makes the seals of one book's rows; they are wrong in another book of the same operator."""
        book_inner, all_outer = self._inner.copy(), self._outer
        book_inner.update(book.encode())

        def mac(text: str) -> str:
            inner, outer = book_inner.copy(), all_outer.copy()
            inner.update(text.encode())
            outer.update(inner.digest())
            return outer.hexdigest()[:_MAC_DIGITS]

        return mac

    @cached_property
    def cipher(self) -> "ChaCha20Poly1305":
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return ChaCha20Poly1305(self._derived("encrypt"))

    @cached_property
    def _signing(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._derived("sign"))

    @cached_property
    def public_key(self) -> str:
        """Anybody can verify this key's signatures with it."""
        return self._signing.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """An Ed25519 signature."""
        return self._signing.sign(text.encode()).hex()


class Keyring:
    """The keys of one operator, the newest last."""

    def __init__(self, keys: Sequence[bytes], path: Path | None = None) -> None:
        if not keys:
            raise BadRequest("a key file needs at least one key")
        self.keys = tuple(OperatorKey(key) for key in keys)
        self.path = path

    @property
    def newest(self) -> OperatorKey:
        return self.keys[-1]

    def find(self, key_id: str) -> OperatorKey | None:
        return next((key for key in self.keys if key.id == key_id), None)

    def reread(self) -> None:
        """Reads the file again: another process may have added a key."""
        if self.path is not None:
            self.keys = _keys_in(self.path)

    def add(self) -> OperatorKey:
        """Adds a new key at the end of the file."""
        key = OperatorKey(secrets.token_bytes(KEY_BYTES))
        if self.path is not None:
            _write(self.path, [*(old.raw.hex() for old in self.keys), key.raw.hex()])
        self.keys = (*self.keys, key)
        return key

    # --- secrets --------------------------------------------------------------------------------------------------

    def encrypt(self, secret: bytes, owner: str) -> str:
        """Encrypts a secret with the newest key for one owner; for another owner it does not decrypt."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        encrypted = self.newest.cipher.encrypt(nonce, secret, owner.encode())
        return f"{self.newest.id}:{(nonce + encrypted).hex()}"

    def decrypt(self, encrypted: str, owner: str) -> bytes:
        from cryptography.exceptions import InvalidTag

        key_id, _, text = encrypted.partition(":")
        key = self.find(key_id)
        try:
            if key is None:
                raise ValueError(key_id)
            raw = bytes.fromhex(text)
            return key.cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], owner.encode())
        except (ValueError, InvalidTag):
            raise BadRequest(
                f"the secret of {owner} cannot be decrypted: it was encrypted with another operator's key"
            ) from None

    def token(self, text: str) -> str:
        """A token for a text, which only a holder of the newest key can make."""
        return hmac.digest(self.keys[-1].raw, f"upcard: token {text}".encode(), "sha256").hex()


def key_file(path: Path) -> Keyring:
    """The operator's keys from their file."""
    try:
        return Keyring([key.raw for key in _keys_in(path)], path)
    except OSError as error:
        raise _unusable(path, error) from None


def new_key_file(path: Path) -> Keyring:
    """A file with a new key, for a new book; if another process was first, its key."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            _write(path, [secrets.token_hex(KEY_BYTES)], replace=False)
            _log.warning("%s is the operator's new key: keep a copy of it, apart from the backups", path)
    except OSError as error:
        raise _unusable(path, error) from None
    return key_file(path)


def _unusable(path: Path, error: OSError) -> BadRequest:
    return BadRequest(f"the operator's key {path} cannot be used: {(error.strerror or str(error)).lower()}")


def _keys_in(path: Path) -> tuple[OperatorKey, ...]:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BadRequest(f"other users can read {path}, which decrypts every live shoe: run chmod 600 {path}")
    try:
        lines = path.read_text(encoding="ascii").split()
        keys = tuple(OperatorKey(bytes.fromhex(line)) for line in lines)
    except (ValueError, BadRequest):
        keys = ()
    if not keys:
        raise BadRequest(f"{path} is not a key file: it needs {2 * KEY_BYTES} hexadecimal digits per line") from None
    return keys


def _write(path: Path, lines: Sequence[str], *, replace: bool = True) -> None:
    """Writes the whole file or nothing; only its owner can read it."""
    part = Path(f"{path}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)  # whatever the umask
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
    """Whether a signature of a text was made with the private key of this public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), text.encode())
    except (ValueError, InvalidSignature):
        return False
    return True
