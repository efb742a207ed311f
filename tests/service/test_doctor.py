"""The doctor says of everything around a book how it stands, and what to do about it."""

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from service.recorded_house import KEY, OTHER, open_house, play, ring, service_of
from support.cli_runner import upcard
from support.empty_books import write_key
from support.postgres_server import USER, postgres

from upcard.catalog import shipped
from upcard.ledger.journal import instant_text, utc_now
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.bots import Bot, role_of
from upcard.service.check_results import CheckResult, Installation, Status
from upcard.service.checkpoint import checkpoint
from upcard.service.checkpoint_files import write_checkpoint
from upcard.service.doctor import examine
from upcard.service.refusals import Refused
from upcard.strategy import usual

PROGRESSIVE = "lucky-ladies-progressive"
MARKS = {mark.value for mark in Status}


class House(NamedTuple):
    book: Path
    key: Path

    @property
    def checkpoints(self) -> Path:
        return Path(f"{self.key}.checkpoints")

    def results(self, now: datetime | None = None, key: Path | None = None) -> dict[str, list[CheckResult]]:
        store = Store(str(self.book))
        clock = utc_now if now is None else lambda: now
        installation = Installation(
            address=str(self.book),
            store=store,
            catalog=shipped(),
            key=key or self.key,
            checkpoints=self.checkpoints,
            clock=clock,
        )
        results: dict[str, list[CheckResult]] = {}
        for result in examine(installation):
            results.setdefault(result.what, []).append(result)
        store.close()
        return results


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lived") / "book.db"
    store = Store.create(str(path), ring(KEY))
    service = service_of(store)
    open_house(service, "T1")
    play(service, "T1", 1, into_a_hand=True)
    jackpots = {jackpot.wager: f"P {jackpot.wager}" for jackpot in shipped().layouts[PROGRESSIVE].jackpot}
    service.desk.do(s.OpenTable(table="P", layout=PROGRESSIVE, jackpots=jackpots), id="open-P", actor="Dana")
    bot = Bot("Cy", usual())
    while service.desk.live("P").round < 1 or service.desk.live("P").table.round is not None:
        live = service.desk.live("P")
        command = bot.next(live, lambda: service.queries.bankroll("Cy"))
        assert command is not None
        service.desk.do(command, id=f"P-{live.version}", actor="Cy", role=role_of(command))
    store.close()
    return path


@pytest.fixture
def house(lived: Path, tmp_path: Path) -> House:
    book = Path(shutil.copy(lived, tmp_path / "book.db"))
    book.chmod(0o600)
    house = House(book, write_key(Path(f"{book}.key"), KEY))
    write_checkpoint_to(house.checkpoints, str(book))
    return house


def write_checkpoint_to(folder: Path, book: str) -> None:
    store = Store.open(book, ring(KEY))
    with store.view() as unit:
        write_checkpoint(folder, checkpoint(unit, ring(KEY), instant_text(utc_now())))
    store.close()


def change(book: Path, sql: str) -> None:
    store = Store(str(book))
    with store.engine.begin() as connection:
        connection.execute(sa.text(sql))
    store.close()


def marks(results: dict[str, list[CheckResult]]) -> dict[str, str]:
    return {subject: checks[0].mark.value for subject, checks in results.items() if checks[0].mark is not Status.OK}


def test_the_doctor_finds_nothing_in_a_sound_house(house: House) -> None:
    results = house.results()
    assert marks(results) == {}
    assert set(results) == {
        *("form", "operator's key", "permissions", "disk", "durability", "guards", "integrity", "hours", "clock"),
        *("restores", "checkpoints"),
        *("seals", "live shoes", "gaming days", "escrow", "tables"),
    }
    result = upcard("doctor", str(house.book), "--json")
    assert (result.code, result.err, result.json["well"]) == (0, "", True)
    assert KEY.hex() not in result.out
    assert "the operator's key decrypts 2 of 2" in upcard("doctor", str(house.book)).out


@pytest.mark.parametrize(
    ("sql", "what", "sentence"),
    [
        ("UPDATE alembic_version SET version_num = '0002'", "form", "was made before format 1"),
        ("DROP TABLE alembic_version", "form", "this is not an Upcard book"),
        ("DROP TRIGGER entries_no_update", "guards", "no longer refuses UPDATE on entries"),
        ("DROP TRIGGER rounds_no_delete", "guards", "no longer refuses DELETE on rounds"),
        ("UPDATE chains SET state = replace(state, 'UTC', 'Mars/Base') WHERE chain = 'house'", "hours", "ledger check"),
        ("DELETE FROM chains WHERE chain = 'house'", "hours", "no time zone and opening hour"),
        (
            "UPDATE shoes SET encrypted_key = '00'",
            "live shoes",
            "does not decrypt shoe 2 of P; use the right key file",
        ),
        ("UPDATE streams SET hash = 'x'", "tables", "P is stopped: its "),
    ],
)
def test_the_doctor_names_each_problem_with_what_to_do(house: House, sql: str, what: str, sentence: str) -> None:
    change(house.book, sql)
    result = upcard("doctor", str(house.book), "--json")
    assert result.code == 1
    bad = [finding for finding in result.json["said"] if finding["mark"] == "BAD"]
    assert sentence in next(finding["sentence"] for finding in bad if finding["what"] == what)
    assert {finding["mark"] for finding in result.json["said"]} <= MARKS


