"""Accounts made directly in the register, with an authenticator: tests of other things need not invite anybody."""

import base64
import hashlib
from datetime import datetime

import pyotp

from upcard.ledger.store import Store
from upcard.people import PasswordCost, Person, Role, schema
from upcard.people.passwords import Passwords
from upcard.people.person import name_key
from upcard.people.register import Register
from upcard.people.roles import is_staff

CHEAP = PasswordCost(passes=1, memory_kib=64)
_HASHES: dict[str, str] = {}


def secret_of(name: str) -> str:
    """The secret of the authenticator that `add_account` gives to staff of this name."""
    return base64.b32encode(hashlib.sha256(name.encode()).digest()[:20]).decode()


def code_of(name: str, at: datetime) -> str:
    return pyotp.TOTP(secret_of(name)).at(at)


def add_account(store: Store, at: datetime, name: str, roles: frozenset[Role], password: str) -> Person:
    """Adds an account as if it had been invited long ago; staff have an authenticator."""
    if password not in _HASHES:
        _HASHES[password] = Passwords(CHEAP, lambda count: b"s" * count).hash(password)
    assert store.keyring is not None
    secret = store.keyring.encrypt(base64.b32decode(secret_of(name)), f"codes:{name_key(name)}")
    with store.transaction() as unit:
        register = Register(unit, at, store.keyring)
        person = register.add_person(name, roles, _HASHES[password])
        if is_staff(roles):
            register.change(schema.people, schema.people.c.name_key == name_key(name), totp_secret=secret)
        register.log(name, "invitation-accepted", name, roles=roles)
        register.flush()
    return person
