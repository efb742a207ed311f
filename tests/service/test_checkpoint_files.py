"""A running service writes checkpoints outside the book, and the doctor compares the book with them."""

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from service.recorded_house import open_house, play
from service.test_restored_books import StoredBook
from support.cli_runner import upcard
from support.empty_books import blank_database
from support.guards import put_guards_back, set_guards_aside

from upcard.ledger import schema as book_schema
from upcard.ledger.requests import CloseDay
from upcard.ledger.store import Store
from upcard.people import schema as people
from upcard.service import commands as s
from upcard.service.checkpoint_files import CheckpointWriter, read_folder
from upcard.service.running import Service, ServiceOptions, serving

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoredBook]:
    with ExitStack() as databases:
        if request.param == "sqlite":
            address = str(tmp_path / "house.db")
        else:
            address = databases.enter_context(blank_database(request.getfixturevalue("server")))
        yield StoredBook(address, tmp_path / "house.key")


def _doctor(book: StoredBook, what: str, *options: str) -> tuple[str, str]:
    """The mark and sentence of the doctor about something."""
    result = upcard("doctor", book.address, "--key", str(book.key), "--json", *options)
    (line,) = [line for line in result.json["said"] if line["what"] == what]
    assert (result.code == 1) is any(line["mark"] == "BAD" for line in result.json["said"])
    return line["mark"], line["sentence"]


def _writer(service: Service, folder: Path) -> CheckpointWriter:
    return CheckpointWriter(service.desk, folder)


