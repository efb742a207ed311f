"""Two databases, one behaviour: what is confirmed is kept, no cent is spent twice, old books migrate."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from ledger.book_driver import MORNING, BookDriver
from ledger.book_requests import answer_of, do
from ledger.conftest import NewBook
from support.empty_books import KEYRING, NewAddress, emptied

from upcard.catalog import shipped
from upcard.ledger import migrations, schema
from upcard.ledger import requests as r
from upcard.ledger.batch_unit import Memory
from upcard.ledger.book import Book, Clerk
from upcard.ledger.check import check
from upcard.ledger.jackpots import requests as j
from upcard.ledger.refusals import BookRefused
from upcard.ledger.store import Store
from upcard.people import schema as people
from upcard.problems import BadRequest
from upcard.service import schema as service

WRITER = """
import json, sys
from datetime import datetime
from ledger.book_requests import do
from sqlalchemy.exc import IntegrityError
from upcard.catalog import shipped
from upcard.ledger.book import Book
from upcard.ledger.keyring import Keyring
from upcard.ledger.refusals import BookRefused
from upcard.ledger.requests import Tip
from upcard.ledger.store import Store

address, name, table, rounds = sys.argv[1:]
book = Book(Store.open(address, Keyring([bytes(32)])), shipped())
at = datetime.fromisoformat("2026-03-02T19:00:00+00:00")
print("ready", flush=True)
sys.stdin.readline()
kept = []
for number in range(int(rounds)):
    for player, amount in (("Ann", 100), ("Nobody", 1)):
        try:
            do(book, Tip(table=table, player=player, amount=amount), id=f"{name}-{player}-{number}", at=at, actor=name)
        except BookRefused as no:
            assert no.reason.name == "PLAYER_NOT_ENOUGH", no
        else:
            kept.append(player)
    try:
        do(book, Tip(table="T1", player="Both", amount=7), id=f"shared-{number}", at=at, actor="both")
    except (IntegrityError, BookRefused):
        pass  # the other was first, and may have spent the last cent by that
print(json.dumps(kept))
"""


def write_together(address: str, tables: tuple[str, str], rounds: int) -> list[list[str]]:
    """Two processes that start at the same moment."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, address, f"p{number}", table, str(rounds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
        )
        for number, table in enumerate(tables)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    kept = []
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        out, _ = writer.communicate(timeout=60)
        assert writer.returncode == 0
        kept.append(json.loads(out))
    return kept


def test_two_processes_never_spend_the_same_cent(new_address: NewAddress) -> None:
    """The same accounts from two tables at once; ids both use are done once; an account never used cannot be spent
    from twice either: its row is made before it is locked (the race Formance documents)."""
    address = new_address()
    store = Store.open(address, KEYRING)
    driver = BookDriver(Book(store, shipped()))
    for table in ("T1", "T2"):
        driver.table(table, "bet-bigger")
    driver.do(r.BuyIn(table="T1", player="Ann", amount=1_500))  # for 15 of the 24 tips
    driver.do(r.BuyIn(table="T1", player="Both", amount=7 * 12))
    first, second = write_together(address, ("T1", "T2"), 12)
    assert first.count("Ann") + second.count("Ann") == 15
    assert "Nobody" not in first + second
    assert (driver.own("player:Ann"), driver.own("player:Both")) == (0, 0)
    assert driver.own("tips:T1") + driver.own("tips:T2") == 1_500 + 84
    assert driver.check().sound
    store.close()


def move_new(clerk: Clerk) -> None:
    """Holds an account where nothing ever moved."""
    with pytest.raises(BookRefused, match="New is"):
        clerk.carry_out(r.Tip(table="T1", player="New", amount=1), id="new", at=MORNING, actor="Dana")


def test_the_empty_account_race(new_book: NewBook) -> None:
    """Two units at once on an account that has no row yet: the second waits for the first's row, and sees its money."""
    book = new_book()
    BookDriver(book).table("T1", "bet-bigger")
    if book.store.engine.dialect.name == "sqlite":
        with book.batch(Memory()) as clerk:
            move_new(clerk)
            raw = sqlite3.connect(book.store.address, timeout=0.1, isolation_level=None)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                raw.execute("BEGIN IMMEDIATE")
            raw.close()
        return
    with book.batch(Memory()) as clerk:
        move_new(clerk)
        with book.store.engine.connect() as other:
            other.execute(sa.text("SET lock_timeout = '200ms'"))
            with pytest.raises(sa.exc.OperationalError, match="lock timeout"):
                other.execute(sa.text("INSERT INTO balances VALUES ('player:New', 0, 0, 0, 0) ON CONFLICT DO NOTHING"))


