"""The register of people inside one transaction: reads and changes rows, and writes the log."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import canonical, instant_of, instant_text, json_hash, row_hash, utc_now
from upcard.ledger.keyring import Keyring
from upcard.ledger.schema import Cell
from upcard.ledger.unit import Unit
from upcard.people import roles as duties
from upcard.people import schema
from upcard.people.person import CLOCK, LogEntry, LogValue, Person, is_key, is_name, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.roles import Role

Row = Mapping[str, Any]  # as it is stored; it never leaves this package
_log = logging.getLogger(__name__)
_P = schema.people.c
_L = schema.people_log.c

LoggedValue = str | int | frozenset[Role] | None

LOG = "people"  # the name of this log in the table of log heads


class Register:
    """The rows of people, and their log."""

    def __init__(self, unit: Unit, at: datetime, keyring: Keyring | None = None) -> None:
        """With a key ring, a row with a wrong seal is refused and never sealed again."""
        self.unit, self.connection, self.at, self._keyring = unit, unit.connection, at, keyring
        self._unwritten: list[_UnwrittenEntry] = []  # log entries, written by flush()
        self._person_hashes: dict[str, str] = {}  # of the rows of people that this transaction wrote, by name key

    # --- times ------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> str:
        """The time of this transaction, as it is stored."""
        return instant_text(self.at)

    def after(self, time: timedelta) -> str:
        """A time after this transaction's, as it is stored."""
        return instant_text(self.at + time)

    # --- rows -------------------------------------------------------------------------------------------------------

    def find(self, table: sa.Table, *where: sa.ColumnElement[bool], lock: bool = False) -> Row | None:
        """The first matching row, locked for this transaction if wanted."""
        query = sa.select(table).where(*where)
        row = next(iter(self.rows(query.with_for_update() if lock else query)), None)
        return None if row is None else self.verified(table, row)

    def rows(self, query: sa.Executable, **values: object) -> list[Row]:
        return [dict(row) for row in self.connection.execute(query, values).mappings()]

    def add(self, table: sa.Table, **row: object) -> None:
        """Adds a row with its seal; columns that are not given are null."""
        complete = {column.name: row.get(column.name) for column in table.columns if column.name != "mac"}
        self.connection.execute(sa.insert(table).values(self._sealed(table, complete)))

    def change(self, table: sa.Table, *where: sa.ColumnElement[bool], **values: object) -> int:
        """Changes the matching rows and renews their seals; returns how many there were."""
        locked = self.rows(sa.select(table).where(*where).with_for_update())
        for row in locked:
            self.verified(table, row)
            place = [column == row[column.name] for column in table.primary_key]
            self.connection.execute(sa.update(table).where(*place).values(self._sealed(table, {**row, **values})))
        return len(locked)

    def _sealed(self, table: sa.Table, row: Row) -> dict[str, Any]:
        if table is schema.people:
            self._person_hashes[row["name_key"]] = person_hash(row)
        with_key = {**row, "key": self.unit.key_number}
        return {**with_key, "mac": self.unit.mac(sealed_text(table, with_key))}

    def verified(self, table: sa.Table, row: Row) -> Row:
        """The row, if one of the operator's keys sealed it; refused if somebody else wrote or changed it."""
        if self._keyring is None or table not in schema.SEALED:
            return row
        text = self.unit.book + sealed_text(table, {column.name: row[column.name] for column in table.columns})
        if not any(key.mac(text) == row["mac"] for key in reversed(self._keyring.keys)):
            _log.error("a row of %s was changed by somebody without the operator's key", table.name)
            raise PeopleRefused(PeopleRefusal.RECORD_CHANGED)
        return row

    def reseal(self) -> None:
        """Seals all rows with the current key; their contents stay the same."""
        for table in schema.SEALED:
            self.change(table)
        self._person_hashes.clear()

    def delete(self, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
        """Deletes rows; returns how many."""
        return self.connection.execute(sa.delete(table).where(*where)).rowcount

    # --- people -----------------------------------------------------------------------------------------------------

    def find_person(self, name: str, *, lock: bool = False) -> Row | None:
        """A person's row, by any spelling of their name; None: there is no such person."""
        key = name_key(name)
        return self.find(schema.people, _P.name_key == key, lock=lock) if is_key(key) else None

    def person_row(self, name: str, *, lock: bool = False) -> Row:
        """A person's row; an unknown name is refused."""
        if (row := self.find_person(name, lock=lock)) is None:
            raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=name)
        return row

    def require_role(self, by: Person, role: Role) -> Person:
        """The person as they are now; refused unless they have the role now, whatever `by` says."""
        row = self.find_person(by.name)
        if row is None or row["disabled"] or role not in duties.parse_roles(row["roles"]):
            raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, role=role.value)
        return person_of(row)

    def add_person(
        self, name: str, roles: frozenset[Role], password_hash: str | None, *, guest: bool = False
    ) -> Person:
        """Adds a person; the name must be free."""
        self.check_name_is_free(name)
        self.add(
            schema.people,
            name_key=name_key(name),
            name=name,
            roles=duties.roles_text(roles),
            password=password_hash,
            guest=guest,
            disabled=False,
            totp_last_step=0,
        )
        return Person(name=name, roles=roles, guest=guest)

    def check_name_is_free(self, name: str) -> None:
        """Refuses a text that is not a name, and a name that somebody has."""
        if not is_name(name):
            raise PeopleRefused(PeopleRefusal.BAD_NAME)
        if name_key(name) == CLOCK:  # records say who acted: nobody must look like the clock
            raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name=CLOCK)
        if (row := self.find_person(name)) is not None:
            raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name=row["name"])

    def lock_floor(self) -> list[Row]:
        """Everybody on the floor whose account is enabled.

        Their rows are locked in a fixed order, so that two of them cannot disable each other at the same time.
        """
        query = sa.select(schema.people).where(_P.roles.contains(Role.FLOOR)).order_by(_P.name_key).with_for_update()
        rows = [self.verified(schema.people, row) for row in self.rows(query)]
        return [row for row in rows if Role.FLOOR in duties.parse_roles(row["roles"]) and not row["disabled"]]

    # --- the log ----------------------------------------------------------------------------------------------------

    def log(
        self,
        actor: str,
        action: str,
        subject: str,
        before: Mapping[str, LoggedValue] | None = None,
        **after: LoggedValue,
    ) -> None:
        """Adds an entry to the log, without values that are None. A secret must never be in it."""
        given = {name: value for name, value in after.items() if value is not None}
        self._unwritten.append(_UnwrittenEntry(actor, action, subject, before or {}, given))

    def flush(self) -> None:
        """Appends the new entries to the log. Its head is locked last, so that nobody waits for it while locking rows.

        An entry about a person whose row was written has the hash of that row: an old row that is put back shows.
        """
        unlogged = self._person_hashes.keys() - {name_key(entry.subject) for entry in self._unwritten}
        if unlogged:
            raise ValueError(f"a change of {', '.join(sorted(unlogged))} was not logged")
        if not self._unwritten:
            return
        number, last = self.unit.lock_log(LOG)
        for entry in self._unwritten:
            number += 1
            person_hash_now = self._person_hashes.get(name_key(entry.subject))
            after = entry.after if person_hash_now is None else {**entry.after, "person": person_hash_now}
            row: dict[str, Cell] = {"number": number, "format": formats.FORMAT, "at": self.now, "actor": entry.actor}
            row |= {"action": entry.action, "subject": entry.subject}
            row |= {"before": _json(entry.before), "after": _json(after)}
            row["key"] = self.unit.key_number
            last = row_hash(last, row)
            self.connection.execute(sa.insert(schema.people_log), {**row, "hash": last, "mac": self.unit.mac(last)})
        self.unit.move_log(LOG, number, last)
        self._unwritten.clear()
        self._person_hashes.clear()

    def entries(self, since: int, most: int) -> list[LogEntry]:
        """Entries of the log after a number."""
        query = sa.select(schema.people_log).where(_L.number > since).order_by(_L.number).limit(most)
        return [_entry(row) for row in self.rows(query)]


