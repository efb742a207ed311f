"""The journal: entries in chains, one chain for each table and each jackpot, numbered without a gap and hashed.

An entry's hash covers its request and answer, every transfer and meter movement it made, and the hash before it, so a
changed, missing or exchanged row shows. Its seal, over the book's id and that hash, proves that it was written with the
operator's key.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from functools import lru_cache

import orjson

from upcard.ledger.accounts import Account
from upcard.ledger.schema import Row
from upcard.ledger.transfers import REASONS, Phase, Transfer
from upcard.units import Cents

GENESIS = "0" * 64
HOUSE = "house"
FLOOR = "floor"  # the stream of the floor's log, which has no chain in the ledger
_UNHASHED = ("hash", "mac", "mac_by_previous", "mac_by_new", "signature_by_previous")

Clock = Callable[[], datetime]


class MeterChange(Enum):
    """Why a meter moves, as codes. They are stored and never renamed; their words are in `reason_titles.py`."""

    OPENED = "opened"
    POSTED = "posted"  # a new amount, by the house
    CONTRIBUTION = "contribution"
    ACCRUED = "accrued"  # part of the wagers of the day before
    WIN_LOCKED = "win-locked"
    RESEEDED = "reseeded"
    RESTORED = "restored"  # after a win was denied
    MALFUNCTION = "malfunction"
    TO_CAP = "to-cap"
    GROSS_RECEIPTS = "gross-receipts"
    SEED_RECOVERED = "seed-recovered"

    __hash__ = object.__hash__  # there is one of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """A change of a meter that players see."""

    meter: str
    reason: MeterChange
    before: Cents
    after: Cents
    carry: str  # the fraction of a cent carried over to the next movement, "p/q"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of one chain; a command that touches several chains writes one in each (its parts)."""

    chain: str
    number: int
    format: int
    command: str
    part: int
    at: str
    day: str
    actor: str
    request: str
    answer: str
    key: int  # the number of the key that seals it
    previous: str  # the hash of the entry before
    transfers: tuple[Transfer, ...]
    movements: tuple[Movement, ...]
    hash: str = ""  # covers this entry and, through `previous`, all before it; empty until it is written


def canonical(value: object) -> str:
    """The canonical JSON text of a value: keys sorted, no spaces, non-ASCII characters as they are."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def json_hash(value: object) -> str:
    """The SHA-256 of a value's canonical JSON text."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def entry_hash(columns: Row, previous: str, transfers: Sequence[Row], movements: Sequence[Row]) -> str:
    """The hash of an entry: of its columns, its rows as they are stored, and the hash before it."""
    hashed = {**columns, "previous": previous, "transfers": transfers, "movements": movements}
    return hashlib.sha256(orjson.dumps(hashed, option=orjson.OPT_SORT_KEYS)).hexdigest()


def row_hash(previous: str, row: Row) -> str:
    """The hash of a row of a chained log: of all its columns but the hash and the MAC, and of the hash before it."""
    return new_row_hash(previous, {str(name): value for name, value in row.items() if name not in _UNHASHED})


def new_row_hash(previous: str, row: Row) -> str:
    """The same for a new row, which has no hash and no MAC yet."""
    return hashlib.sha256(orjson.dumps({**row, "previous": previous}, option=orjson.OPT_SORT_KEYS)).hexdigest()


def transfer_of(row: Row) -> Transfer:
    """A stored transfer; ValueError if the row is not a valid transfer."""
    reason, amount, resolves, corrects = (row[name] for name in ("reason", "amount", "resolves", "corrects"))
    if reason not in REASONS or not isinstance(amount, int):
        raise ValueError(f"{reason!r} of {amount!r} is not a transfer")
    return Transfer(
        id=str(row["id"]),
        debit=Account.parse(str(row["debit"])),
        credit=Account.parse(str(row["credit"])),
        amount=Cents(amount),
        reason=REASONS[str(reason)],
        phase=Phase(row["phase"]),
        resolves=None if resolves is None else str(resolves),
        corrects=None if corrects is None else str(corrects),
    )


def movement_of(row: Row) -> Movement:
    """A stored movement; ValueError if the row is not a valid movement."""
    before, after = row["before"], row["after"]
    if not isinstance(before, int) or not isinstance(after, int):
        raise ValueError(f"from {before!r} to {after!r} is not a movement")
    return Movement(
        meter=str(row["meter"]),
        reason=MeterChange(row["reason"]),
        before=Cents(before),
        after=Cents(after),
        carry=str(row["carry"]),
    )


def utc_now() -> datetime:
    """The clock of the machine."""
    return datetime.now(UTC)


_last_instant: tuple[datetime, str] | None = None  # the rows of a transaction have the same time


def instant_text(at: datetime) -> str:
    """A time as it is stored: UTC, to the microsecond, sortable as text."""
    global _last_instant
    last = _last_instant
    if last is not None and last[0] is at:  # equal times may differ: the hour that daylight saving repeats
        return last[1]
    if at.tzinfo is None:
        raise ValueError("a time needs its time zone")
    text = at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    _last_instant = at, text
    return text


@lru_cache(maxsize=1024)
def instant_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def table_chain(table: str) -> str:
    return f"table:{table}"


def jackpot_chain(jackpot: str) -> str:
    return f"jackpot:{jackpot}"


def lock_order(chain: str) -> tuple[int, str]:
    """Sorts chains for locking: tables, then jackpots, then the house, so that writers never deadlock."""
    kind = chain.partition(":")[0]
    return ("table", "jackpot", HOUSE).index(kind), chain


def next_day(day: date) -> date:
    return date.fromordinal(day.toordinal() + 1)
