"""The register of people inside one transaction: rows read, changed and written down in the log, at one moment."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from upcard.ledger.journal import instant_of, instant_text
from upcard.ledger.unit import Unit
from upcard.service.clockwork import ACTOR
from upcard.service.people import roles as duties
from upcard.service.people import schema
from upcard.service.people.person import Entry, Person, is_name, key_of
from upcard.service.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service.people.roles import Role

Row = Mapping[str, Any]
_P = schema.people.c
_L = schema.people_log.c


class Register:
    """People, and the log of what is done with them."""

    def __init__(self, unit: Unit, at: datetime) -> None:
        self.connection, self.at = unit.connection, at

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
        return next(iter(self.rows(asked.with_for_update() if hold else asked)), None)

    def rows(self, asked: sa.Executable, **values: object) -> list[Row]:
        """All rows of an answer."""
        return [dict(row) for row in self.connection.execute(asked, values).mappings()]

    def add(self, table: sa.Table, **row: object) -> None:
        """A new row."""
        self.connection.execute(sa.insert(table).values(**row))

    def change(self, table: sa.Table, *where: sa.ColumnElement[bool], **values: object) -> int:
        """Changes rows; says how many, since another may have been first."""
        return self.connection.execute(sa.update(table).where(*where).values(**values)).rowcount

    def drop(self, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
        """Takes rows away; says how many."""
        return self.connection.execute(sa.delete(table).where(*where)).rowcount

    # --- people -----------------------------------------------------------------------------------------------------

    def row(self, name: str, *, hold: bool = False) -> Row | None:
        """Somebody's row, by any spelling of his name."""
        return self.one(schema.people, _P.key == key_of(name), hold=hold) if is_name(name) else None

    def known(self, name: str, *, hold: bool = False) -> Row:
        """Somebody's row, who must be there."""
        if (row := self.row(name, hold=hold)) is None:
            raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=name)
        return row

    def may(self, by: Person, role: Role) -> Person:
        """Somebody as he is now, who must have a role now: what he was told before does not count."""
        row = self.row(by.name)
        if row is None or row["disabled"] or role not in duties.read(row["roles"]):
            raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, roles=role)
        return person_of(row)

    def enter(self, name: str, roles: frozenset[Role], password: str | None, *, guest: bool = False) -> Person:
        """A new person; the name must be free."""
        self.check_free(name)
        self.add(
            schema.people,
            key=key_of(name),
            name=name,
            roles=duties.written(roles),
            password=password,
            guest=guest,
            disabled=False,
            last_step=0,
        )
        return Person(name=name, roles=roles, guest=guest)

    def check_free(self, name: str) -> None:
        """Refuses a name that is none, or somebody's."""
        if not is_name(name):
            raise PeopleRefused(PeopleRefusal.BAD_NAME)
        if key_of(name) == ACTOR:  # records say who acted: nobody is to be taken for the clock
            raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name=ACTOR)
        if (row := self.row(name)) is not None:
            raise PeopleRefused(PeopleRefusal.NAME_TAKEN, name=row["name"])

    def floor(self) -> list[Row]:
        """Who of the floor is there, held in one order so that two of them cannot send each other away."""
        held = sa.select(schema.people).where(_P.roles.contains(Role.FLOOR)).order_by(_P.key).with_for_update()
        return [row for row in self.rows(held) if Role.FLOOR in duties.read(row["roles"]) and not row["disabled"]]

    def everybody(self) -> list[Person]:
        """All people by name."""
        return [person_of(row) for row in self.rows(sa.select(schema.people).order_by(_P.key))]

    # --- the log ----------------------------------------------------------------------------------------------------

    def log(self, who: str, what: str, about: str, before: dict[str, object] | None = None, **after: object) -> None:
        """Writes down what was done; never a secret."""
        row = {"at": self.now, "who": who, "what": what, "about": about}
        self.add(schema.people_log, **row, before=_json(before or {}), after=_json(after))

    def entries(self, since: int, most: int) -> list[Entry]:
        """Lines of the log after a number."""
        asked = sa.select(schema.people_log).where(_L.number > since).order_by(_L.number).limit(most)
        return [_entry(row) for row in self.rows(asked)]


def person_of(row: Row) -> Person:
    """What others may know of a person."""
    return Person(
        name=row["name"],
        roles=duties.read(row["roles"]),
        guest=row["guest"],
        disabled=row["disabled"],
        has_totp=row["codes"] is not None,
    )


def _entry(row: Row) -> Entry:
    told: dict[str, Any] = {name: row[name] for name in ("number", "who", "what", "about")}
    return Entry(**told, at=instant_of(row["at"]), before=json.loads(row["before"]), after=json.loads(row["after"]))


def _json(values: dict[str, object]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=sorted)
