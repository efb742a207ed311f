"""What `upcard people` shows. Tokens are printed alone, so that they can be handed on."""

import getpass
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from upcard.cli.books import reading
from upcard.cli.output import Cell, counted, write_json, write_lines, write_table
from upcard.ledger.journal import utc_now
from upcard.ledger.store import Store
from upcard.people import People, Person, Role
from upcard.people.register import all_people
from upcard.problems import BadRequest, UnknownName
from upcard.service.running import keyring_beside


def everybody(book: str, *, as_json: bool) -> None:
    """Shows everybody."""
    with reading(book) as unit:
        found = all_people(unit)
    if as_json:
        write_json([asdict(one) | {"roles": sorted(one.roles)} for one in found])
        return
    rows: list[dict[str, Cell]] = [
        {
            "name": one.name,
            "roles": ", ".join(sorted(one.roles)),
            "codes": "yes" if one.has_totp else "no",
            "disabled": "yes" if one.disabled else "no",
        }
        for one in found
    ]
    write_table(counted(len(found), "person", "people"), rows)


def set_up(book: str, key: str | None) -> None:
    """Shows a new set-up token."""
    with _people(book, key) as people:
        token = people.setup_token()
    if token is None:
        raise BadRequest("this house has been set up: ask the floor for an invitation")
    write_lines(token)


def invite(book: str, name: str, roles: Sequence[str], by: str, key: str | None) -> None:
    """Shows a new invitation."""
    wanted = [_role(role) for role in roles]
    with _people(book, key) as people, _signed_in(people, by) as who:
        write_lines(people.invite(who, name, wanted))


def disable(book: str, name: str, by: str, key: str | None) -> None:
    """Disables somebody."""
    with _people(book, key) as people, _signed_in(people, by) as who:
        write_lines(f"{people.disable(who, name).name} is disabled")


def account_recovery(book: str, name: str, by: str, key: str | None) -> None:
    """Shows a way back."""
    with _people(book, key) as people:
        if not by:
            write_lines(people.recovery_token(name, by=None))
            return
        with _signed_in(people, by) as who:
            write_lines(people.recovery_token(name, by=who))


@contextmanager
def _people(address: str, key: str | None) -> Iterator[People]:
    store = Store.open(address)  # says what is wrong with a book that is none, before a key is made for it
    store.keyring = keyring_beside(address, None if key is None else Path(key))
    try:
        yield People(store, clock=utc_now, entropy=secrets.token_bytes)
    finally:
        store.close()


@contextmanager
def _signed_in(people: People, name: str) -> Iterator[Person]:
    session = people.sign_in(name, _password(name))
    try:
        yield session.person
    finally:
        people.sign_out(session.token)


def _password(name: str) -> str:
    """From the terminal, unseen; from a pipe, its first line."""
    if sys.stdin.isatty():
        return getpass.getpass(f"Password of {name}: ")
    return sys.stdin.readline().rstrip("\n")


def _role(name: str) -> Role:
    try:
        return Role(name)
    except ValueError:
        raise UnknownName(what="role", name=name, known=Role, hint=f"roles are {', '.join(Role)}") from None
