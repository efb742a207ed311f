"""Somebody with the database but without the operator's key: whatever they change, and hash again, is found.

Hashes can be computed by anybody, so each change here is followed by what a careful forger does: every hash of the
chain is made again, and its head with it. What is cut off at the end of a chain is found by the last checkpoint.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa
from support.empty_books import NewAddress, blank_database
from upgrades.small_house import APPROVAL, KEY, PASSWORD, House, jackpots_of, open_house

from upcard.ledger import schema as book
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import GENESIS, entry_hash, instant_text, row_hash
from upcard.ledger.keyring import Keyring
from upcard.ledger.migrations.append_only_triggers import drop_triggers
from upcard.ledger.requests import SetHours
from upcard.ledger.sealing_key import book_id
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit
from upcard.people import Role
from upcard.people import schema as people
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.checkpoint import Checkpoint, checkpoint, compare_checkpoints
from upcard.service.key_rotation import rotate_key
from upcard.service.whole_book_check import FullReport, check_everything

Row = dict[str, Any]
TABLES = {
    table.name: table
    for metadata in (book.metadata, schema.metadata, people.metadata)
    for table in metadata.sorted_tables
}
CHAIN_OF = {"entries": "chain", "history": "stream", "refusals": "chain", "people_log": None, "keys": None}
PASSING = ("sessions", "tickets", "sign_in_attempts")  # a deleted row is somebody signed out, or a try forgotten


def small_house(house: House) -> None:
    """A little of everything, so that it is checked quickly."""
    token = house.people.setup_token()
    assert token is not None
    flo = house.people.set_up(token, "Flo", PASSWORD)
    house.people.accept(house.people.invite(flo, "Fay", [Role.FLOOR]), PASSWORD)
    house.people.invite(flo, "Zoe", [Role.CASHIER])
    first, second = house.confirmed("Flo"), house.confirmed("Fay")
    house.approve(second, house.people.ask(first, APPROVAL))
    house.people.ask(first, APPROVAL)
    house.people.ticket(first, "socket")
    with pytest.raises(Exception, match="wrong"):
        house.people.sign_in("Fay", "a wrong password")
    house.do(s.House(request=SetHours(hours=Hours(since=date(2026, 3, 1), zone="UTC", start=6))))
    layout = "lucky-ladies-progressive"
    house.do(s.OpenTable(table="T1", layout=layout, tray=1_000_000, jackpots=jackpots_of("T1", layout)))
    house.play("T1", 1)
    house.refused(s.Hit(table="T1", spot=1), "T1 Ann", "player")
    house.refused(s.Deal(table="Nowhere"), "Flo", "floor")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("seals") / "book.db")
        return
    with blank_database(request.getfixturevalue("server")) as address:
        yield address


@pytest.fixture(scope="module")
def forgery(address: str) -> Iterator[Callable[[], Any]]:
    """A sound book without guards, and a checkpoint; what is done to it is undone after each `with`."""
    Store.create(address).close()
    with open_house(address) as house:
        small_house(house)
        rotate_key(house.store, house.now, "Flo")
        house.refused(s.Hit(table="T1", spot=1), "T1 Ann", "player")
        house.play("T1", 1)
        keyring = house.store.keyring
        assert keyring is not None
        with house.store.view() as unit:
            signed = checkpoint(unit, keyring, instant_text(house.now))
            assert check_everything(unit, keyring, [signed]).sound

    store = Store.open(address, keyring)
    with store.engine.begin() as connection:
        drop_triggers(connection)

    @contextmanager
    def tampering() -> Iterator[Forgery]:
        with store.engine.connect() as connection, connection.begin() as transaction:
            yield Forgery(Unit(connection), keyring, signed)
            transaction.rollback()

    yield tampering
    store.close()


class Forgery:
    """A forger at work."""

    def __init__(self, unit: Unit, keyring: Keyring, signed: Checkpoint) -> None:
        self.unit, self.keyring, self.signed = unit, keyring, signed

    def check(self) -> FullReport:
        """What the operator finds; the guards were set aside, and are not counted."""
        report = check_everything(self.unit, self.keyring)
        findings = tuple(finding for finding in report.findings if not finding.place.startswith("triggers of"))
        return FullReport(
            book=report.book,
            records=report.records,
            people=report.people,
            seals=report.seals,
            notes=report.notes,
            findings=findings,
        )

    def rows(self, name: str) -> list[Row]:
        table = TABLES[name]
        return [dict(row) for row in self.unit.rows(table, *(column.name for column in table.primary_key))]

    def change(self, name: str, row: Row, values: Row) -> None:
        self.unit.connection.execute(sa.update(TABLES[name]).where(self.place(name, row)).values(values))

    def delete(self, name: str, row: Row) -> None:
        self.unit.connection.execute(sa.delete(TABLES[name]).where(self.place(name, row)))

    def place(self, name: str, row: Row) -> sa.ColumnElement[bool]:
        table = TABLES[name]
        return sa.and_(*(column == row[column.name] for column in table.primary_key))

    def rehash(self) -> None:
        """Every hash of every chain made again, and every head."""
        parts = self._parts()
        for name, column in CHAIN_OF.items():
            ends: dict[str, tuple[int, str]] = {}
            order = ("number",) if column is None else (column, "number")
            rows: list[Row] = [dict(row) for row in self.unit.rows(TABLES[name], *order)]
            for row in rows:
                chain = name if column is None else row[column]
                previous = ends.get(chain, (0, GENESIS))[1]
                if name == "entries":
                    columns = {str(name): value for name, value in row.items() if name not in ("hash", "mac")}
                    new = entry_hash(columns, previous, *parts[row["chain"], row["number"]])
                else:
                    new = row_hash(previous, row)
                if new != row["hash"]:
                    self.change(name, row, {"hash": new})
                ends[chain] = row["number"], new
            self._heads(name, ends)

    def _parts(self) -> dict[tuple[str, int], tuple[list[Row], list[Row]]]:
        """The transfers and movements of every entry, without their places."""
        parts: dict[tuple[str, int], tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
        place = ("chain", "number", "position")
        for kind, table in enumerate((book.transfers, book.movements)):
            for row in self.unit.rows(table, *place):
                columns = {str(name): row[name] for name in row if name not in place}
                parts[str(row["chain"]), int(row["number"] or 0)][kind].append(columns)
        return parts

    def _heads(self, name: str, ends: dict[str, tuple[int, str]]) -> None:
        connection, streams, logs = self.unit.connection, schema.streams, book.logs
        for chain, (number, last) in ends.items():
            if name == "entries":
                head = sa.update(book.chains).where(book.chains.c.chain == chain)
                connection.execute(head.values(number=number, hash=last))
            elif name == "history":
                connection.execute(
                    sa.update(streams).where(streams.c.stream == chain).values(version=number, hash=last)
                )
            elif name == "refusals" and chain != "refusals":
                values = {"refusals": number, "refusals_hash": last}
                connection.execute(sa.update(streams).where(streams.c.stream == chain).values(values))
            elif name in ("refusals", "people_log"):
                log = "people" if name == "people_log" else "refusals"
                connection.execute(sa.update(logs).where(logs.c.log == log).values(number=number, hash=last))


def other(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    text = str(value or "")
    return f"{text[:-1]}{'0' if text[-1:] != '0' else '1'}" if text else "c4"


@pytest.mark.parametrize("name", TABLES)
def test_a_changed_cell_hashed_again_is_found(forgery: Callable[[], Any], name: str) -> None:
    """Any cell of the last row of any table, and of one before; with every hash made again and without."""
    with forgery() as forger:
        rows = forger.rows(name)
        assert rows, f"the house has no {name}"
    chance = random.Random(name)
    for column in TABLES[name].columns:
        other_row = chance.choice(rows)
        for row in (rows[-1],) if other_row == rows[-1] else (rows[-1], other_row):
            with forgery() as forger:
                try:
                    forger.change(name, row, {column.name: other(row[column.name])})
                except sa.exc.IntegrityError:
                    continue  # the database refuses it by itself
                if name in (*CHAIN_OF, "transfers", "movements") and column.name not in ("hash", "mac"):
                    forger.rehash()
                assert not forger.check().sound, (name, column.name, row)


@pytest.mark.parametrize("name", [name for name in TABLES if name not in PASSING])
def test_a_deleted_row_is_found(forgery: Callable[[], Any], name: str) -> None:
    with forgery() as forger:
        rows = forger.rows(name)
    for row in rows[:: max(len(rows) // 3, 1)]:
        if name == "balances" and not any(row[side] for side in ("debits", "credits", "pending_debits")):
            continue  # a balance of nothing says nothing
        with forgery() as forger:
            forger.delete(name, row)
            assert not forger.check().sound, row


@pytest.mark.parametrize("name", ["entries", "history", "refusals", "people_log", "keys"])
def test_a_log_cut_off_at_its_end_is_found_by_the_last_checkpoint(forgery: Callable[[], Any], name: str) -> None:
    with forgery() as forger:
        rows = forger.rows(name)
        column = CHAIN_OF[name]
        last = max(rows, key=lambda row: (row["number"], str(row.get(column or ""))))
        if name == "entries":
            for table in ("transfers", "movements"):
                for row in forger.rows(table):
                    if (row["chain"], row["number"]) == (last["chain"], last["number"]):
                        forger.delete(table, row)
        forger.delete(name, last)
        forger.rehash()
        public = [key.public_key for key in forger.keyring.keys]
        findings = compare_checkpoints(forger.unit, [forger.signed], public, None).findings
        assert any("rows were deleted from the end" in finding.sentence for finding in findings)


TAMPERED: dict[str, tuple[sa.Table, Row, Callable[[House], object]]] = {
    "people": (people.people, {"roles": "floor"}, lambda house: house.people.sign_in("Dan", PASSWORD)),
    "invitations": (people.invitations, {"roles": "floor"}, lambda house: house.people.accept(house.link, PASSWORD)),
    "sessions": (
        people.sessions,
        {"confirmed_at": "2026-03-02T18:05:00.000000Z"},
        lambda house: house.people.ticket(house.session, "socket"),
    ),
    "approvals": (
        people.approvals,
        {"approved_by": "Fay", "approved_at": "2026-03-02T18:05:00.000000Z"},
        lambda house: house.people.withdraw(house.session, house.approval.id),
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_row_is_neither_trusted_nor_resealed(new_address: NewAddress, name: str) -> None:
    """What the service does next must not make the change look like its own."""
    table, values, action = TAMPERED[name]
    with open_house(new_address()) as house:
        token = house.people.setup_token()
        assert token is not None
        flo = house.people.set_up(token, "Flo", PASSWORD)
        house.people.accept(house.people.invite(flo, "Dan", [Role.DEALER]), PASSWORD)
        house.link = house.people.invite(flo, "Zoe", [Role.CASHIER])
        house.session = house.people.sign_in("Flo", PASSWORD)
        house.approval = house.people.ask(house.session, APPROVAL)
        with house.store.engine.begin() as connection:
            connection.execute(sa.update(table).values(values))
        with pytest.raises(PeopleRefused) as refused:
            action(house)
        assert refused.value.reason is PeopleRefusal.RECORD_CHANGED
        assert not house.check().sound
        with pytest.raises(PeopleRefused, match="changed outside Upcard"):
            rotate_key(house.store, house.now, "Flo")
        assert not house.check().sound


def test_records_cut_off_before_a_key_rotation_are_detected(forgery: Callable[[], Any]) -> None:
    """The row of the new key says where every chain stood."""
    with forgery() as forger:
        (first, *_) = [row for row in forger.rows("refusals") if row["key"] == 1 and row["chain"] == "refusals"]
        forger.delete("refusals", first)
        forger.unit.connection.execute(sa.delete(book.logs).where(book.logs.c.log == "refusals"))
        findings = [str(finding) for finding in forger.check().findings]
        assert findings == ["key 2: row 1 of refusals of refusals is missing: rows were deleted from the end"]


def test_an_old_row_of_a_person_put_back_is_found(forgery: Callable[[], Any]) -> None:
    """Its seal is right, and it is out of date: the log has the digest of the newest."""
    with forgery() as forger:
        (flo,) = [row for row in forger.rows("people") if row["name"] == "Flo"]
        old = {**flo, "password": "$argon2id$old"}
        key = forger.keyring.newest
        from upcard.people.register import sealed_text

        old["mac"] = key.mac(book_id(forger.unit.connection) + sealed_text(people.people, old))
        forger.change("people", flo, old)
        (finding,) = forger.check().findings
        assert (finding.place, finding.sentence) == ("people: flo", "its row does not match the log")


def test_a_row_sealed_with_a_retired_key_is_found(forgery: Callable[[], Any]) -> None:
    """Whoever stole the old key cannot write with it after the rotation."""
    with forgery() as forger:
        retired = Keyring([KEY]).newest
        last = max(
            (row for row in forger.rows("history") if row["stream"] == "table:T1"), key=lambda row: row["number"]
        )
        forged = {**last, "actor": "Eve", "key": 1}
        before = next(row for row in forger.rows("history") if row["number"] == last["number"] - 1)
        forged["hash"] = row_hash(before["hash"], forged)
        forger.change("history", last, {**forged, "mac": retired.mac(book_id(forger.unit.connection) + forged["hash"])})
        forger.unit.connection.execute(
            sa.update(schema.streams).where(schema.streams.c.stream == "table:T1").values(hash=forged["hash"])
        )
        assert any(
            "is sealed with key 1, but key 2 was in use" in finding.sentence for finding in forger.check().findings
        )


def test_without_the_key_the_check_says_what_it_could_not_verify(forgery: Callable[[], Any]) -> None:
    with forgery() as forger:
        report = check_everything(forger.unit, None)
        ids = [key.id for key in forger.keyring.keys]
        for key_id in ids:
            assert any(f"the operator's key {key_id} is not here" in note for note in report.notes)
        newest_only = check_everything(forger.unit, Keyring([forger.keyring.newest.raw]))
        assert any(ids[0] in note for note in newest_only.notes)
        assert not any(ids[1] in note for note in newest_only.notes)


def test_refusals_before_a_table_opened_are_in_its_trail(new_address: NewAddress) -> None:
    with open_house(new_address()) as house:
        assert house.refused(s.OpenTable(table="T9", layout="bet-bigger"), "Flo", "floor") == "NO_HOURS"
        house.do(s.House(request=SetHours(hours=Hours(since=date(2026, 3, 1), zone="UTC", start=6))))
        house.do(s.OpenTable(table="T9", layout="bet-bigger"))
        assert [row["refused"] for row in house.service.queries.trail("T9")] == [None, "NO_HOURS"]
        assert house.check().sound
