"""The people of a book, and a member of the floor signed in for one command."""

import getpass
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from upcard.ledger.journal import utc_now
from upcard.ledger.store import Store
from upcard.people import People, Person
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
def signed_in(people: People, name: str) -> Iterator[Person]:
    session = people.sign_in(name, _read_password(name))
    try:
        yield session.person
    finally:
        people.sign_out(session.token)


def _read_password(name: str) -> str:
    """From the terminal without echo, or the first line of a pipe."""
    if sys.stdin.isatty():
        return getpass.getpass(f"Password of {name}: ")
    return sys.stdin.readline().rstrip("\n")
