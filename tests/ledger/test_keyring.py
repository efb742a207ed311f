"""The operator's keys: their file, their seals and their secrets."""

import hmac
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.empty_books import write_key

from upcard.ledger.keyring import Keyring, OperatorKey, key_file, new_key_file, verified
from upcard.problems import BadRequest

KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS, st.text())
def test_a_seal_is_the_hmac_of_the_standard_library(key: bytes, text: str) -> None:
    derived = hmac.digest(key, b"upcard: seal", "sha256")
    assert OperatorKey(key).mac(text) == hmac.digest(derived, text.encode(), "sha256").hex()[:32]


@given(KEYS, KEYS, st.binary(max_size=40), st.text(min_size=1, max_size=20))
def test_a_secret_decrypts_with_its_key_for_its_owner_only(key: bytes, other: bytes, secret: bytes, owner: str) -> None:
    encrypted = Keyring([key]).encrypt(secret, owner)
    assert Keyring([other, key]).decrypt(encrypted, owner) == secret
    for ring, name in ((Keyring([key]), owner + "x"), (Keyring([bytes(31) + b"!"]), owner)):
        with pytest.raises(BadRequest, match="another operator's key"):
            ring.decrypt(encrypted, name)


def test_a_signature_is_verified_with_the_public_key() -> None:
    key = OperatorKey(bytes(32))
    signature = key.sign("heads")
    assert verified(key.public_key, "heads", signature)
    assert not verified(key.public_key, "heads of others", signature)
    assert not verified(OperatorKey(bytes(range(32))).public_key, "heads", signature)
    assert not verified("no key", "heads", signature)


def test_a_key_file_is_made_once_and_keeps_retired_keys(tmp_path: Path) -> None:
    path = tmp_path / "deep/operator.key"
    first = new_key_file(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert key_file(path).newest.id == new_key_file(path).newest.id == first.newest.id
    added = first.add()
    again = key_file(path)
    assert [key.id for key in again.keys] == [first.keys[0].id, added.id]
    assert list(path.parent.iterdir()) == [path]


def test_a_keyring_in_use_learns_of_a_key_that_another_process_added(tmp_path: Path) -> None:
    path = write_key(tmp_path / "operator.key", bytes(32))
    running, rotating = key_file(path), key_file(path)
    added = rotating.add()
    assert running.find(added.id) is None
    running.reread()
    assert running.find(added.id) is not None


@pytest.mark.parametrize("text", ["", "no key", "ab", f"{'0' * 64}\n{'0' * 10}\n"])
def test_a_file_that_is_not_a_key_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "operator.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(BadRequest, match="is not a key file: it needs 64 hexadecimal digits per line"):
        key_file(path)
    path.chmod(0o644)
    with pytest.raises(BadRequest, match="other users can read"):
        key_file(path)
