"""The service's records are followed from the first: any cell that was changed is found, or cannot matter."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from service.recorded_house import KEY, OTHER, open_house, play, ring, service_of
from support.cli_runner import upcard

from upcard.ledger import schema as book
from upcard.ledger.journal import row_hash, utc_now
from upcard.ledger.keyring import Keyring
from upcard.ledger.sealing_key import book_id
from upcard.ledger.seals import NOT_SEALED
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.history_check import TRIGGERS, RecordsReport, check
from upcard.service.key_rotation import rotate_key
from upcard.service.refusals import Refused
from upcard.service.whole_book_check import check_everything

TABLES = {table.name: table for table in schema.metadata.sorted_tables}
CELLS = [(table.name, column.name) for table in schema.metadata.sorted_tables for column in table.columns]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything is in it: shoes that are over, a void round, a refusal, a closed table, a hand on the felt."""
    path = tmp_path_factory.mktemp("lived") / "book.db"
    store = Store.create(str(path), ring(KEY))
    service = service_of(store)
    open_house(service, "T1", "T2")
    play(service, "T2", 1)
    for player in ("T2 Ann", "T2 Bob"):
        service.desk.do(s.Leave(table="T2", player=player), id=f"leave-{player}", actor=player, role="player")
    service.desk.do(s.CloseTable(table="T2", tray=1_000_000, why="counted by two"), id="close", actor="Dana")
    play(service, "T1", 4)
    with pytest.raises(Refused):
        service.desk.do(s.Hit(table="T1", spot=1), id="too-early", actor="T1 Ann", role="player")
    play(service, "T1", 0, into_a_hand=True)
    service.desk.do(s.Void(table="T1", why="a card on the floor"), id="void", actor="Dana")
    play(service, "T1", 2, into_a_hand=True)
    store.close()
    return path


@contextmanager
def unguarded(path: Path) -> Iterator[Callable[[], Any]]:
    """A copy whose guards are set aside; what is done to it is undone after each `with`."""
    store = Store.open(str(path), ring(KEY))
    with store.transaction() as unit:
        for table in (*schema.APPEND_ONLY, *book.JOURNAL):
            for change in ("update", "delete"):
                unit.connection.execute(sa.text(f"DROP TRIGGER {table.name}_no_{change}"))

    @contextmanager
    def tampering() -> Iterator[Unit]:
        with store.engine.connect() as connection, connection.begin() as transaction:
            yield Unit(connection)
            transaction.rollback()

    yield tampering
    store.close()


@pytest.fixture
def tampered(lived: Path, tmp_path: Path) -> Iterator[Callable[[], Any]]:
    with unguarded(Path(shutil.copy(lived, tmp_path / "book.db"))) as tampering:
        yield tampering


def checked(unit: Unit, key: bytes | None = KEY) -> RecordsReport:
    """The check, but for the guards, which these tests have set aside."""
    report = check(unit, None if key is None else ring(key))
    report.findings = [finding for finding in report.findings if finding.place != TRIGGERS]
    return report


def keys(table: sa.Table) -> list[str]:
    return [column.name for column in table.primary_key]


def place(table: sa.Table, row: Any) -> Any:
    return sa.and_(*(table.c[key] == row[key] for key in keys(table)))


def test_a_tables_whole_history_is_replayed_to_its_last_record(tampered: Callable[[], Any]) -> None:
    with tampered() as unit:
        report = checked(unit)
        assert report.findings == []
        assert report.notes == []
        assert report.replayed == report.records == len(list(unit.rows(schema.history, "id")))
        assert report.shoes >= 3
        assert report.refused == 1
        assert report.rounds == len(list(unit.rows(schema.rounds, "round"))) >= 8


@pytest.mark.parametrize("name", TABLES)
def test_any_cell_that_was_changed_is_found(tampered: Callable[[], Any], name: str) -> None:
    table = TABLES[name]
    with tampered() as unit:
        rows = list(unit.rows(table, *keys(table)))
    for column in (column for owner, column in CELLS if owner == name):
        for row in (rows[0], rows[-1]):
            with tampered() as unit:
                old = row[column]
                text = f"{str(old)[:-1]}{'x' if str(old)[-1:] != 'x' else 'y'}" if old else "c4"
                new = old + 1000 if isinstance(old, int) else text
                unit.connection.execute(sa.update(table).where(place(table, row)).values({column: new}))
                assert not checked(unit).sound, (name, column, row)