def test_the_doctor_reports_a_damaged_file(house: House) -> None:
    pages = house.book.read_bytes()
    with house.book.open("r+b") as file:
        for start in range(4096, len(pages), 4096):
            if b'"do":"bet"' in pages[start : start + 4096]:  # a page of records, and not of the schema
                file.seek(start)
                file.write(b"\xff" * 64)
    marked = marks(house.results())
    assert marked.get("integrity") == "BAD", marked
    assert upcard("doctor", str(house.book)).code == 1


def test_the_doctor_reports_a_wrong_key_or_a_key_file_that_others_can_read(house: House, tmp_path: Path) -> None:
    other = house.results(key=write_key(tmp_path / "other.key", OTHER))
    assert marks(other) == {"seals": "BAD", "checkpoints": "BAD", "live shoes": "BAD", "tables": "BAD"}
    assert "which is not in its key file" in other["seals"][0].sentence
    assert len(other["live shoes"]) == 2
    assert "T1 is stopped: the key of shoe 1 was encrypted with another" in other["tables"][1].sentence
    assert marks(house.results(key=tmp_path / "none.key")) == {"operator's key": "WARN", "live shoes": "WARN"}
    house.key.chmod(0o644)
    house.book.chmod(0o644)
    results = house.results()
    assert marks(results) == {"operator's key": "BAD", "permissions": "WARN", "live shoes": "WARN"}
    assert "chmod 600" in results["operator's key"][0].sentence


def test_the_doctor_checks_the_clock_the_daily_closes_the_escrow_and_the_disk(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = utc_now()
    assert marks(house.results(now - timedelta(hours=1)))["clock"] == "BAD"
    late = house.results(now + timedelta(days=30))
    assert marks(late) == {"gaming days": "WARN", "escrow": "WARN"}
    assert "is over but not closed" in late["gaming days"][0].sentence
    assert "should be deposited" in late["escrow"][0].sentence

    class Full(NamedTuple):
        free: int = 1 << 29

    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Full())
    assert marks(house.results()) == {"disk": "WARN"}
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Full(1 << 20))
    full = house.results()
    assert marks(full) == {"disk": "BAD"}
    assert "is full (1 MB free): free up space now" in full["disk"][0].sentence


def test_the_doctor_reads_the_clock_after_the_records(house: House) -> None:
    """A busy house writes on while the doctor looks: its newest record is no sign of a wrong clock."""
    store = Store(str(house.book))
    before = utc_now()

    def clock() -> datetime:
        """As a clock that was read when the check began, unless the records were read since it was last asked."""
        moment = utc_now() if read else before
        read.clear()
        return moment

    read: list[str] = []

    @sa.event.listens_for(store.engine, "before_cursor_execute")
    def on_read(_connection: object, _cursor: object, statement: str, *_others: object) -> None:
        if "max(history.at)" in statement:
            read.append(statement)

    change(house.book, "DROP TRIGGER history_no_update")
    later = instant_text(before + timedelta(milliseconds=1))
    change(house.book, f"UPDATE history SET at = '{later}' WHERE stream = 'house'")
    installation = Installation(
        address=str(house.book), store=store, catalog=shipped(), key=house.key, checkpoints=None, clock=clock
    )
    (result,) = [result for result in examine(installation) if result.what == "clock"]
    store.close()
    assert result.mark is Status.OK, result


def test_the_doctor_finds_a_damaged_index(house: House) -> None:
    """A quick check does not compare an index with its table."""
    change(house.book, "DROP INDEX entries_day")
    store = Store(str(house.book))
    with store.engine.begin() as connection:
        connection.exec_driver_sql("CREATE INDEX entries_day ON entries (day) WHERE number > 1")
        connection.exec_driver_sql("PRAGMA writable_schema = ON")
        whole = "CREATE INDEX entries_day ON entries (day)"
        connection.exec_driver_sql("UPDATE sqlite_master SET sql = ? WHERE name = 'entries_day'", (whole,))
    store.close()
    (result,) = house.results()["integrity"]
    assert result.mark is Status.BAD
    assert "missing from index entries_day" in result.sentence


def test_the_doctor_refuses_a_missing_book(tmp_path: Path) -> None:
    result = upcard("doctor", str(tmp_path / "none.db"))
    assert (result.code, result.err) == (2, f"upcard: there is no book {tmp_path / 'none.db'}\n")
    away = upcard("doctor", "postgresql://nobody@localhost:1/none")
    assert away.code == 1
    assert "it cannot be opened as a book" in away.out


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as folder:
        yield f"postgresql://{USER}@/postgres?host={folder}"


def test_a_book_on_postgresql_is_examined_and_followed_too(server: str, tmp_path: Path) -> None:
    store = Store.create(server, ring(KEY))
    service = service_of(store)
    open_house(service, "T1")
    play(service, "T1", 1, into_a_hand=True)
    with pytest.raises(Refused):
        service.desk.do(s.Tip(table="T1", player="Zoe", amount=5), id="tip", actor="Zoe", role="player")
    store.close()
    key = str(write_key(tmp_path / "house.key", KEY))
    write_checkpoint_to(Path(f"{key}.checkpoints"), server)
    report: Any = upcard("doctor", server, "--key", key, "--json").json
    statuses = {finding["what"]: finding["mark"] for finding in report["said"]}
    assert statuses.pop("integrity") in ("OK", "WARN")
    assert set(statuses.values()) == {"OK"}, report
    assert {"durability", "guards", "live shoes", "tables"} <= set(statuses)
    checked = upcard("ledger", "check", server, "--key", key, "--json").json
    assert checked["sound"], checked["findings"]
    assert checked["service"]["replayed"] == checked["service"]["records"]
    assert "Not checked: T1: records 1 to" in upcard("ledger", "check", server).out
    assert upcard("doctor", server).code == 0
