"""The operator's key is never made silently beside an existing book, and files are readable by their owner only."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pyotp
import pytest
import sqlalchemy as sa
from service.forger import small_house
from service.recorded_house import open_house as open_recorded_house
from support.cli_runner import upcard
from support.empty_books import NewAddress, write_key
from support.guards import set_guards_aside
from upgrades.small_house import KEY, PASSWORD, House, open_house

from upcard.ledger import schema as book
from upcard.ledger.book_file import BESIDE
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.store import Store, is_server
from upcard.people.person import Session
from upcard.people.refusals import PeopleRefused
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.key_rotation import rotate_key
from upcard.service.running import keyring_beside, serving


def _refused(address: str, key: Path) -> str:
    """Why the service does not start without its key file; none of the ways to start made one."""
    with pytest.raises(BadRequest) as refused:
        keyring_beside(address, key)
    with pytest.raises(BadRequest), serving(address, key=key):
        pass
    assert upcard("people", "list", address, "--key", str(key)).code == 2
    assert not key.exists()
    return str(refused.value)


def test_no_key_is_made_beside_a_book_with_records(new_address: NewAddress, tmp_path: Path) -> None:
    address, key = new_address(), tmp_path / "house.key"
    with open_house(address) as house:
        small_house(house)
    sentence = _refused(address, key)
    for lost in ("put it back", "no earlier seal", "--lost", "a shoe in play", "authenticator"):
        assert lost in sentence
    store = Store.open(address)
    with store.engine.connect() as connection, connection.begin() as transaction:
        guards = set_guards_aside(connection)
        connection.execute(sa.delete(book.keys))  # somebody made it look like a book without a key
        transaction.commit()
    assert "has records, but its key file" in _refused(address, key)
    if is_server(address):
        with store.engine.begin() as connection:
            for statement in guards:
                connection.exec_driver_sql(statement)
    store.close()


def test_no_key_is_made_for_a_book_that_cannot_be_read(tmp_path: Path) -> None:
    path, key = tmp_path / "house.db", tmp_path / "house.key"
    with serving(str(path), key=key) as service:
        open_recorded_house(service, "T1")
    key.unlink()
    pages = bytearray(path.read_bytes())
    pages[4096:] = b"\xff" * (len(pages) - 4096)
    path.write_bytes(pages)
    _refused(str(path), key)
    unreachable = "postgresql://nobody@localhost:1/none"
    assert "so no key is made for it" in _refused(unreachable, key)


def test_a_new_book_gets_a_key_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, key = tmp_path / "house.db", tmp_path / "house.key"
    with serving(str(path), key=key):
        pass
    assert [record.getMessage() for record in caplog.records if "new key" in record.getMessage()] == [
        f"{key} is the operator's new key: keep a copy of it, apart from the backups"
    ]
    caplog.clear()
    with serving(str(path), key=key):
        pass
    assert not [record for record in caplog.records if "new key" in record.getMessage()]


def _with_code(house: House, name: str, secret: str) -> Session:
    house.now += timedelta(seconds=60)
    return house.people.sign_in(name, PASSWORD, pyotp.TOTP(secret).at(house.now))


def _enrol(house: House, name: str) -> str:
    session = house.people.sign_in(name, PASSWORD)
    secret, _ = house.people.enrol_totp(session)
    house.now += timedelta(seconds=60)
    house.people.confirm_totp(session, pyotp.TOTP(secret).at(house.now))
    return secret


def test_after_a_lost_key_everybody_sets_up_their_authenticator_again(new_address: NewAddress) -> None:
    """They are told so, and the operator's recovery link is the way."""
    address = new_address()
    with open_house(address) as house:
        small_house(house)
        house.now += timedelta(minutes=20)
        token = house.people.recovery_token("Flo")
        house.people.accept(token, PASSWORD)
        secret = _enrol(house, "Flo")
    store = Store.open(address, Keyring([b"n" * 32]), lambda: house.now)
    rotate_key(store, house.now, "Flo", lost=True)
    after = House(store, house.now, seed="after")
    with pytest.raises(PeopleRefused, match="operator's key that is lost: ask for a recovery link"):
        _with_code(after, "Flo", secret)
    after.people.accept(after.people.recovery_token("Flo"), PASSWORD)
    new_secret = _enrol(after, "Flo")
    assert _with_code(after, "Flo", new_secret).stepped_up_at is not None
    after.do(s.Reset(table="T1", why="the key was lost"))
    after.play("T1", 1)
    assert after.check().sound
    store.close()


def test_a_rotation_keeps_authenticators_sessions_and_tables(new_address: NewAddress, tmp_path: Path) -> None:
    address, path = new_address(), write_key(tmp_path / "operator.key", KEY)
    house = House(Store.open(address, key_file(path)))
    small_house(house)
    house.now += timedelta(minutes=20)
    house.people.accept(house.people.recovery_token("Flo"), PASSWORD)
    secret = _enrol(house, "Flo")
    session = _with_code(house, "Flo", secret)
    for number in (2, 3):
        assert rotate_key(house.store, house.now, "Flo")["number"] == number
        assert house.people.session(session.token) is not None
        _with_code(house, "Flo", secret)
        house.play("T1", 1)
        report = house.check()
        assert (report.findings, report.notes) == ((), ())
    house.store.close()
    retired = Store.open(address, Keyring([KEY]))
    with pytest.raises(BadRequest, match="which is not in this key file"), retired.transaction():
        pass
    retired.close()


@contextmanager
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def _modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir() if file.is_file()}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o277])
def test_books_logs_and_backups_are_readable_by_their_owner_only(tmp_path: Path, mask: int) -> None:
    path, copy = tmp_path / "house.db", tmp_path / "copy.db"
    with _umask(mask), serving(str(path)) as service:
        open_recorded_house(service, "T1")
        assert Path(f"{path}-wal").stat().st_size > 0
        assert upcard("backup", str(path), str(copy)).code == 0
        modes = _modes(tmp_path)
    assert {"house.db", "house.db-wal", "house.db-shm", "copy.db", "house.db.key"} <= modes.keys()
    assert {name: mode for name, mode in modes.items() if int(mode, 8) & 0o077} == {}
    assert {modes[name] for name in ("house.db", "house.db-wal", "copy.db", "house.db.key")} == {"0o600"}
    path.chmod(0o644)
    with _umask(mask):
        assert upcard("restore", str(copy), str(path), "--force").code == 0
    assert {modes for name, modes in _modes(tmp_path).items() if name in ("house.db", "house.db.before")} == {"0o600"}


def test_a_book_that_others_could_read_is_closed_to_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "house.db"
    with _umask(0), serving(str(path)) as service:
        open_recorded_house(service, "T1")
    path.chmod(0o644)
    assert "other users can read the book" in upcard("doctor", str(path)).out
    with _umask(0), serving(str(path)) as service:
        service.queries.tables()
        modes = [stat.S_IMODE(Path(f"{path}{suffix}").stat().st_mode) for suffix in ("", *BESIDE[:2])]
    assert modes == [0o600] * 3
    assert f"other users could read {path}; now only its owner can" in caplog.text