@pytest.mark.parametrize("name", TABLES)
def test_a_deleted_row_is_found(tampered: Callable[[], Any], name: str) -> None:
    table = TABLES[name]
    with tampered() as unit:
        rows = list(unit.rows(table, *keys(table)))
    for row in rows[:: max(len(rows) // 3, 1)]:
        with tampered() as unit:
            unit.connection.execute(sa.delete(table).where(place(table, row)))
            assert not checked(unit).sound, row


def test_records_resealed_with_the_key_must_still_follow_the_rules(tampered: Callable[[], Any]) -> None:
    """Somebody with program and key changes a card and seals the stream again: the shoe's key finds it."""
    with tampered() as unit:
        rows = [row for row in unit.rows(schema.history, "stream", "number") if row["stream"] == "table:T1"]
        first = next(row for row in rows if '"card":"' in row["events"])
        at = first["events"].index('"card":"') + len('"card":"')
        card = "2" if first["events"][at] != "2" else "3"
        changed = {"events": f"{first['events'][:at]}{card}{first['events'][at + 1 :]}"}
        rehash(unit, rows, first["number"], changed, ring(KEY))
        (finding,) = checked(unit).findings
        assert finding.sentence == f"the events of record {first['number']} do not follow from the rules"
        assert finding.place == f"table:T1 record {first['number']}"


@pytest.mark.parametrize("stream", ["table:T1", "table:T2", "house"])
def test_records_rehashed_without_the_key_are_detected(tampered: Callable[[], Any], stream: str) -> None:
    """Who said the last word of a stream is changed, where no money moved: only the seals tell."""
    with tampered() as unit:
        rows = [row for row in unit.rows(schema.history, "stream", "number") if row["stream"] == stream]
        rehash(unit, rows, rows[-1]["number"], {"role": "auditor"}, None)
        assert checked(unit, None).sound
        (finding,) = checked(unit).findings
        assert finding.sentence == NOT_SEALED


def test_rehashed_or_deleted_refusals_are_detected(tampered: Callable[[], Any]) -> None:
    refusals = schema.refusals
    with tampered() as unit:
        (row,) = unit.rows(refusals, "number")
        forged = {**row, "actor": "T1 Bob"}
        forged["hash"] = row_hash("0" * 64, forged)
        unit.connection.execute(sa.update(refusals).values(forged))
        head = sa.update(schema.streams).where(schema.streams.c.stream == row["stream"])
        unit.connection.execute(head.values(refusals_hash=forged["hash"]))
        assert checked(unit, None).sound
        assert [finding.sentence for finding in checked(unit).findings] == [NOT_SEALED]
    with tampered() as unit:
        unit.connection.execute(sa.delete(refusals))
        (finding,) = checked(unit, None).findings
        assert str(finding) == "refusals of table:T1: 1 were written, but the last one stored is number 0"


def rehash(unit: Unit, rows: list[Any], number: int, changed: dict[str, str], keyring: Keyring | None) -> None:
    """Every hash of a stream made again, one after the other, and every seal where there is a key."""
    previous = "0" * 64
    for row in rows:
        new_row = {**row, **(changed if row["number"] == number else {})}
        new_row["hash"] = previous = row_hash(previous, new_row)
        if keyring is not None:
            new_row["mac"] = keyring.newest.mac(book_id(unit.connection) + previous)
        unit.connection.execute(sa.update(schema.history).where(place(schema.history, row)).values(new_row))
    streams = sa.update(schema.streams).where(schema.streams.c.stream == rows[0]["stream"])
    unit.connection.execute(streams.values(hash=previous))


def test_a_settlement_in_the_book_that_no_record_asked_for_is_found(tampered: Callable[[], Any]) -> None:
    with tampered() as unit:
        entries = book.entries
        settled = next(row for row in unit.rows(entries, "chain", "number") if '"settle-round"' in row["request"])
        request = json.loads(settled["request"])
        request["slips"][0]["paid"] += 500
        request_json = json.dumps(request, separators=(",", ":"), sort_keys=True)
        unit.connection.execute(sa.update(entries).where(place(entries, settled)).values(request=request_json))
        assert "is for another request" in checked(unit).findings[0].sentence
        assert not checked(unit, None).sound  # without the operator's key the sums still differ


def test_without_the_operators_key_the_check_says_what_it_verified(tampered: Callable[[], Any]) -> None:
    with tampered() as unit:
        report = checked(unit, None)
        assert report.findings == []
        assert 0 < report.replayed < report.records
        (note,) = report.notes
        assert note.startswith("T1: records ")
        assert "the operator's key is not available" in note
        (finding,) = checked(unit, OTHER).findings
        assert "was encrypted with another operator's key" in finding.sentence


def test_a_removed_database_trigger_is_reported(lived: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(lived, tmp_path / "book.db"))
    store = Store.open(str(path), ring(KEY))
    with store.transaction() as unit:
        unit.connection.execute(sa.text("DROP TRIGGER history_no_update"))
    with store.view() as unit:
        (finding,) = check(unit, ring(KEY)).findings
    assert str(finding).endswith("no longer refuses UPDATE on history: its trigger is missing or changed")
    store.close()


def test_a_table_reset_after_its_key_was_lost_is_followed_on_both_sides(lived: Path, tmp_path: Path) -> None:
    """The round on the felt is void, with a row of its own; what came out of the lost shoe is told unchecked."""
    path = Path(shutil.copy(lived, tmp_path / "book.db"))
    store = Store.open(str(path), ring(OTHER))
    with (
        pytest.raises(BadRequest, match="which is not in this key file; copy the newest key file"),
        store.transaction(),
    ):
        pass
    with pytest.raises(BadRequest, match="only if that key is lost for good, use --lost"):
        rotate_key(store, utc_now(), "Dana")
    rotate_key(store, utc_now(), "Dana", lost=True)
    service = service_of(store)
    with pytest.raises(Refused, match=r"T1 is stopped: the key of shoe . was encrypted with another operator's key"):
        service.desk.do(s.Deal(table="T1"), id="deal", actor="Dana")
    service.desk.do(s.Reset(table="T1", why="the key was lost"), id="reset", actor="Dana")
    round_ended = service.desk.live("T1").round
    row = service.queries.round("T1", round_ended)
    assert row is not None
    assert row["void"] == {"code": "void/reset", "note": "the key was lost"}
    assert len(row["records"]) == 1
    play(service, "T1", 2)
    restarted = service_of(store)
    assert restarted.desk.live("T1") == service.desk.live("T1")
    with store.view() as unit:
        report = check(unit, ring(OTHER))
    assert report.findings == []
    (note,) = report.notes
    assert "could not be replayed" in note
    with store.view() as unit:
        full_report = check_everything(unit, ring(OTHER))
    assert full_report.sound, full_report.findings
    assert any("the key before it was lost" in note for note in full_report.notes)
    assert any(f"the operator's key {ring(KEY).newest.id} is not here" in note for note in full_report.notes)
    with store.view() as unit:
        findings = check_everything(unit, ring(KEY, OTHER)).findings
    assert "without the seal of the key before it, which is not lost" in findings[0].sentence
    store.close()


def test_another_process_follows_a_reset(lived: Path, tmp_path: Path) -> None:
    """A process that knows the table and did not stop it catches up over the record of the reset."""
    path = Path(shutil.copy(lived, tmp_path / "book.db"))
    store, other = Store.open(str(path), ring(KEY)), Store.open(str(path), ring(KEY))
    first, second = service_of(store), service_of(other)
    first.desk.do(s.BuyIn(table="T1", player="T1 Ann", amount=100), id="chips", actor="Dana")
    with second.desk.store.engine.begin() as connection:  # nobody can open the shoe any more
        connection.execute(sa.update(schema.shoes).where(schema.shoes.c.key.is_(None)).values(encrypted_key="00"))
    second.desk.do(s.Reset(table="T1", why="the key was lost"), id="reset", actor="Dana")
    assert first.desk.cache.lives["table:T1"].version < second.desk.live("T1").version
    with pytest.raises(Refused, match="there is nothing to close right now"):  # the hand is over, by the other's record
        first.desk.do(s.Deal(table="T1"), id="deal", actor="Dana")
    store.close()
    other.close()


def test_ids_of_timers_and_of_ledger_requests_are_reserved(lived: Path, tmp_path: Path) -> None:
    store = Store.open(str(shutil.copy(lived, tmp_path / "book.db")), ring(KEY))
    service = service_of(store)
    for name in ("timer:T1:13/betting", "open-T1//1", "a#b", ""):
        with pytest.raises(Refused, match="a command id has 1 to 150 printable characters"):
            service.desk.do(s.Ready(table="T1", player="T1 Ann"), id=name, actor="T1 Ann", role="player")
    store.close()


def test_ledger_check_verifies_book_and_tables_with_the_given_key(lived: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(lived, tmp_path / "book.db"))
    partly = upcard("ledger", "check", str(path))
    assert partly.code == 0
    assert "Not checked: T1: records" in partly.out
    assert "Not checked: the seals of" in partly.out
    key_file = tmp_path / "elsewhere.key"
    key_file.write_text(KEY.hex())
    key_file.chmod(0o600)
    report = upcard("ledger", "check", str(path), "--key", str(key_file), "--json").json
    assert (report["sound"], report["service"]["notes"]) == (True, [])
    assert report["service"]["replayed"] == report["service"]["records"] > 50
    assert "there is no key file" in upcard("ledger", "check", str(path), "--key", "/none").err
    store = Store.open(str(path), ring(KEY))
    with store.transaction() as unit:
        unit.connection.execute(sa.update(schema.streams).values(due="2031-01-01T00:00:00.000000Z"))
    store.close()
    unsound = upcard("ledger", "check", str(path), "--key", str(key_file))
    assert unsound.code == 1
    assert "Wrong: " in unsound.out
