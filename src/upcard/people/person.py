"""The values that the house's people are told of. None of them carries a secret but a new session's own token."""

import hashlib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from upcard.people.roles import Role

Entropy = Callable[[int], bytes]
Logged = str | int | list[str] | None  # what the log says of one thing

CLOCK = "clock"  # who gives the commands that the program gives by itself: nobody else may be called so
_TOKEN_BYTES = 32
_LONGEST = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody the house knows."""

    name: str
    roles: frozenset[Role]
    guest: bool = False
    disabled: bool = False
    has_totp: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Somebody who is signed in, as he was when this was read."""

    person: Person
    id: str  # the SHA-256 of the token
    created: datetime
    stepped_up_at: datetime | None
    csrf: str = field(repr=False)
    token: str = field(default="", repr=False, compare=False)  # in clear only where he has just signed in


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What one person asked for and another may approve."""

    id: str
    payload: str
    role: Role
    requested_by: str
    requested_at: datetime
    expires_at: datetime
    approved_by: str | None
    approved_at: datetime | None
    used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the log."""

    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    before: dict[str, Logged]
    after: dict[str, Logged]


def key_of(name: str) -> str:
    """A name as names are compared, so that nobody is taken for another."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def is_name(name: str) -> bool:
    """Whether the book can have an account under this name."""
    plain = name.isprintable() and name == unicodedata.normalize("NFC", name).strip()
    plain = plain and "//" not in name and name != "timer"  # his commands' ids begin with it, and these are taken
    return plain and 1 <= len(name) <= _LONGEST and not set(":#") & set(name) and 1 <= len(key_of(name)) <= 200


def new_token(entropy: Entropy) -> str:
    """256 bits that nobody can guess, for an address or a cookie."""
    return entropy(_TOKEN_BYTES).hex()


def digest(token: str) -> str:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
