"""A spoiled book is told, never a traceback: rows of wrong types, missing tables, chains nobody knows."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ledger.book_driver import BookDriver
from pydantic import ValidationError
from support.cli_runner import upcard
from support.empty_books import KEYRING
from support.guards import set_guards_aside

from upcard.catalog import shipped
from upcard.ledger import requests as r
from upcard.ledger.batch_unit import Memory
from upcard.ledger.book import Book
from upcard.ledger.journal import GENESIS, entry_hash
from upcard.ledger.schema import Cell
from upcard.ledger.store import Store

LADIES = "Lucky Ladies Jackpot"


@pytest.fixture
def spoilt(empty_file: Path, tmp_path: Path) -> str:
    """A small sound book on SQLite, its guards set aside so that it can be spoiled."""
    path = tmp_path / "book.db"
    path.write_bytes(empty_file.read_bytes())
    store = Store.open(str(path), KEYRING)
    book = Book(store, shipped())
    with book.batch(Memory()) as clerk:
        driver = BookDriver(book, clerk=clerk)
        driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
        driver.table("T1", "lucky-ladies-progressive", LL=LADIES)
        driver.hand("T1", {"Ann": 100}, LADIES)
        assert driver.check().sound
        set_guards_aside(clerk.unit.connection)
    store.close()
    return str(path)


def spoil(path: str, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (
            "UPDATE movements SET before = 'x' WHERE number = 1",
            "jackpot:LL 1: before of movements is not a whole number",
        ),
        (
            "UPDATE entries SET request = CAST(request AS BLOB) WHERE chain = 'table:T1' AND number = 2",
            "table:T1 2: request of entries is not text",
        ),
        ("UPDATE entries SET actor = x'00' WHERE chain = 'house'", "house 1: actor of entries is not text"),
        ("UPDATE entries SET actor = CAST(x'ff' AS TEXT) WHERE chain = 'house'", "the journal: cannot be read"),
        ("UPDATE entries SET chain = x'00' WHERE chain = 'house'", "the name of its chain is not text"),
        ("UPDATE transfers SET amount = 1.5 WHERE chain = 'table:T1'", "amount of transfers is not a whole number"),
        ("UPDATE chains SET state = x'00' WHERE chain = 'table:T1'", "table:T1: state of chains is not text"),
        ("UPDATE chains SET state = CAST(x'ff' AS TEXT)", "chains: cannot be read"),
        ("UPDATE balances SET debits = 'x' WHERE account = 'tray:T1'", "balance of tray:T1: debits of balances is not"),
        ("DROP TABLE movements", "movements: this table is missing from the database"),
        ("DROP TABLE balances", "balances: this table is missing from the database"),
        ("ALTER TABLE balances DROP COLUMN debits", "balances: cannot be read"),
    ],
)
def test_a_damaged_row_or_table_is_found(spoilt: str, statement: str, named: str) -> None:
    spoil(spoilt, statement)
    result = upcard("ledger", "check", spoilt)
    assert (result.code, result.err) == (1, "")
    assert named in result.out.replace("\n", " ")


def test_a_sealed_entry_in_an_unknown_chain_is_found(spoilt: str) -> None:
    names = ("chain", "number", "format", "command", "part", "at", "day", "actor", "request", "answer", "key")
    values = ("ghost:1", 1, 1, "boo", 0, "2026-03-02T18:00:00.000000Z", "2026-03-02", "Eve", "{}", "{}", 1)
    fields: dict[str, Cell] = dict(zip(names, values, strict=True))
    new_hash = entry_hash(fields, GENESIS, [], [])
    statement = f"INSERT INTO entries ({', '.join(names)}, hash, mac) VALUES ({', '.join('?' * 13)})"
    spoil(spoilt, statement, *values, new_hash, KEYRING.newest.mac(new_hash))
    result = upcard("ledger", "check", spoilt)
    assert (result.code, result.err) == (1, "")
    assert "ghost:1: is not the name of a chain" in result.out


def one_sentence(sentence: str, *words: str) -> None:
    result = upcard(*words)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
    assert sentence in result.err


def test_a_file_that_cannot_become_a_book_is_refused_and_not_changed(tmp_path: Path, spoilt: str) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a database at all, but long enough to be taken for one" * 40)
    spoil(str(other), "CREATE TABLE songs (name TEXT)")
    before = other.read_bytes()
    spoil(spoilt, "UPDATE alembic_version SET version_num = 'later'")
    for address, sentence in (
        (str(tmp_path / "no" / "such.db"), "cannot be made into a book: unable to open"),
        (str(tmp_path), "cannot be made into a book: unable to open"),
        (str(text), "cannot be made into a book: file is not a database"),
        (spoilt, "cannot be made into a book: Can't locate revision"),
        ("postgresql://nobody@127.0.0.1:1/b", "cannot be made into a book: "),
        (str(other), "is a database of another program"),
    ):
        one_sentence(sentence, "ledger", "migrate", address)
    assert other.read_bytes() == before


def test_an_unreadable_book_is_referred_to_the_check(spoilt: str) -> None:
    one_sentence("9999-12-31 is too late", "ledger", "report", spoilt, "9999-12-31")
    one_sentence("is not an address like postgresql://", "ledger", "check", "postgresql://h:abc/b")
    spoil(spoilt, "UPDATE chains SET state = '{' WHERE chain = 'jackpot:LL'")
    for words in (("jackpots", spoilt), ("jackpots", spoilt, "LL"), ("ledger", "report", spoilt)):
        one_sentence("run upcard ledger check", *words)
    assert upcard("ledger", "check", spoilt).code == 1


def test_a_statement_of_an_unknown_account_or_of_reversed_days_is_refused(spoilt: str) -> None:
    one_sentence(
        "there is no account 'player:Anm'; did you mean player:Ann", "ledger", "statement", spoilt, "player:Anm"
    )
    days = ("--since", "2026-03-05", "--until", "2026-03-04")
    one_sentence("--since 2026-03-05 is after --until 2026-03-04", "ledger", "statement", spoilt, "player:Ann", *days)
    assert upcard("ledger", "statement", spoilt, "player:Ann", "--since", "2030-01-01").code == 0


def test_an_amount_has_an_upper_bound() -> None:
    with pytest.raises(ValidationError, match="less than or equal to"):
        r.Fill(table="T1", amount=10**30)
