"""The register of people inside one transaction: rows read, changed and written down in the log, at one moment."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import canonical, digest, instant_of, instant_text, row_hash
from upcard.ledger.keyring import Keyring
from upcard.ledger.schema import Cell
from upcard.ledger.unit import Unit
from upcard.people import roles as duties
from upcard.people import schema
from upcard.people.person import CLOCK, Entry, Logged, Person, is_name, key_of
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.roles import Role

Row = Mapping[str, Any]  # as it is stored; it never leaves this room
_log = logging.getLogger(__name__)
_P = schema.people.c
_L = schema.people_log.c

ToLog = str | int | frozenset[Role] | None

LOG = "people"  # the name under which the head of the log is kept


class Register:
    """People, and the log of what is done with them."""

    def __init__(self, unit: Unit, at: datetime, keyring: Keyring | None = None) -> None:
        """With the operator's keys, no row is believed, or sealed anew, whose seal does not fit."""
        self.unit, self.connection, self.at, self._keyring = unit, unit.connection, at, keyring
        self._lines: list[_Line] = []  # of the log, written at the end
        self._digests: dict[str, str] = {}  # of the people's rows this transaction wrote

    # --- times ------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> str:
        """This moment as it is stored."""
        return instant_text(self.at)

    def after(self, time: timedelta) -> str:
        """A moment that is still to come, as it is stored."""
        return instant_text(self.at + time)

    # --- rows -------------------------------------------------------------------------------------------------------

    def one(self, table: sa.Table, *where: sa.ColumnElement[bool], hold: bool = False) -> Row | None:
        """The one row there is, held for this transaction if wanted."""
        asked = sa.select(table).where(*where)
        row = next(iter(self.rows(asked.with_for_update() if hold else asked)), None)
        return None if row is None else self.verified(table, row)

    def rows(self, asked: sa.Executable, **values: object) -> list[Row]:
        """All rows of an answer."""
        return [dict(row) for row in self.connection.execute(asked, values).mappings()]

    def add(self, table: sa.Table, **row: object) -> None:
        """A new row, with its MAC."""
        whole = {column.name: row.get(column.name) for column in table.columns if column.name != "mac"}
        self.connection.execute(sa.insert(table).values(self._sealed(table, whole)))

    def change(self, table: sa.Table, *where: sa.ColumnElement[bool], **values: object) -> int:
        """Changes rows and renews their MACs; says how many, since another may have been first."""
        held = self.rows(sa.select(table).where(*where).with_for_update())
        for row in held:
            self.verified(table, row)
            place = [column == row[column.name] for column in table.primary_key]
            self.connection.execute(sa.update(table).where(*place).values(self._sealed(table, {**row, **values})))
        return len(held)

    def _sealed(self, table: sa.Table, row: Row) -> dict[str, Any]:
        if table is schema.people:
            self._digests[row["name_key"]] = person_digest(row)
        whole = {**row, "key": self.unit.key_number}
        return {**whole, "mac": self.unit.mac(sealed_text(table, whole))}

    def verified(self, table: sa.Table, row: Row) -> Row:
        """A row that was written with one of the operator's keys; refused where somebody else changed it."""
        if self._keyring is None or table not in schema.SEALED:
            return row
        text = self.unit.book + sealed_text(table, {column.name: row[column.name] for column in table.columns})
        if not any(key.mac(text) == row["mac"] for key in reversed(self._keyring.keys)):
            _log.error("a row of %s was changed by somebody without the operator's key", table.name)
            raise PeopleRefused(PeopleRefusal.RECORD_CHANGED)
        return row

    def reseal(self) -> None:
        """Renews the MACs of all rows with the key that seals now; what they say stays as it is."""
        for table in schema.SEALED:
            self.change(table)
        self._digests.clear()

    def drop(self, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
        """Takes rows away; says how many."""
        return self.connection.execute(sa.delete(table).where(*where)).rowcount

    # --- people -----------------------------------------------------------------------------------------------------

    def row(self, name: str, *, hold: bool = False) -> Row | None:
        """Somebody's row, by any spelling of his name."""
        return self.one(schema.people, _P.name_key == key_of(name), hold=hold) if is_name(name) else None

    def known(self, name: str, *, hold: bool = False) -> Row:
        """Somebody's row, who must be there."""
        if (row := self.row(name, hold=hold)) is None:
            raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=name)
        return row

    def may(self, by: Person, role: Role) -> Person:
        """Somebody as he is now, who must have a role now: what he was told before does not count."""
        row = self.row(by.name)
        if row is None or row["disabled"] or role not in duties.read(row["roles"]):
            raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, role=role.value)
        return person_of(row)

    def enter(self, name: str, roles: frozenset[Role], password: str | None, *, guest: bool = False) -> Person:
        """A new person; the name must be free."""
        self.check_free(name)
        self.add(
            schema.people,
            name_key=key_of(name),
            name=name,
            roles=duties.written(roles),
            password=password,
            guest=guest,
            disabled=False,
            totp_last_step=0,
        )
        return Person(name=name, roles=roles, guest=guest)

    def check_free(self, name: str) -> None:
        """Refuses a name that is none, or somebody's."""
        if not is_name(name):
            raise PeopleRefused(PeopleRefusal.BAD_NAME)
        if key_of(name) == CLOCK:  # records say who acted: nobody is to be taken for the clock
            raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name=CLOCK)
        if (row := self.row(name)) is not None:
            raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name=row["name"])

    def floor(self) -> list[Row]:
        """Who of the floor is there, held in one order so that two of them cannot send each other away."""
        held = sa.select(schema.people).where(_P.roles.contains(Role.FLOOR)).order_by(_P.name_key).with_for_update()
        rows = [self.verified(schema.people, row) for row in self.rows(held)]
        return [row for row in rows if Role.FLOOR in duties.read(row["roles"]) and not row["disabled"]]

    # --- the log ----------------------------------------------------------------------------------------------------

    def log(self, who: str, what: str, about: str, before: Mapping[str, ToLog] | None = None, **after: ToLog) -> None:
        """Writes down what was done; never a secret."""
        self._lines.append(_Line(who, what, about, before or {}, after))

    def flush(self) -> None:
        """Appends the lines to the log. Its head is locked last, so that nobody waits for it with other rows held.

        A line about a person whose row was written has the digest of that row: an old row put back shows."""
        unlogged = self._digests.keys() - {key_of(line.subject) for line in self._lines}
        if unlogged:
            raise ValueError(f"a change of {', '.join(sorted(unlogged))} was not logged")
        if not self._lines:
            return
        number, last = self.unit.lock_log(LOG)
        for line in self._lines:
            number += 1
            digest_now = self._digests.get(key_of(line.subject))
            after = line.after if digest_now is None else {**line.after, "person": digest_now}
            row: dict[str, Cell] = {"number": number, "format": formats.FORMAT, "at": self.now, "actor": line.actor}
            row |= {"action": line.action, "subject": line.subject, "before": _json(line.before), "after": _json(after)}
            row["key"] = self.unit.key_number
            last = row_hash(last, row)
            self.connection.execute(sa.insert(schema.people_log), {**row, "hash": last, "mac": self.unit.mac(last)})
        self.unit.move_log(LOG, number, last)
        self._lines.clear()
        self._digests.clear()

    def entries(self, since: int, most: int) -> list[Entry]:
        """Lines of the log after a number."""
        asked = sa.select(schema.people_log).where(_L.number > since).order_by(_L.number).limit(most)
        return [_entry(row) for row in self.rows(asked)]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the log, before it is written."""

    actor: str
    action: str
    subject: str
    before: Mapping[str, ToLog]
    after: Mapping[str, ToLog]


def everybody(unit: Unit) -> list[Person]:
    """All people by name, as they are stored."""
    rows = unit.connection.execute(sa.select(schema.people).order_by(_P.name_key)).mappings()
    return [person_of(dict(row)) for row in rows]


def seal_anew(
    unit: Unit, at: datetime, keyring: Keyring | None, *, actor: str, action: str, keys: tuple[str, str]
) -> None:
    """After the operator's key changed: every row gets the seal of the new key, and the log says from which to which.

    With the key ring, no row is sealed whose old seal does not fit."""
    register = Register(unit, at, keyring)
    register.reseal()
    old, new = keys
    register.log(actor, action, "", {"key": old}, key=new)
    register.flush()


def person_digest(row: Row) -> str:
    """A digest of what a person's row says, for the log."""
    return digest({str(name): value for name, value in row.items() if name not in ("key", "mac")})[:32]


def sealed_text(table: sa.Table, row: Row) -> str:
    """What the MAC of a row covers: the name of its table and all its columns but the MAC itself."""
    return canonical([table.name, {str(name): value for name, value in row.items() if name != "mac"}])


def person_of(row: Row) -> Person:
    """What others may know of a person."""
    return Person(
        name=row["name"],
        roles=duties.read(row["roles"]),
        guest=row["guest"],
        disabled=row["disabled"],
        has_totp=row["totp_secret"] is not None,
    )


def _entry(row: Row) -> Entry:
    told: dict[str, Any] = {name: row[name] for name in ("number", "actor", "action", "subject")}
    return Entry(**told, at=instant_of(row["at"]), before=_read(row, "before"), after=_read(row, "after"))


def _read(row: Row, column: str) -> dict[str, Logged]:
    read: dict[str, Logged] = formats.read("people log", row[column], row["format"])
    return read


def _json(values: Mapping[str, ToLog]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=sorted)
