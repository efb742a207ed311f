"""A tampered row anywhere is found, and so is a journal that was cut off, when a checkpoint is given."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa
from ledger.conftest import NewBook
from ledger.desk import Desk

from upcard.ledger import requests as r
from upcard.ledger import schema
from upcard.ledger.book import Book, Clerk
from upcard.ledger.check import GUARDS, Report
from upcard.ledger.check import check as check_book
from upcard.ledger.journal import Entry, canonical, digest
from upcard.ledger.migrations.guards import add_guards, drop_guards
from upcard.ledger.raw import read
from upcard.ledger.unit import Unit

LADIES = "Lucky Ladies Jackpot"
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")
TABLES = {table.name: table for table in schema.metadata.sorted_tables}
CELLS = [(table.name, column.name) for table in schema.metadata.sorted_tables for column in table.columns]


def live(desk: Desk) -> dict[str, Any]:
    """A small life with everything in it; gives the checkpoint of its first day."""
    desk.jackpot("LL", "lucky-ladies-progressive", LADIES)
    desk.table("T1", "lucky-ladies-progressive", LL=LADIES)
    desk.hand("T1", {"Ann": 100, "Bob": 100}, LADIES, {"Ann": ALL})
    desk.pay("LL", "T1/1")
    desk.do(r.BuyIn(table="T1", player="Ann", amount=700), id="buy-in")
    desk.do(r.Correct(table="T1", transfer="buy-in", amount=200, why="counted twice"))
    desk.later(days=1)
    checkpoint = dict(desk.do(r.CloseDay(day=desk.at.date().replace(day=2))).of("house"))
    desk.hand("T1", {"Ann": 100}, LADIES)
    return checkpoint


@pytest.fixture
def tampered(new_book: NewBook) -> Iterator[Callable[[], Any]]:
    """A sound book whose guards are set aside; what is done to it is undone after each `with`."""
    book: Book = new_book()
    with book.store.unit() as unit:
        desk = Desk(book, clerk=Clerk(unit, book.catalog))
        checkpoint = live(desk)
        assert desk.check(checkpoint).sound
        drop_guards(unit.connection)

    @contextmanager
    def tampering() -> Iterator[tuple[Unit, dict[str, Any]]]:
        with book.store.engine.connect() as connection, connection.begin() as transaction:
            yield Unit(connection), checkpoint
            transaction.rollback()

    yield tampering
    with book.store.unit() as unit:
        add_guards(unit.connection)


def check(unit: Unit, checkpoints: Sequence[dict[str, Any]] = ()) -> Report:
    """The check, but for the guards, which these tests have set aside."""
    report = check_book(unit, checkpoints)
    return replace(report, findings=tuple(one for one in report.findings if one.place != GUARDS))


def found(unit: Unit, *checkpoints: dict[str, Any]) -> Report:
    report = check(unit, checkpoints)
    assert not report.sound
    assert str(report.findings[0])
    return report


def test_any_column_of_any_table_changed_in_any_row_is_found(tampered: Callable[[], Any]) -> None:
    with tampered() as (unit, _):
        rows = {name: list(unit.rows(table, *keys(table))) for name, table in TABLES.items()}
    for name, column in CELLS:
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
def test_a_state_that_is_not_what_its_entries_add_up_to_is_found(
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
        assert "cut off" in first.sentence


def test_a_checkpoint_of_another_book_or_a_changed_one_is_found(tampered: Callable[[], Any]) -> None:
    with tampered() as (unit, checkpoint):
        assert check(unit, [json.loads(json.dumps(checkpoint))]).sound
        heads = {**checkpoint["heads"], "table:T1": [3, "0" * 64]}
        assert "seal" in found(unit, {**checkpoint, "heads": heads}).findings[0].sentence
        other = sealed(checkpoint, balances={"tray:T1": [1, 0, 0, 0]})
        assert "balances are not what the entries" in found(unit, other).findings[0].sentence
        assert "no close" in found(unit, {**checkpoint, "day": "2031-01-01"}).findings[0].sentence
        assert "cannot be read" in found(unit, {"day": checkpoint["day"]}).findings[0].sentence


def sealed(checkpoint: dict[str, Any], **changed: object) -> dict[str, Any]:
    """A checkpoint with something changed, and a seal that fits."""
    other = {name: value for name, value in checkpoint.items() if name != "seal"} | changed
    return {**other, "seal": digest(other)}


def test_a_checkpoint_sealed_anew_is_found(tampered: Callable[[], Any]) -> None:
    """It must name entries, and be the one the day was closed with, warnings and the house's own chain included."""
    with tampered() as (unit, checkpoint):
        assert checkpoint["heads"]["house"][0] == 1
        assert sealed(checkpoint) == checkpoint
        warned = {**checkpoint, "warnings": ["all is well"]}
        assert "seal" in found(unit, warned).findings[0].sentence
        head_of_t1 = checkpoint["heads"]["table:T1"]
        for changed, sentence in (
            ({"heads": {}, "balances": {}}, "it names no chain"),
            ({"heads": {"table:T1": [0, head_of_t1[1]]}}, "which is no entry"),
            ({"heads": {"table:T1": [-1, head_of_t1[1]]}}, "which is no entry"),
            ({"heads": {"table:T1": ["1", head_of_t1[1]]}}, "which is no entry"),
            ({"heads": {"table:T1": [True, head_of_t1[1]]}}, "which is no entry"),
            ({"heads": {"table:T1": 7}}, "cannot be read"),
            ({"heads": {**checkpoint["heads"], "house": [1, "0" * 64]}}, "entry 1 of house is not the one"),
            ({"warnings": ["all is well"]}, "not the one the journal closed this day with"),
        ):
            assert sentence in found(unit, sealed(checkpoint, **changed)).findings[0].sentence


