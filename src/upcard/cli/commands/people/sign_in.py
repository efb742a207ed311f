"""The people of a book, and members of the floor signed in for one command, alone or with a second person."""

import getpass
import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from upcard.ledger.journal import utc_now
from upcard.ledger.store import Store
from upcard.people import Approval, People, PeopleRefusal, PeopleRefused, Person, Session
from upcard.people.roles import is_staff
from upcard.problems import BadRequest
from upcard.service.running import keyring_beside


@contextmanager
def open_people(address: str, key: str | None) -> Iterator[People]:
    store = Store.open(address)  # refuses what is not a book before a key is made for it
    store.keyring = keyring_beside(address, None if key is None else Path(key))
    try:
        yield People(store, clock=utc_now, entropy=secrets.token_bytes)
    finally:
        store.close()


@contextmanager
def signed_in(people: People, name: str) -> Iterator[Session]:
    """Signs somebody in with their password and code; staff without an authenticator set it up on the page first."""
    password = _read(f"Password of {name}: ", secret=True)
    person = people.find(name)
    with_code = person is not None and person.has_totp
    session = people.sign_in(name, password, _read(f"Code of {name}: ") if with_code else "")
    try:
        if is_staff(session.person.roles) and not session.person.has_totp:
            raise PeopleRefused(PeopleRefusal.AUTHENTICATOR_FIRST)
        yield session
    finally:
        people.sign_out(session.token)


def known_person(people: People, name: str) -> Person:
    person = people.find(name)
    if person is None:
        raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=name)
    return person


def done_by_two(people: People, first: Session, second: str, action: dict[str, object]) -> Approval:
    """Asks for something in the name of one person and has a second one sign in and approve it."""
    if not second:
        raise BadRequest("this takes a second person from the floor: name them with --second")
    asked = people.ask(first, json.dumps(action))
    with signed_in(people, second) as session:
        approval, _ = people.approve(session, asked.id)
    return approval


def _read(prompt: str, *, secret: bool = False) -> str:
    """From the terminal, secrets without echo, or the next line of a pipe."""
    if sys.stdin.isatty():
        return getpass.getpass(prompt) if secret else input(prompt)
    return sys.stdin.readline().rstrip("\n")
