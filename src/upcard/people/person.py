"""People, sessions, approvals and log entries as values. The only secrets in them are a session's own."""

import hashlib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from upcard.people.roles import Role

Entropy = Callable[[int], bytes]
LogValue = str | int | list[str] | None  # a value in a log entry

CLOCK = "clock"  # the actor of commands that the program gives by itself; no person may have this name
_TOKEN_BYTES = 32
_MAX_NAME_LENGTH, _MAX_KEY_LENGTH = 80, 200
_IGNORED = frozenset(  # by default, as Unicode says, besides format characters
    chr(code)
    for codes in ((0x34F,), (0x115F, 0x1160), (0x17B4, 0x17B5), range(0x180B, 0x1810), (0x3164, 0xFFA0))
    for code in codes
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody with an account, or a guest."""

    name: str
    roles: frozenset[Role]
    guest: bool = False
    disabled: bool = False
    has_totp: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session, and its person as they were when this was read."""

    person: Person
    id: str  # the SHA-256 of the token
    created: datetime
    stepped_up_at: datetime | None
    csrf: str = field(repr=False)
    token: str = field(default="", repr=False, compare=False)  # known only right after signing in


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """An action that one person requested and another may approve."""

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
class LogEntry:
    """One entry of the people log."""

    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    before: dict[str, LogValue]
    after: dict[str, LogValue]


def name_key(name: str) -> str:
    """A name in the form in which names are compared, so that nobody is mistaken for somebody else.

    Case, width, and characters that are not seen (zero-width, right-to-left marks, variants) make no other name.
    """
    seen = "".join(character for character in unicodedata.normalize("NFKC", name) if not _is_unseen(character))
    return unicodedata.normalize("NFKC", seen.casefold()).strip()


def _is_unseen(character: str) -> bool:
    return not character.isascii() and (unicodedata.category(character) == "Cf" or character in _IGNORED)


def is_key(key: str) -> bool:
    """Whether somebody could have this name key. A database does not accept every text in a query."""
    return key.isprintable() and 0 < len(key) <= _MAX_KEY_LENGTH


def is_name(name: str) -> bool:
    """Whether the book can have an account under this name."""
    if not name.isprintable() or name != unicodedata.normalize("NFC", name).strip() or any(map(_is_unseen, name)):
        return False
    if "//" in name or name == "timer":  # such names would make ids like those of the program's own commands
        return False
    fits = 1 <= len(name) <= _MAX_NAME_LENGTH and is_key(name_key(name))
    return fits and not set(":#") & set(name)


def new_token(entropy: Entropy) -> str:
    """256 random bits in hex, for a link or a cookie."""
    return entropy(_TOKEN_BYTES).hex()


def token_hash(token: str) -> str:
    """What the database stores of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
