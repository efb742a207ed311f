"""Attacks that once went unseen, or that only something outside the book shows, each as a forger would do it."""

from collections.abc import Callable
from typing import NamedTuple

import sqlalchemy as sa
from service.forger import TABLES, Forgery, Row

from upcard.ledger import schema as book
from upcard.ledger.unit import Unit


class Snapshot:
    """All rows of a book at one moment."""

    def __init__(self, unit: Unit) -> None:
        self._rows = {
            name: [dict(row) for row in unit.rows(table, *(column.name for column in table.primary_key))]
            for name, table in TABLES.items()
        }

    def put_back(self, forger: Forgery) -> None:
        for name, rows in self._rows.items():
            forger.unit.connection.execute(sa.delete(TABLES[name]))
            if rows:
                forger.unit.connection.execute(sa.insert(TABLES[name]), rows)


class Copies(NamedTuple):
    """Copies of a book: one made before the last checkpoint, and one made at it."""

    before_checkpoint: Snapshot
    at_checkpoint: Snapshot


Tampering = Callable[[Forgery, Copies], None]


def _person(forger: Forgery, name: str) -> Row:
    return next(row for row in forger.rows("people") if row["name"] == name)


def _change_person(column: str, value: object) -> Tampering:
    return lambda forger, _copies: forger.change("people", _person(forger, "Fay"), {column: value})


def _add_person(forger: Forgery, _copies: Copies) -> None:
    forger.insert("people", {**_person(forger, "Flo"), "name": "Eve", "name_key": "eve"})


def _forge_session(forger: Forgery, _copies: Copies) -> None:
    session = forger.rows("sessions")[-1]
    forger.insert("sessions", {**session, "id": "0" * 64, "person": "flo", "confirmed_at": session["seen"]})


def _make_approval(forger: Forgery, _copies: Copies) -> None:
    waiting = next(row for row in forger.rows("approvals") if row["approved_by"] is None)
    given = {"approved_by": "Fay", "approved_at": waiting["requested_at"]}
    forger.insert("approvals", {**waiting, "id": "0" * 32, **given})


def _delete_approval(forger: Forgery, _copies: Copies) -> None:
    forger.delete("approvals", next(row for row in forger.rows("approvals") if row["used_at"] is not None))


def _cut(name: str) -> Tampering:
    def cut(forger: Forgery, _copies: Copies) -> None:
        forger.delete(name, max(forger.rows(name), key=lambda row: (row["number"], str(row))))
        forger.rehash()

    return cut


def _delete_all_refusals(forger: Forgery, _copies: Copies) -> None:
    """And every head, as if there had never been one."""
    forger.unit.connection.execute(sa.delete(TABLES["refusals"]))
    forger.unit.connection.execute(sa.update(TABLES["streams"]).values(refusals=0, refusals_hash="0" * 64))
    forger.unit.connection.execute(sa.delete(book.logs).where(book.logs.c.log == "refusals"))


def _add_trigger(forger: Forgery, _copies: Copies) -> None:
    connection = forger.unit.connection
    if connection.dialect.name == "postgresql":
        action = "FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"
    else:
        action = "BEGIN UPDATE people SET roles = 'floor'; END"
    connection.exec_driver_sql(f"CREATE TRIGGER promote BEFORE UPDATE ON sessions {action}")


def _last_record_without_money(forger: Forgery) -> Row:
    """The last record of the table for which the ledger has no entry."""
    commands = {row["command"].partition("//")[0] for row in forger.rows("entries")}
    records = [row for row in forger.rows("history") if row["stream"] == "table:T1" and row["id"] not in commands]
    return max(records, key=lambda row: row["number"])


def _change_record(column: str, value: str, *, sealed: bool) -> Tampering:
    """Who gave a command that moved no money, or as what."""

    def change(forger: Forgery, _copies: Copies) -> None:
        forger.change("history", _last_record_without_money(forger), {column: value})
        if sealed:
            forger.reseal()
        else:
            forger.rehash()

    return change


KNOWN: dict[str, Tampering] = {
    "the role of an account changed": _change_person("roles", "jackpots"),
    "a password replaced": _change_person("password", "$argon2id$another"),
    "an account added": _add_person,
    "a session forged": _forge_session,
    "an approval made": _make_approval,
    "an approval deleted": _delete_approval,
    "the people's log cut off at its end, its head moved": _cut("people_log"),
    "the last refusal deleted, its head moved": _cut("refusals"),
    "all refusals deleted, and every head": _delete_all_refusals,
    "a trigger added": _add_trigger,
    "the actor of a record without money changed, hashed again": _change_record("actor", "Eve", sealed=False),
    "a record after the last checkpoint rewritten, sealed again with the stolen key": _change_record(
        "role", "floor", sealed=True
    ),
    "a copy of the whole book put back": lambda forger, copies: copies.at_checkpoint.put_back(forger),
    "a copy from before the last checkpoint put back": lambda forger, copies: copies.before_checkpoint.put_back(forger),
}
