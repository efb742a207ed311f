"""A tampered row anywhere is found, and so is a journal that was cut off, when a checkpoint is given."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa
from ledger.book_driver import BookDriver
from ledger.conftest import NewBook
from support.empty_books import KEYRING
from support.guards import put_guards_back, set_guards_aside

from upcard.ledger import requests as r
from upcard.ledger import schema
from upcard.ledger.batch_unit import Memory
from upcard.ledger.book import Book, Clerk
from upcard.ledger.check import TRIGGERS
from upcard.ledger.journal import GENESIS, Entry, canonical, entry_hash, instant_text, json_hash, row_hash
from upcard.ledger.journal_reader import read_journal
from upcard.ledger.keyring import Keyring
from upcard.ledger.sealing_key import book_id
from upcard.ledger.seals import NOT_SEALED
from upcard.ledger.unit import Unit
from upcard.people.check import TRIGGERS as PEOPLE_TRIGGERS
from upcard.service.checkpoint import Checkpoint, read_checkpoint
from upcard.service.checkpoint import checkpoint as checkpoint_of
from upcard.service.history_check import TRIGGERS as RECORD_TRIGGERS
from upcard.service.whole_book_check import FullReport, check_everything

LADIES = "Lucky Ladies Jackpot"
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")
TABLES = {table.name: table for table in schema.metadata.sorted_tables}
CELLS = [(table.name, column.name) for table in schema.metadata.sorted_tables for column in table.columns]


def live(driver: BookDriver) -> Checkpoint:
    """A small life with everything in it; gives a checkpoint after its first day."""
    driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
    driver.table("T1", "lucky-ladies-progressive", LL=LADIES)
    driver.hand("T1", {"Ann": 100, "Bob": 100}, LADIES, {"Ann": ALL})
    driver.pay("LL", "T1/1")
    driver.do(r.BuyIn(table="T1", player="Ann", amount=700), id="buy-in")
    driver.do(r.Correct(table="T1", transfer="buy-in", amount=200, why="counted twice"))
    driver.later(days=1)
    driver.do(r.CloseDay(day=driver.at.date().replace(day=2)))
    assert driver.clerk is not None
    checkpoint = checkpoint_of(driver.clerk.unit, KEYRING, instant_text(driver.at))
    driver.hand("T1", {"Ann": 100}, LADIES)
    return checkpoint


@pytest.fixture
def tampered(new_book: NewBook) -> Iterator[Callable[[], Any]]:
    """A sound book whose guards are set aside; what is done to it is undone after each `with`."""
    book: Book = new_book()
    with book.store.batch(Memory()) as unit:
        driver = BookDriver(book, clerk=Clerk(unit, book.catalog))
        checkpoint = live(driver)
        assert check_everything(unit, KEYRING, [checkpoint]).sound
        guards = set_guards_aside(unit.connection)

    @contextmanager
    def tampering() -> Iterator[tuple[Unit, Checkpoint]]:
        with book.store.engine.connect() as connection, connection.begin() as transaction:
            yield Unit(connection), checkpoint
            transaction.rollback()

    yield tampering
    with book.store.engine.begin() as connection:
        put_guards_back(connection, guards)


def check(
    unit: Unit, checkpoints: Sequence[Checkpoint] = (), keyring: Keyring | None = KEYRING, public_key: str = ""
) -> FullReport:
    """The check, but for the guards, which these tests have set aside."""
    report = check_everything(unit, keyring, checkpoints, [public_key] if public_key else [])
    guards = (TRIGGERS, RECORD_TRIGGERS, PEOPLE_TRIGGERS)
    return replace(report, findings=tuple(finding for finding in report.findings if finding.place not in guards))


def found(unit: Unit, *checkpoints: Checkpoint, keyring: Keyring | None = KEYRING) -> FullReport:
    report = check(unit, checkpoints, keyring)
    assert not report.sound
    assert str(report.findings[0])
    return report


def test_any_column_of_any_table_changed_in_any_row_is_found(tampered: Callable[[], Any]) -> None:
    with tampered() as (unit, _):
        rows = {name: list(unit.rows(table, *keys(table))) for name, table in TABLES.items()}
    for name, column in CELLS:
        if not rows[name]:
            assert name in ("logs", "workspaces")  # a book without people, refusals and files of its own has none
            continue
        for row in (rows[name][0], rows[name][len(rows[name]) // 2], rows[name][-1]):
            with tampered() as (unit, _):
                change(unit, name, row, column)
                found(unit)


def keys(table: sa.Table) -> list[str]:
    return [column.name for column in table.primary_key]


def change(unit: Unit, name: str, row: Any, column: str) -> None:
    table = TABLES[name]
    old = row[column]
    text = f"{str(old)[:-1]}{'x' if str(old)[-1:] != 'x' else 'y'}" if old else "c4"
    new = old + 1000 if isinstance(old, int) else text
    where = sa.and_(*(table.c[key] == row[key] for key in keys(table)))
    unit.connection.execute(sa.update(table).where(where).values({column: new}))


@pytest.mark.parametrize("name", TABLES)
def test_a_deleted_row_is_found(tampered: Callable[[], Any], name: str) -> None:
    table = TABLES[name]
    with tampered() as (unit, _):
        rows = list(unit.rows(table, *keys(table)))
    for row in rows[:: max(len(rows) // 8, 1)]:
        if name == "balances" and not any(row[side] for side in ("debits", "credits", "pending_debits")):
            continue  # a balance of nothing says nothing
        with tampered() as (unit, _):
            where = sa.and_(*(table.c[key] == row[key] for key in keys(table)))
            unit.connection.execute(sa.delete(table).where(where))
            found(unit)


@pytest.mark.parametrize("name", ["entries", "transfers", "movements"])
def test_two_rows_exchanged_are_found(tampered: Callable[[], Any], name: str) -> None:
    """Two rows of one chain change places; nothing else about them."""
    table = TABLES[name]
    place = ("chain", "number") if name == "entries" else ("chain", "number", "position")
    with tampered() as (unit, _):
        rows = [row for row in unit.rows(table, *place) if row["chain"] == "jackpot:LL"]
    for first, second in pairwise(rows):
        with tampered() as (unit, _):
            for row, to in ((first, {"number": 900}), (second, first), (first | {"number": 900}, second)):
                where = sa.and_(*(table.c[key] == row[key] for key in place))
                moved = {key: to[key] for key in place if key in to}
                unit.connection.execute(sa.update(table).where(where).values(moved))
            found(unit)


@pytest.mark.parametrize(
    ("chain", "old", "new"), [("table:T1", '"rounds":2', '"rounds":3'), ("jackpot:LL", "00", "01")]
)
def test_a_state_that_does_not_match_its_entries_is_found(
    tampered: Callable[[], Any], chain: str, old: str, new: str
) -> None:
    with tampered() as (unit, _):
        kept = unit.chain(chain)
        assert kept is not None
        assert old in kept.state
        where = schema.chains.c.chain == chain
        unit.connection.execute(sa.update(schema.chains).where(where).values(state=kept.state.replace(old, new, 1)))
        assert found(unit).findings[0].place == chain


def test_a_journal_cut_off_at_its_end_is_found_by_a_checkpoint(tampered: Callable[[], Any]) -> None:
    """Cut to its first entries with everything beside it made to fit, it looks sound; the checkpoint knows better."""
    with tampered() as (unit, checkpoint):
        cut(unit, {"table:T1": 6, "jackpot:LL": 2, "house": 1})
        assert check(unit).sound
        first = found(unit, checkpoint).findings[0]
        assert "deleted from the end" in first.sentence


def test_an_auditor_verifies_a_checkpoint_with_the_public_key_alone(tampered: Callable[[], Any]) -> None:
    with tampered() as (unit, checkpoint):
        public = KEYRING.newest.public_key
        report = check(unit, [checkpoint], None, public)
        assert report.sound
        assert [note for note in report.notes if "operator's key" in note and "is not here" in note]
        nothing = check(unit, [checkpoint], None)
        assert any("the signature of the checkpoint" in note for note in nothing.notes)
        other = Keyring([bytes(range(32))])
        foreign = checkpoint_of_another(checkpoint, other)
        assert "not signed with the operator's key" in check(unit, [foreign], None, public).findings[0].sentence
        cut(unit, {"table:T1": 6, "jackpot:LL": 2, "house": 1})
        assert "deleted from the end" in check(unit, [checkpoint], None, public).findings[0].sentence


def brought(contents: Mapping[str, object]) -> Checkpoint:
    """A checkpoint as somebody may bring it in a file."""
    read = read_checkpoint(json.dumps(contents).encode())
    assert read is not None
    return read


def checkpoint_of_another(checkpoint: Checkpoint, keyring: Keyring, **changed: object) -> Checkpoint:
    """A checkpoint with something changed, signed with another key."""
    contents = {name: value for name, value in checkpoint.items() if name != "signature"} | changed
    contents |= {"key": keyring.newest.id, "public_key": keyring.newest.public_key}
    return brought({**contents, "signature": keyring.newest.sign(canonical(contents))})


def test_a_checkpoint_that_was_changed_or_is_another_books_is_found(tampered: Callable[[], Any]) -> None:
    with tampered() as (unit, checkpoint):
        assert check(unit, [checkpoint]).sound
        heads = checkpoint["heads"]
        last = heads["entries"]["table:T1"]
        for changed, sentence in (
            ({"book": "0" * 64}, "belongs to another book"),
            ({"heads": {"entries": {"table:T1": [last[0] + 50, last[1]]}}}, "missing: rows were deleted from the end"),
            ({"heads": {"entries": {"table:T1": [last[0], "0" * 64]}}}, "was changed after it was signed"),
            ({"heads": {"entries": {"table:T1": 7}}}, "cannot be read"),
            ({"heads": {"nothing": {"table:T1": last}}}, "cannot be read"),
            ({"heads": {"keys": {"keys": [2, last[1]]}}}, "row 2 of keys is missing"),
            ({"format": 99}, "cannot be read"),
        ):
            forged = checkpoint_of_another(checkpoint, KEYRING, **changed)
            assert sentence in found(unit, forged).findings[0].sentence
            unsigned = brought({**checkpoint, **changed})
            assert not check(unit, [unsigned]).sound
        assert "cannot be read" in found(unit, brought({"at": "x"})).findings[0].sentence


def test_the_checkpoint_of_a_daily_close_is_compared_with_the_journal(tampered: Callable[[], Any]) -> None:
    """A close that names other heads, balances or warnings is found, even with hashes and seals that fit."""
    with tampered() as (unit, _):
        (close,) = [row for row in unit.rows(schema.entries, "number") if '"close-day"' in row["request"]]
        checkpoint = json.loads(close["answer"])
    head_of_t1 = checkpoint["heads"]["table:T1"]
    for changed, sentence in (
        ({"heads": {}, "balances": {}}, "names no chain"),
        ({"heads": {"table:T1": [0, head_of_t1[1]]}}, "which cannot exist"),
        ({"heads": {"table:T1": ["1", head_of_t1[1]]}}, "which cannot exist"),
        ({"heads": {"table:T1": 7}}, "cannot be read"),
        ({"heads": {**checkpoint["heads"], "house": [1, "0" * 64]}}, "entry 1 of house is not the one"),
        ({"balances": {"tray:T1": [1, 0, 0, 0]}}, "balances are not the sums"),
    ):
        with tampered() as (unit, _):
            other = {name: value for name, value in checkpoint.items() if name != "hash"} | changed
            answer = canonical({**other, "hash": json_hash(other)})
            where = (schema.entries.c.chain == "house", schema.entries.c.number == close["number"])
            unit.connection.execute(sa.update(schema.entries).where(*where).values(answer=answer))
            rehash(unit, "house", KEYRING)
            assert sentence in found(unit).findings[0].sentence
    with tampered() as (unit, _):
        answer = canonical({**checkpoint, "warnings": [{"code": "warning/none"}]})
        unit.connection.execute(sa.update(schema.entries).where(*where).values(answer=answer))
        rehash(unit, "house", KEYRING)
        assert "hash of its checkpoint does not match" in found(unit).findings[0].sentence


def test_entries_hashed_again_without_the_key_are_found(tampered: Callable[[], Any]) -> None:
    """The actor of the last entry is another, and its hash computed again: only the seals tell."""
    for chain in ("table:T1", "jackpot:LL", "house"):
        with tampered() as (unit, checkpoint):
            head = unit.chain(chain)
            assert head is not None
            where = (schema.entries.c.chain == chain, schema.entries.c.number == head.number)
            unit.connection.execute(sa.update(schema.entries).where(*where).values(actor="Eve"))
            rehash(unit, chain, None)
            assert check(unit, keyring=None).sound
            first = found(unit).findings[0]
            assert (first.place, first.sentence) == (f"{chain} {head.number}", NOT_SEALED)
            assert check(unit, [checkpoint], None).sound is (chain != "house")  # the others went on after it


def test_a_key_that_replaced_the_operators_is_found(tampered: Callable[[], Any]) -> None:
    """A forger with a key of their own writes the whole book again with it."""
    forger = Keyring([b"f" * 32])
    with tampered() as (unit, checkpoint):
        (row,) = unit.rows(schema.keys, "number")
        new = {**row, "id": forger.newest.id, "public_key": forger.newest.public_key}
        new["hash"] = row_hash(GENESIS, new)
        new["mac_by_new"] = forger.newest.mac(new["hash"])
        unit.connection.execute(sa.update(schema.keys).values(new))
        for chain in list(unit.chains()):
            rehash(unit, chain, forger)
        assert check(unit, keyring=forger).sound
        assert "not in the operator's key file" in found(unit).findings[0].sentence
        assert not check(unit, [checkpoint], None, KEYRING.newest.public_key).sound


def test_a_journal_sealed_again_with_the_key_must_still_follow_the_rules(tampered: Callable[[], Any]) -> None:
    """Somebody with program and key raises a contribution and seals the chain again: the rules find it."""
    with tampered() as (unit, _):
        table = schema.transfers
        unit.connection.execute(
            sa.update(table).where(table.c.chain == "jackpot:LL", table.c.reason == "contribution").values(amount=99)
        )
        rehash(unit, "jackpot:LL", KEYRING)
        assert "not those that its request makes" in found(unit).findings[0].sentence


def cut(unit: Unit, last: dict[str, int]) -> None:
    """What a careful forger does: cuts every chain, and makes heads, states and balances again."""
    for chain, number in last.items():
        for table in (schema.entries, schema.transfers, schema.movements):
            unit.connection.execute(sa.delete(table).where(table.c.chain == chain, table.c.number > number))
    from upcard.ledger.chain_replay import hours_of, replay
    from upcard.ledger.transfers import after

    journal = read_journal(unit)
    hours = hours_of(journal.chains["house"])
    moved = [row for entries in journal.chains.values() for entry in entries for row in entry.transfers]
    unit.connection.execute(sa.delete(schema.balances))
    balances = [{"account": str(account), **row._asdict()} for account, row in after({}, moved).items()]
    unit.connection.execute(sa.insert(schema.balances), balances)
    for chain, entries in journal.chains.items():
        state = replay(entries, hours).state
        assert state is not None
        head(unit, entries[-1], state.model_dump_json())
        assert chain == entries[-1].chain


def head(unit: Unit, entry: Entry, state: str | None) -> None:
    values = {"number": entry.number, "hash": entry.hash, "at": entry.at}
    chains = sa.update(schema.chains).where(schema.chains.c.chain == entry.chain)
    unit.connection.execute(chains.values(values if state is None else {**values, "state": state}))


def rehash(unit: Unit, chain: str, keyring: Keyring | None) -> None:
    """Every hash of a chain made again, one after the other, and every seal where there is a key."""
    rows = [row for row in unit.rows(schema.entries, "chain", "number") if row["chain"] == chain]
    previous = GENESIS
    for row in rows:
        where = (schema.entries.c.chain == chain, schema.entries.c.number == row["number"])
        entry = entry_of(unit, chain, int(row["number"] or 0), previous)
        previous = entry.hash
        sealed = {} if keyring is None else {"mac": keyring.newest.mac(book_id(unit.connection) + entry.hash)}
        unit.connection.execute(sa.update(schema.entries).where(*where).values(hash=entry.hash, **sealed))
    head(unit, entry, None)


def entry_of(unit: Unit, chain: str, number: int, previous: str) -> Entry:
    from upcard.ledger.journal import movement_of, transfer_of

    (stored,) = [row for row in unit.rows(schema.entries, "number") if (row["chain"], row["number"]) == (chain, number)]
    moved = [row for row in unit.rows(schema.transfers, "position") if (row["chain"], row["number"]) == (chain, number)]
    shown = [row for row in unit.rows(schema.movements, "position") if (row["chain"], row["number"]) == (chain, number)]
    names = ("chain", "number", "format", "command", "part", "at", "day", "actor", "request", "answer", "key")
    columns: dict[str, Any] = {name: stored[name] for name in names}
    place = ("chain", "number", "position")
    rows = ([{str(name): row[name] for name in row if name not in place} for row in some] for some in (moved, shown))
    return Entry(
        **columns,
        previous=previous,
        transfers=tuple(transfer_of(row) for row in moved),
        movements=tuple(movement_of(row) for row in shown),
        hash=entry_hash(columns, previous, *rows),
    )


def test_the_journal_itself_refuses_to_be_changed(new_book: NewBook) -> None:
    book = new_book()
    driver = BookDriver(book)
    for statement in (sa.update(schema.entries).values(actor="Eve"), sa.delete(schema.entries)):
        with pytest.raises(sa.exc.DBAPIError, match="only-grows"), book.store.transaction() as unit:
            unit.connection.execute(statement)
    assert driver.check().sound
    assert canonical({"b": 1, "a": "é"}) == '{"a":"é","b":1}'


@pytest.mark.parametrize("table", ["entries", "transfers", "movements"])
@pytest.mark.parametrize("change", ["UPDATE", "DELETE"])
def test_a_trigger_that_was_removed_or_changed_is_found(driver: BookDriver, table: str, change: str) -> None:
    assert driver.clerk is not None
    connection = driver.clerk.unit.connection
    assert driver.check().sound
    name, server = f"{table}_no_{change.lower()}", connection.dialect.name == "postgresql"
    connection.execute(sa.text(f"DROP TRIGGER {name}{f' ON {table}' if server else ''}"))
    (finding,) = driver.check().findings
    assert str(finding).startswith(f"{TRIGGERS}: the database no longer refuses {change} on {table}")
    action = "EXECUTE FUNCTION only_grows()" if server else "BEGIN SELECT RAISE(ABORT, 'x'); END"
    condition = "WHEN (OLD.number < 0)"
    connection.execute(sa.text(f"CREATE TRIGGER {name} BEFORE {change} ON {table} FOR EACH ROW {condition} {action}"))
    assert driver.check().findings == (finding,)