def test_writers_at_different_tables_do_not_queue_on_postgresql(server: str) -> None:
    store = Store.open(emptied(server), KEYRING)
    book = Book(store, shipped())
    driver = BookDriver(book)
    for table in ("T1", "T2"):
        driver.table(table, "bet-bigger")
    with book.batch(Memory()) as held:
        held.carry_out(r.Fill(table="T1", amount=5), id="held", at=MORNING, actor="Dana")
        do(book, r.Fill(table="T2", amount=5), id="free", at=MORNING, actor="Dana")  # does not wait for T1's
    assert driver.check().sound
    store.close()


def test_a_transaction_is_committed_whole_or_not_at_all(new_book: NewBook) -> None:
    book = new_book()
    driver = BookDriver(book)
    driver.table("T1", "bet-bigger")

    def half_a_unit() -> None:
        with book.batch(Memory()) as clerk:
            clerk.carry_out(r.BuyIn(table="T1", player="Ann", amount=500), id="a", at=driver.at, actor="Dana")
            clerk.carry_out(r.CashOut(table="T1", player="Ann", amount=900), id="b", at=driver.at, actor="Dana")

    with pytest.raises(BookRefused, match=r"Ann is \$4 short"):
        half_a_unit()
    assert driver.own("player:Ann") == 0
    assert driver.check().sound


@pytest.mark.parametrize("revision", ["0001", "0004"])
def test_a_book_made_before_format_1_is_left_as_it_is(tmp_path: Path, revision: str) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as old, old:
        old.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        old.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
    for opening in (Store.open, Store.create):
        with pytest.raises(BadRequest, match="was made before format 1 and cannot be opened"):
            opening(str(path))
    with closing(sqlite3.connect(path)) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchall() == [(revision,)]


def test_the_migrations_run_down_to_an_empty_database_and_up_again(new_book: NewBook) -> None:
    store = new_book().store
    assert migrations.head() == schema.HEAD == store.revision()
    migrations.downgrade(store.engine, "base")
    assert sa.inspect(store.engine).get_table_names() == ["alembic_version"]
    migrations.upgrade(store.engine)
    assert store.revision() == schema.HEAD


def test_the_schema_is_what_the_migrations_make(new_book: NewBook) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with new_book().store.engine.connect() as connection:
        every = sa.MetaData()
        for table in (*schema.metadata.sorted_tables, *service.metadata.sorted_tables, *people.metadata.sorted_tables):
            table.to_metadata(every)
        assert compare_metadata(MigrationContext.configure(connection), every) == []


def test_a_database_that_may_lose_commits_is_refused(server: str, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="synchronous_commit=off, but the book needs on"):
        Store.open(f"{server}&options=-c%20synchronous_commit%3Doff").revision()
    store = Store.create(str(tmp_path / "book.db"))
    with store.engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2}
    store.close()


def test_a_file_that_is_not_a_book_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="there is no book"):
        Store.open(str(tmp_path / "none.db"))
    (tmp_path / "text.db").write_text("not a database at all, only some words that go on and on")
    with pytest.raises(BadRequest, match="cannot be opened as a book: file is not a database"):
        Store.open(str(tmp_path / "text.db"))
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE a (b)").connection.close()
    with pytest.raises(BadRequest, match="is not a book"):
        Store.open(str(tmp_path / "other.db"))
    with pytest.raises(BadRequest, match="cannot be opened as a book") as result:
        Store.open("postgresql://me:secret@127.0.0.1:1/book")
    assert "secret" not in str(result.value)


def test_a_jackpot_and_its_table_are_locked_in_one_order(new_book: NewBook) -> None:
    """A close between two hands sees either all of a command's parts or none."""
    book = new_book()
    driver = BookDriver(book)
    driver.jackpot("BJ", "the-brook", "Galaxy Bonus Jackpot")
    driver.table("T1", "the-brook", BJ="Galaxy Bonus Jackpot")
    driver.hand("T1", {"Ann": 500}, "Galaxy Bonus Jackpot")
    driver.later(days=1)
    checkpoint = answer_of(driver.do(r.CloseDay(day=MORNING.date())), "house")
    assert set(checkpoint["heads"]) == {"house", "table:T1", "jackpot:BJ"}
    driver.do(j.AccrueDay(jackpot="BJ", day=MORNING.date()))
    with book.store.view() as unit:
        assert check(unit).sound