def test_a_checkpoint_is_written_every_hour_and_after_each_daily_close(book: StoredBook, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    with serving(book.address, key=book.key) as service:
        now = NOON
        service.desk.clock = lambda: now
        writer = _writer(service, folder)
        open_house(service, "T1")
        assert writer.run() is not None
        for minutes, written in ((10, False), (49, False), (1, True), (30, False), (29, False), (1, True)):
            now += timedelta(minutes=minutes)
            assert (writer.run() is not None) is written, now
        now += timedelta(minutes=5)
        assert _writer(service, folder).run() is None, "another process looks into the folder too"
        now = NOON + timedelta(days=1)
        assert writer.run() is not None
        service.desk.do(s.House(request=CloseDay(day=date(2026, 3, 2))), id="close", actor="Dana")
        now += timedelta(seconds=5)
        assert writer.run() is not None, "the daily close"
        assert writer.run() is None
    stored = read_folder(folder)
    assert len(stored) == 5
    result = upcard("ledger", "check", book.address, "--key", str(book.key), "--checkpoint", str(folder))
    assert result.code == 0, result


def test_a_running_service_writes_its_first_checkpoint_by_itself(
    book: StoredBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.service.checkpoint_files._LOOK_SECONDS", 0.01)
    folder = tmp_path / "elsewhere"
    with serving(book.address, key=book.key, options=ServiceOptions(checkpoints=folder)) as service:
        open_house(service, "T1")
        for _ in range(3000):
            if list(folder.glob("*.json")):
                break
            service.queries.tables()
    assert len(read_folder(folder)) == 1
    assert _doctor(book, "checkpoints", "--checkpoints", str(folder))[0] == "OK"
    assert not Path(f"{book.key}.checkpoints").exists()


def test_old_checkpoints_are_thinned_out_to_one_per_day(tmp_path: Path) -> None:
    with serving(str(tmp_path / "house.db")) as service:
        now = NOON
        service.desk.clock = lambda: now
        writer = _writer(service, tmp_path / "kept")
        open_house(service, "T1")
        for _ in range(40):
            writer.run()
            now += timedelta(hours=6)
    days: dict[date, int] = {}
    for stored in read_folder(tmp_path / "kept"):
        days[stored.at.date()] = days.get(stored.at.date(), 0) + 1
    assert list(days.values()) == [1, 1, 1, 3] + [4] * 6 + [2]


def test_a_folder_that_cannot_be_written_is_logged_once(
    book: StoredBook, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.service.checkpoint_files._LOOK_SECONDS", 0.01)
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with serving(book.address, key=book.key, options=ServiceOptions(checkpoints=blocked)) as service:
        open_house(service, "T1")
        for _ in range(3000):
            if "no checkpoint can be written" in caplog.text:
                break
            service.queries.tables()
        play(service, "T1", 1)
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [error.getMessage().partition(":")[0] for error in errors] == [f"no checkpoint can be written to {blocked}"]
    assert _doctor(book, "checkpoints", "--checkpoints", str(blocked))[0] == "WARN"


def test_the_doctor_says_how_old_the_last_checkpoint_is(book: StoredBook) -> None:
    folder = Path(f"{book.key}.checkpoints")
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1")
        assert _doctor(book, "checkpoints") == (
            "WARN",
            f"there are none in {folder}; a running service writes one every hour",
        )
        _writer(service, folder).run()
        mark, sentence = _doctor(book, "checkpoints")
        assert (mark, sentence) == (
            "OK",
            f"the book matches all 1 in {folder}; the last is 0 minutes old",
        )
        real = service.desk.clock
        service.desk.clock = lambda: real() + timedelta(hours=3)
        play(service, "T1", 1)
    mark, sentence = _doctor(book, "checkpoints")
    assert mark == "WARN"
    assert sentence.endswith("and records are newer; the service should write one every hour: see its log")


def _cut_people_log(book: StoredBook) -> None:
    """Deletes the last entry of the people's log as a careful forger does: its head is moved back."""
    store = Store.open(book.address)
    log, logs = people.people_log, book_schema.logs
    with store.engine.begin() as connection:
        guards = set_guards_aside(connection)
        last = connection.scalar(sa.select(sa.func.max(log.c.number)))
        before = connection.execute(sa.select(log.c.number, log.c.hash).where(log.c.number == last - 1)).one()
        connection.execute(sa.delete(log).where(log.c.number == last))
        head = {"number": before.number, "hash": before.hash}
        connection.execute(sa.update(logs).where(logs.c.log == "people").values(head))
        put_guards_back(connection, guards)
    store.close()


def test_rows_cut_off_are_found_by_the_high_water_mark_and_by_a_checkpoint(book: StoredBook) -> None:
    folder = Path(f"{book.key}.checkpoints")
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1")
        service.people(clock=None, cost=None).add_players(["Zoe"], actor="Dana")
        _writer(service, folder).run()
        mark = service.desk.high_water
        assert mark is not None
        with service.desk.store.view() as unit:
            mark.look(unit)
    assert _doctor(book, "restores")[0] == "OK"
    _cut_people_log(book)
    mark_result, sentence = _doctor(book, "restores")
    assert mark_result == "BAD"
    assert sentence.startswith("the book lacks row 3 of people_log; the last one is 2, which this machine has seen")
    checkpoint_result, sentence = _doctor(book, "checkpoints")
    assert checkpoint_result == "BAD"
    assert "row 3 of people_log is missing: rows were deleted from the end" in sentence


def test_an_old_copy_put_back_is_found_until_somebody_accepts_it(book: StoredBook) -> None:
    folder = Path(f"{book.key}.checkpoints")
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1")
        play(service, "T1", 1)
        _writer(service, folder).run()
    restore = book.save()
    with serving(book.address, key=book.key) as service:
        play(service, "T1", 1)
        real = service.desk.clock
        service.desk.clock = lambda: real() + timedelta(hours=1)
        _writer(service, folder).run()
    restore()
    assert _doctor(book, "restores")[0] == "BAD"
    mark, sentence = _doctor(book, "checkpoints")
    assert (mark, "if you restored the book, run upcard ledger accept-restore" in sentence) == ("BAD", True)
    with serving(book.address, key=book.key) as service:
        play(service, "T1", 1)
    assert _doctor(book, "restores")[0] == "OK", "the service made it ready for play"
    assert _doctor(book, "checkpoints")[0] == "BAD", "but nobody said that it was meant"
    command = ("ledger", "accept-restore", book.address, "--key", str(book.key), "--by", "Flo")
    accepted = upcard(*command)
    assert (accepted.code, accepted.out.startswith("1 checkpoint put aside in ")) == (0, True), accepted
    assert _doctor(book, "checkpoints")[0] == "OK"
    (aside,) = [path for path in folder.iterdir() if path.is_dir()]
    assert sorted(path.suffix for path in aside.iterdir()) == [".json", ".txt"]
    assert "nothing to do" in upcard(*command).out
    with serving(book.address, key=book.key) as service:
        (entry,) = [
            entry for entry in service.people(clock=None, cost=None).log() if entry.action == "restore-accepted"
        ]
    assert (entry.actor, entry.after["checkpoints"]) == ("Flo", 1)
    book.check()


def test_a_restore_puts_newer_checkpoints_aside(tmp_path: Path) -> None:
    book, copy = StoredBook(str(tmp_path / "house.db"), tmp_path / "house.db.key"), tmp_path / "copy.db"
    folder = Path(f"{book.key}.checkpoints")
    with serving(book.address) as service:
        open_house(service, "T1")
        _writer(service, folder).run()
        assert upcard("backup", book.address, str(copy)).code == 0
        play(service, "T1", 1)
        real = service.desk.clock
        service.desk.clock = lambda: real() + timedelta(hours=1)
        _writer(service, folder).run()
    restored = upcard("restore", str(copy), book.address, "--force")
    assert restored.code == 0
    assert "1 checkpoint of what came after the backup: put aside in" in restored.out
    assert _doctor(book, "checkpoints")[0] == "OK"
    with serving(book.address) as service:
        play(service, "T1", 1)
    assert {_doctor(book, what)[0] for what in ("checkpoints", "restores")} == {"OK"}
    (why,) = folder.glob("*/why.txt")
    assert f"{book.address} was restored from {copy} with upcard restore on " in why.read_text()


def test_checkpoints_signed_with_a_lost_key_still_count(tmp_path: Path) -> None:
    book = StoredBook(str(tmp_path / "house.db"), tmp_path / "house.db.key")
    folder = Path(f"{book.key}.checkpoints")
    with serving(book.address) as service:
        open_house(service, "T1")
        _writer(service, folder).run()
    book.key.unlink()
    assert upcard("ledger", "rotate-key", book.address, "--by", "Flo", "--lost").code == 0
    assert _doctor(book, "checkpoints")[0] == "OK"
    (stored,) = read_folder(folder)
    forged: dict[str, Any] = {**stored.content, "at": "2026-01-01T00:00:00.000000Z"}
    stored.path.write_text(json.dumps(forged))
    mark, sentence = _doctor(book, "checkpoints")
    assert (mark, "its signature does not match its content" in sentence) == ("BAD", True)


def test_checkpoints_of_another_book_are_left_alone(tmp_path: Path) -> None:
    books = [StoredBook(str(tmp_path / name), tmp_path / f"{name}.key") for name in ("one.db", "two.db")]
    folder = tmp_path / "shared"
    for book in books:
        with serving(book.address) as service:
            open_house(service, "T1")
            assert _writer(service, folder).run() is not None
    for book in books:
        assert _doctor(book, "checkpoints", "--checkpoints", str(folder))[0] == "OK"
    shutil.copy(books[0].address, books[1].address)
    shutil.copy(books[0].key, books[1].key)
    next(path for path in folder.glob("*.json") if read_folder(folder)[0].path == path).unlink()
    mark, sentence = _doctor(books[1], "checkpoints", "--checkpoints", str(folder))
    assert (mark, "(but some of another book)" in sentence) == ("WARN", True)
