"""The people of a house on a clock that the test moves, and a check for the reason of a refusal."""

import json
import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
import sqlalchemy as sa
from support.accounts import CHEAP
from support.change_roles import change_roles

from upcard.ledger import schema as book
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store
from upcard.people import PasswordCost, People, PeopleRefusal, PeopleRefused, Person, Role, Session, schema

PASSWORD = "seven red chairs by the door"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class HouseOfPeople:
    """A book with people. It remembers all entropy it gave out, to search the database for it."""

    def __init__(self, store: Store) -> None:
        self.store, self.at = store, NOON
        self.store_with_another_key: Store | None = None
        self.random = random.Random(7)
        self.lock = threading.Lock()
        self.entropy_used: list[bytes] = []
        self.secrets: dict[str, str] = {}  # of authenticators, by name
        self.people = self.people_at_cost(CHEAP)

    def people_at_cost(self, cost: PasswordCost) -> People:
        return People(self.store, clock=lambda: self.at, entropy=self.entropy, cost=cost)

    def with_another_key(self) -> People:
        self.store_with_another_key = Store.open(self.store.address, Keyring([bytes(range(32))]))
        return People(self.store_with_another_key, clock=lambda: self.at, entropy=self.entropy, cost=CHEAP)

    def entropy(self, count: int) -> bytes:
        with self.lock:
            self.entropy_used.append(self.random.randbytes(count))
            return self.entropy_used[-1]

    def later(self, **time: float) -> None:
        self.at += timedelta(**time)

    def founder(self) -> Person:
        token = self.people.setup_token()
        assert token is not None
        return self.people.set_up(token, "Flo", PASSWORD)

    def find(self, name: str) -> Person | None:
        return next((person for person in self.people.people() if person.name == name), None)

    def person(self, name: str, *roles: Role) -> Person:
        by = self.find("Flo") or self.founder()
        return self.people.accept(self.people.invite(by, name, roles), PASSWORD)

    def open_table(self) -> None:
        """The first set-up is over."""
        with self.store.transaction() as unit:
            chain = {"chain": "table:T1", "number": 1, "format": 1, "hash": "", "at": "", "state": ""}
            unit.connection.execute(sa.insert(book.chains), chain)

    def session(self, name: str, *roles: Role) -> Session:
        """Signed in; with a new code if they have an authenticator, for which the clock moves on."""
        person = self.find(name) or self.person(name, *roles)
        return self.people.sign_in(name, PASSWORD, self.new_code(name) if person.has_totp else "")

    def current(self, session: Session, *, active: bool = False) -> Session | None:
        """A session as it is now, asked for as the service asks for those of open sockets; None: it is over."""
        return self.people.all_current([session], active=[session.id] if active else []).get(session.id)

    def stepped_up(self, name: str, *roles: Role) -> Session:
        """Signed in with a code; their authenticator is set up if they have none."""
        session = self.session(name, *roles)
        if session.person.has_totp:
            return session
        self.secrets[name], _ = self.people.enrol_totp(session)
        return self.people.confirm_totp(session, self.code(self.secrets[name]))

    def new_code(self, name: str) -> str:
        """A code that was not used yet."""
        self.later(seconds=30)
        return self.code(self.secrets[name])

    def invited(self, name: str, *roles: Role, by: Session, second: Session) -> Person:
        """Somebody whom two people have invited."""
        asked = self.people.ask(by, json.dumps({"operation": "invite", "name": name, "roles": roles}))
        approval, _ = self.people.approve(second, asked.id)
        return self.people.accept(self.people.approved_link(approval) or "", PASSWORD)

    def code(self, secret: str) -> str:
        return pyotp.TOTP(secret).at(self.at)

    def change_roles(self, name: str, *roles: Role) -> None:
        change_roles(self.store, self.at, name, *roles)

    def rows(self, table: sa.Table) -> list[sa.RowMapping]:
        with self.store.view() as unit:
            return list(unit.connection.execute(sa.select(table)).mappings())

    def logged(self) -> list[tuple[str, str, str]]:
        return [(entry.actor, entry.action, entry.subject) for entry in self.people.log()]

    def everything(self) -> str:
        return "\n".join(str(dict(row)) for table in schema.metadata.sorted_tables for row in self.rows(table))


def refused(reason: PeopleRefusal, action: Callable[[], object]) -> PeopleRefused:
    with pytest.raises(PeopleRefused) as caught:
        action()
    assert caught.value.reason is reason, caught.value
    return caught.value