def test_a_journal_sealed_anew_must_still_say_what_the_rules_say(tampered: Callable[[], Any]) -> None:
    """Somebody with the program raises a contribution and seals the rest of the chain again: the rules find him."""
    with tampered() as (unit, _):
        table = schema.transfers
        unit.connection.execute(
            sa.update(table).where(table.c.chain == "jackpot:LL", table.c.reason == "contribution").values(amount=99)
        )
        reseal(unit, "jackpot:LL")
        assert "not what its request moves" in found(unit).findings[0].sentence


def cut(unit: Unit, last: dict[str, int]) -> None:
    """What a careful forger does: cuts every chain, and makes heads, states and balances again."""
    for chain, number in last.items():
        for table in (schema.entries, schema.transfers, schema.movements):
            unit.connection.execute(sa.delete(table).where(table.c.chain == chain, table.c.number > number))
    from upcard.ledger.balances import after
    from upcard.ledger.replay import hours_of, replay

    journal = read(unit)
    hours = hours_of(journal.chains["house"])
    moved = [one for entries in journal.chains.values() for entry in entries for one in entry.transfers]
    unit.connection.execute(sa.delete(schema.balances))
    balances = after({}, moved)
    unit.lock_balances(balances)
    unit.save_balances(balances)
    for chain, entries in journal.chains.items():
        state = replay(entries, hours).state
        assert state is not None
        head(unit, entries[-1], state.model_dump_json())
        assert chain == entries[-1].chain


def head(unit: Unit, entry: Entry, state: str | None) -> None:
    values = {"number": entry.number, "hash": entry.hash, "at": entry.at}
    chains = sa.update(schema.chains).where(schema.chains.c.chain == entry.chain)
    unit.connection.execute(chains.values(values if state is None else {**values, "state": state}))


def reseal(unit: Unit, chain: str) -> None:
    """Every seal of a chain made again, one after the other."""
    rows = [row for row in unit.rows(schema.entries, "chain", "number") if row["chain"] == chain]
    previous = rows[0]["previous"]
    for row in rows:
        where = (schema.entries.c.chain == chain, schema.entries.c.number == row["number"])
        unit.connection.execute(sa.update(schema.entries).where(*where).values(previous=previous))
        journal = read(unit)
        wrong = [one for one in journal.findings if one.place == f"{chain} {row['number']}"]
        entry = entry_of(unit, chain, row["number"])
        unit.connection.execute(sa.update(schema.entries).where(*where).values(hash=entry.hash))
        previous = entry.hash
        assert not wrong or "seal" in wrong[0].sentence
    head(unit, entry, None)


def entry_of(unit: Unit, chain: str, number: int) -> Entry:
    from upcard.ledger.journal import Movement, transfer_of

    (row,) = [one for one in unit.rows(schema.entries, "number") if (one["chain"], one["number"]) == (chain, number)]
    moved = [one for one in unit.rows(schema.transfers, "position") if (one["chain"], one["number"]) == (chain, number)]
    shown = [one for one in unit.rows(schema.movements, "position") if (one["chain"], one["number"]) == (chain, number)]
    names = ("chain", "number", "command", "part", "at", "day", "actor", "request", "answer", "previous")
    fields = ("meter", "reason", "before", "after", "carry")
    return Entry(
        **{name: row[name] for name in names},
        transfers=tuple(transfer_of(one) for one in moved),
        movements=tuple(Movement(**{name: one[name] for name in fields}) for one in shown),
    )


def test_the_journal_itself_refuses_to_be_changed(new_book: NewBook) -> None:
    book = new_book()
    desk = Desk(book)
    for statement in (sa.update(schema.entries).values(actor="Eve"), sa.delete(schema.entries)):
        with pytest.raises(sa.exc.DBAPIError, match="only grows"), book.store.unit() as unit:
            unit.connection.execute(statement)
    assert desk.check().sound
    assert canonical({"b": 1, "a": "é"}) == '{"a":"é","b":1}'


@pytest.mark.parametrize("table", ["entries", "transfers", "movements"])
@pytest.mark.parametrize("change", ["UPDATE", "DELETE"])
def test_a_guard_that_was_taken_away_or_changed_is_found(desk: Desk, table: str, change: str) -> None:
    assert desk.clerk is not None
    connection = desk.clerk.unit.connection
    assert desk.check().sound
    name, server = f"{table}_no_{change.lower()}", connection.dialect.name == "postgresql"
    connection.execute(sa.text(f"DROP TRIGGER {name}{f' ON {table}' if server else ''}"))
    (gone,) = desk.check().findings
    assert str(gone).startswith(f"{GUARDS}: the database no longer refuses {change} on {table}")
    action = "EXECUTE FUNCTION journal_only_grows()" if server else "BEGIN SELECT RAISE(ABORT, 'x'); END"
    condition = "WHEN (OLD.number < 0)"
    connection.execute(sa.text(f"CREATE TRIGGER {name} BEFORE {change} ON {table} FOR EACH ROW {condition} {action}"))
    assert desk.check().findings == (gone,)
