"""Somebody with the database at work: changes, deletes and inserts rows, and makes hashes, heads and seals again.

Anybody can compute hashes. Seals need the operator's keys, which a forger may have stolen.
"""

import json
import re
from collections import defaultdict
from datetime import date, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from service.own_workspace import own_files
from upgrades.small_house import APPROVAL, PASSWORD, House, jackpots_of

from upcard.ledger import schema as book
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import GENESIS, canonical, entry_hash, row_hash
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import SetHours
from upcard.ledger.sealing_key import book_id
from upcard.ledger.unit import Unit
from upcard.people import Role
from upcard.people import schema as people
from upcard.people.register import sealed_text
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.checkpoint import Checkpoint
from upcard.service.publishing import propose
from upcard.service.whole_book_check import FullReport, check_everything

Row = dict[str, Any]
TABLES = {
    table.name: table
    for metadata in (book.metadata, schema.metadata, people.metadata)
    for table in metadata.sorted_tables
}
CHAIN_OF = {"entries": "chain", "history": "stream", "refusals": "chain", "people_log": None, "keys": None}


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
    proposal = propose(house.service.desk, own_files())
    house.do(s.House(request=s.PublishCatalog(revision=proposal.revision, content=proposal.content)))


class Forgery:
    """A forger at work."""

    def __init__(self, unit: Unit, keyring: Keyring, signed: Checkpoint) -> None:
        self.unit, self.keyring, self.signed = unit, keyring, signed

    def check(self) -> FullReport:
        """What the operator finds; the guards were set aside, and are not counted."""
        report = check_everything(self.unit, self.keyring)
        findings = tuple(finding for finding in report.findings if "the database no longer refuses" not in str(finding))
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

    def insert(self, name: str, row: Row) -> None:
        self.unit.connection.execute(sa.insert(TABLES[name]).values(row))

    def rehash(self) -> None:
        """Every hash of every chain made again, and every head, as anybody can."""
        self._redo_chains(sealed=False)

    def reseal(self) -> None:
        """Every hash and head, and every seal and signature, with the operator's stolen keys."""
        self._redo_chains(sealed=True)
        mac = self.keyring.newest.mac_of(book_id(self.unit.connection))
        for table in people.SEALED:
            for row in self.rows(table.name):
                seal = mac(sealed_text(table, row))
                if seal != row["mac"]:
                    self.change(table.name, row, {"mac": seal})

    def _redo_chains(self, *, sealed: bool) -> None:
        parts = self._parts()
        for name in ("keys", *(name for name in CHAIN_OF if name != "keys")):  # the first key is part of every seal
            column, ends = CHAIN_OF[name], dict[str, tuple[int, str]]()
            for row in self.rows_in_order(name):
                chain = name if column is None else row[column]
                previous = ends.get(chain, (0, GENESIS))[1]
                if name == "entries":
                    columns = {str(key): value for key, value in row.items() if key not in ("hash", "mac")}
                    new = entry_hash(columns, previous, *parts[row["chain"], row["number"]])
                else:
                    new = row_hash(previous, row)
                values = {"hash": new, **(self._seals(name, row, new) if sealed else {})}
                if any(row[key] != value for key, value in values.items()):
                    self.change(name, row, values)
                ends[chain] = row["number"], new
            self._heads(name, ends)

    def rows_in_order(self, name: str) -> list[Row]:
        column = CHAIN_OF[name]
        order = ("number",) if column is None else (column, "number")
        return [dict(row) for row in self.unit.rows(TABLES[name], *order)]

    def _seals(self, name: str, row: Row, new_hash: str) -> Row:
        keys = self.keyring.keys
        if name != "keys":
            key = keys[min(max(row["key"], 1), len(keys)) - 1]
            return {"mac": key.mac_of(book_id(self.unit.connection))(new_hash)}
        number = min(max(row["number"], 1), len(keys))
        if number == 1:
            return {"mac_by_new": keys[0].mac(new_hash)}
        old = keys[number - 2]
        by_old = {"mac_by_previous": old.mac(new_hash), "signature_by_previous": old.sign(new_hash)}
        return {"mac_by_new": keys[number - 1].mac(new_hash), **by_old}

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
    """Another value of the same kind, as a careful forger chooses it: a time stays a time, and JSON stays JSON."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    text = str(value or "")
    if text[:1] in ("{", "["):
        return canonical(_other_json(json.loads(text)))
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return str(date.fromisoformat(text) - timedelta(days=1))
    if re.fullmatch(r".*\.\d{6}Z", text):
        return f"{text[:-2]}{'0' if text[-2] != '0' else '1'}Z"
    if re.fullmatch(r"[0-9a-f]{32,}", text):
        return f"{text[:-1]}{'0' if text[-1] != '0' else '1'}"
    return f"{text}x"


def _other_json(value: Any) -> Any:
    """The same with one more or one different leaf, the last there is."""
    if isinstance(value, dict):
        last = max(value, default=None)
        return {"x": 1} if last is None else {**value, last: _other_json(value[last])}
    if isinstance(value, list):
        return [*value[:-1], _other_json(value[-1])] if value else ["x"]
    return "x" if value is None else other(value)
