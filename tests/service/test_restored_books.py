"""A book that was put back to an earlier state: nobody plays on with cards that somebody may have seen."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from service.recorded_house import open_house, play
from support.accounts import CHEAP
from support.cli_runner import upcard
from support.empty_books import blank_database

from upcard.ledger.store import Store
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.running import Service, serving

Restore = Callable[[], None]


class StoredBook:
    """A book that can be saved and put back as an operator would, without a word to the program."""

    def __init__(self, address: str, key: Path) -> None:
        self.address, self.key = address, key

    def save(self) -> Restore:
        if not self.address.startswith("postgresql"):
            copy = Path(f"{self.address}.copy")
            with closing(sqlite3.connect(self.address)) as book, closing(sqlite3.connect(copy)) as target:
                book.backup(target)
            return lambda: self._put_back(copy)
        server, name = self._server()
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}_saved TEMPLATE {name}")
        return self._put_back_database

    def _put_back(self, copy: Path) -> None:
        for suffix in ("-wal", "-shm"):
            Path(f"{self.address}{suffix}").unlink(missing_ok=True)
        shutil.copy(copy, self.address)

    def _put_back_database(self) -> None:
        server, name = self._server()
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {name}_saved")
            connection.execute(f"DROP DATABASE {name}_saved")

    def _server(self) -> tuple[str, str]:
        place, _, query = self.address.partition("?")
        front, _, name = place.rpartition("/")
        return f"{front}/postgres?{query}", name

    def check(self) -> None:
        result = upcard("ledger", "check", self.address, "--key", str(self.key))
        assert result.out.endswith("The book is sound.\n"), result


@pytest.fixture(params=["sqlite", "postgresql"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoredBook]:
    with ExitStack() as databases:
        if request.param == "sqlite":
            address = str(tmp_path / "house.db")
        else:
            address = databases.enter_context(blank_database(request.getfixturevalue("server")))
        yield StoredBook(address, tmp_path / "house.key")


def _events(service: Service, table: str, kind: str) -> list[Any]:
    return [
        event
        for record in service.queries.records(table, since=0, most=500)
        for event in record["events"]
        if event["event"] == kind
    ]


def _cards(service: Service, table: str) -> list[str]:
    """The cards that came out of the current shoe so far."""
    live = service.desk.live(table)
    return [str(card) for card in live.pile[: live.drawn]]


def test_a_restored_table_never_deals_the_same_cards_again(book: StoredBook) -> None:
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1", "T2", "T3")
        play(service, "T1", 1, into_a_hand=True)
        play(service, "T2", 1)
        assert service.desk.live("T1").stakes
    restore = book.save()
    with serving(book.address, key=book.key) as service:
        play(service, "T1", 2)
        play(service, "T2", 1)
        play(service, "T3", 1)
        seen = {table: service.queries.shoes(table) for table in ("T1", "T2", "T3")}
    restore()
    with serving(book.address, key=book.key) as service:
        for table in ("T1", "T2", "T3"):
            live = service.desk.live(table)
            assert live.table.round is None
            assert len(_events(service, table, "book-restored")) == 1
            newest = service.queries.shoes(table)[0]
            assert newest["commitment"] not in {shoe["commitment"] for shoe in seen[table]}
            assert newest["number"] == live.shoe
        void = _events(service, "T1", "round-over")[-1]["void"]
        assert void == {"code": "void/restored"}
        assert not service.desk.live("T1").stakes, "they went back"
        for table in ("T1", "T2", "T3"):
            play(service, table, 1)
    book.check()
    with serving(book.address, key=book.key) as service:  # once is enough
        assert len(_events(service, "T1", "book-restored")) == 1
        play(service, "T1", 1)
    book.check()


def test_a_backup_put_back_on_another_machine_is_noticed_too(tmp_path: Path) -> None:
    book, copy = tmp_path / "house.db", tmp_path / "elsewhere" / "house.db"
    copy.parent.mkdir()
    with serving(str(book)) as service:
        open_house(service, "T1")
        play(service, "T1", 1, into_a_hand=True)
        assert upcard("backup", str(book), str(copy)).code == 0
        before = service.queries.shoes("T1")
    shutil.copy(f"{book}.key", f"{copy}.key")
    with serving(str(copy)) as service:
        assert len(_events(service, "T1", "book-restored")) == 1
        assert service.queries.shoes("T1")[0]["commitment"] not in {shoe["commitment"] for shoe in before}
        play(service, "T1", 1)
    with serving(str(copy)) as service:
        assert len(_events(service, "T1", "book-restored")) == 1
    assert upcard("ledger", "check", str(copy)).code == 0
    with serving(str(book)) as service:  # the house itself goes on in the middle of the hand
        assert not _events(service, "T1", "book-restored")
        assert service.desk.live("T1").table.round is not None


def test_nobody_is_signed_in_after_a_restore(book: StoredBook) -> None:
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1")
        people = service.people(clock=None, cost=CHEAP)
        session = people.sign_in_guest(people.add_guest())
        assert people.session(session.token) is not None
    restore = book.save()
    with serving(book.address, key=book.key) as service:
        people = service.people(clock=None, cost=CHEAP)
        people.sign_out(session.token)
        play(service, "T1", 1)
    restore()
    with serving(book.address, key=book.key) as service:
        people = service.people(clock=None, cost=CHEAP)
        assert people.session(session.token) is None
        logged = [entry for entry in people.log() if entry.action == "book-restored"]
        assert [dict(entry.after) for entry in logged] == [{"sessions": 1, "approvals": 0}]
    book.check()


def test_a_service_that_was_killed_or_stopped_finds_no_restore(book: StoredBook) -> None:
    for _ in range(3):
        with serving(book.address, key=book.key) as service:
            if not service.queries.tables():
                open_house(service, "T1")
            play(service, "T1", 1)
            assert not _events(service, "T1", "book-restored")


def test_a_promise_at_a_closed_table_is_withdrawn(book: StoredBook) -> None:
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1")
        play(service, "T1", 1)
        _close(service)
        promised = service.queries.shoes("T1")[0]
        assert promised["key"] is None
    restore = book.save()
    with serving(book.address, key=book.key) as service:
        _open(service)
        play(service, "T1", 1)
    restore()
    with serving(book.address, key=book.key) as service:
        assert service.queries.shoes("T1")[0]["key"] is not None
        _open(service)
        assert service.queries.shoes("T1")[0]["number"] == promised["number"] + 1
        play(service, "T1", 1)
    book.check()


def _close(service: Service) -> None:
    for name in ("T1 Ann", "T1 Bob"):
        service.desk.do(s.Leave(table="T1", player=name), id=f"leave-{name}", actor=name, role="player")
    tray = 1_000_000
    service.desk.do(s.CloseTable(table="T1", tray=tray, why="counted"), id="close", actor="Dana")


def _open(service: Service) -> None:
    live = service.desk.live("T1")
    opening = s.OpenTable(table="T1", layout=live.layout, tray=1_000_000, why="counted")
    service.desk.do(opening, id=f"open-{live.version}", actor="Dana")


def test_each_host_notices_and_one_of_them_renews(server: str, tmp_path: Path) -> None:
    with blank_database(server) as address:
        key, other = tmp_path / "a" / "house.key", tmp_path / "b" / "house.key"
        key.parent.mkdir()
        other.parent.mkdir()
        book = StoredBook(address, key)
        with serving(address, key=key) as service:
            open_house(service, "T1", "T2")
            play(service, "T1", 1)
        shutil.copy(key, other)
        restore = book.save()
        with serving(address, key=key) as first, serving(address, key=other) as second:
            play(first, "T1", 1)
            play(second, "T2", 1)
        restore()
        with serving(address, key=other) as second:  # the first host's records are not its own, but it saw them
            assert len(_events(second, "T1", "book-restored")) == 1
            play(second, "T1", 1, into_a_hand=True)
            with serving(address, key=key) as first:
                assert len(_events(first, "T1", "book-restored")) == 1, "the second host was enough"
                assert first.desk.live("T1").table.round is not None
        book.check()


def test_a_database_restored_under_a_running_service_stops_its_tables(book: StoredBook) -> None:
    with serving(book.address, key=book.key) as service:
        open_house(service, "T1")
    restore = book.save()
    with serving(book.address, key=book.key) as service:
        play(service, "T1", 1)
        if book.address.startswith("postgresql"):
            service.desk.store.engine.dispose()
            restore()
        else:
            store = Store.open(book.address)
            with store.engine.begin() as connection:
                connection.exec_driver_sql("UPDATE streams SET version = 2 WHERE stream = 'table:T1'")
            store.close()
        with pytest.raises(UpcardError, match="the book was restored; restart the service"):
            service.desk.do(s.Deal(table="T1"), id="deal", actor="Dana")
