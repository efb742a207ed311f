"""Rotating the operator's key: writers, running services, refused rotations, and lost keys."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from service.forger import small_house
from support.cli_runner import upcard
from support.empty_books import NewAddress, blank_database, write_key
from upgrades.small_house import KEY, House, open_house

from upcard.ledger import schema as book
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.store import Store
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.key_rotation import rotate_key


def test_a_rotation_waits_for_writers_and_later_ones_have_the_new_key(server: str) -> None:
    """On PostgreSQL a transaction that has begun is finished with the old key before the new one is in use."""
    with blank_database(server) as address:
        Store.create(address).close()
        with open_house(address) as house:
            small_house(house)
            writer = Store.open(address, house.store.keyring)
            with writer.transaction() as unit, ThreadPoolExecutor(1) as other:
                rotation = other.submit(rotate_key, house.store, house.now, "Flo")
                time.sleep(0.3)
                assert not rotation.done()
                assert unit.key_number == 1
                unit.connection.commit()
                assert rotation.result(5)["number"] == 2
            with writer.transaction() as unit:
                assert unit.key_number == 2
            with writer.view() as unit:
                list(unit.rows(book.keys, "number"))  # as a check or a dump does, for as long as it takes
                with pytest.raises(BadRequest, match="is being checked or copied"):
                    rotate_key(house.store, house.now, "Flo")
            writer.close()


def test_the_commands_rotate_sign_and_verify(empty_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    path.write_bytes(empty_file.read_bytes())
    key = write_key(Path(f"{path}.key"), KEY)
    with open_house(str(path)) as house:
        small_house(house)
    first = upcard("ledger", "public-key", str(path)).out.strip()
    file = tmp_path / "kept.json"
    assert upcard("ledger", "checkpoint", str(path), "--out", str(file)).code == 0
    rotated = upcard("ledger", "rotate-key", str(path), "--by", "Flo")
    assert (rotated.code, rotated.err) == (0, "")
    assert rotated.out.startswith("Key 2, ")
    assert len(key.read_text().split()) == 2
    assert key.stat().st_mode & 0o777 == 0o600
    later = tmp_path / "later.json"
    assert upcard("ledger", "checkpoint", str(path), "--out", str(later)).code == 0
    assert json.loads(later.read_text())["public_key"] != first
    checked = upcard("ledger", "check", str(path), "--checkpoint", str(file), "--checkpoint", str(later))
    assert "The book is sound." in checked.out
    key.rename(tmp_path / "away.key")
    both = ("--checkpoint", str(file), "--checkpoint", str(later), "--public-key", first)  # the old key signed the new
    assert upcard("ledger", "check", str(path), *both).code == 0


def test_a_service_that_runs_takes_a_new_key_up(new_address: NewAddress, tmp_path: Path) -> None:
    address, path = new_address(), write_key(tmp_path / "operator.key", KEY)
    running = House(Store.open(address, key_file(path)))
    small_house(running)
    other_process = Store.open(address, key_file(path))
    rotate_key(other_process, running.now, "Flo")
    other_process.close()
    running.play("T1", 1)
    running.now += timedelta(minutes=1)
    running.sign_in("Fay")
    report = running.check()
    assert (report.findings, report.notes) == ((), ())
    with running.store.view() as unit:
        keys = {row["key"] for row in unit.rows(schema.history, "stream", "number")}
    assert keys == {1, 2}
    running.store.close()


def test_an_impossible_key_rotation_is_refused_and_changes_nothing(new_address: NewAddress) -> None:
    address = new_address()
    empty = Store.open(address, Keyring([KEY]))
    with pytest.raises(BadRequest, match="this book is still empty"):
        rotate_key(empty, House(empty).now, "Flo")
    empty.close()
    with open_house(address) as house:
        small_house(house)
        with pytest.raises(BadRequest, match="rotate without --lost"):
            rotate_key(house.store, house.now, "Flo", lost=True)
    stranger = Store.open(address, Keyring([bytes(32)]))
    with pytest.raises(BadRequest, match="not in this key file"):
        rotate_key(stranger, house.now, "Eve")
    stranger.close()
    with open_house(address) as house:
        report = house.check()
        assert (report.findings, report.notes) == ((), ())


def test_a_table_between_two_shoes_is_reset_when_the_key_was_lost(new_address: NewAddress) -> None:
    """Its next shoe was promised, and its key cannot be opened: that is found at the first word."""
    address = new_address()
    with open_house(address) as house:
        small_house(house)
        house.do(s.Shuffle(table="T1"))
    store = Store.open(address, Keyring([b"n" * 32]), lambda: house.now)
    rotate_key(store, house.now, "Flo", lost=True)
    after = House(store, house.now, seed="after")
    assert after.refused(s.Bet(table="T1", spot=1, stakes={"Blackjack": 500}), "T1 Ann", "player") == "TABLE_STOPPED"
    after.do(s.Reset(table="T1", why="the key was lost"))
    assert after.live("T1").rules_since == ""  # it kept its last rules, so files may still bring others
    after.play("T1", 1)
    assert after.check().sound
    store.close()