@dataclass(frozen=True, slots=True)
class _UnwrittenEntry:
    """An entry of the log, before it is written."""

    actor: str
    action: str
    subject: str
    before: Mapping[str, LoggedValue]
    after: Mapping[str, LoggedValue]


def all_people(unit: Unit, keyring: Keyring | None = None) -> list[Person]:
    """All people, in the order of their names; with a key ring, a row with a wrong seal is refused."""
    register = Register(unit, utc_now(), keyring)
    rows = register.rows(sa.select(schema.people).order_by(_P.name_key))
    return [person_of(register.verified(schema.people, row)) for row in rows]


def find_person(unit: Unit, keyring: Keyring | None, name: str) -> Person | None:
    """The person of this name, in any spelling of it; None: there is none."""
    row = Register(unit, utc_now(), keyring).find_person(name)
    return None if row is None else person_of(row)


def reseal_people(
    unit: Unit, at: datetime, keyring: Keyring | None, *, actor: str, action: str, keys: tuple[str, str]
) -> None:
    """Seals every row with a new operator's key, and logs the ids of the old and new key.

    With a key ring, a row with a wrong seal is refused and not sealed again.
    """
    register = Register(unit, at, keyring)
    register.reseal()
    old, new = keys
    register.log(actor, action, "", {"key": old}, key=new)
    register.flush()


def person_hash(row: Row) -> str:
    """A hash of a person's row, for the log."""
    return json_hash({str(name): value for name, value in row.items() if name not in ("key", "mac")})[:32]


def sealed_text(table: sa.Table, row: Row) -> str:
    """What the seal of a row covers: the name of its table and all its columns but the seal itself."""
    return canonical([table.name, {str(name): value for name, value in row.items() if name != "mac"}])


def person_of(row: Row) -> Person:
    """A person without their secrets."""
    return Person(
        name=row["name"],
        roles=duties.parse_roles(row["roles"]),
        guest=row["guest"],
        disabled=row["disabled"],
        has_totp=row["totp_secret"] is not None,
    )


def _entry(row: Row) -> LogEntry:
    columns: dict[str, Any] = {name: row[name] for name in ("number", "actor", "action", "subject")}
    return LogEntry(**columns, at=instant_of(row["at"]), before=_parse(row, "before"), after=_parse(row, "after"))


def _parse(row: Row, column: str) -> dict[str, LogValue]:
    values: dict[str, LogValue] = formats.read("people log", row[column], row["format"])
    return values


def _json(values: Mapping[str, LoggedValue]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=sorted)
