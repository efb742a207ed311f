"""The journal: entries in chains, one chain for each table and each jackpot, numbered without a gap and hashed.

An entry's hash covers what was asked, what was answered, every transfer and every movement of a meter it made, and the
hash before it: so a changed, missing or exchanged row shows. Who may write, and what, is decided elsewhere.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

import orjson

from upcard.ledger.accounts import Account
from upcard.ledger.transfers import REASONS, Phase, Transfer
from upcard.units import Cents

GENESIS = "0" * 64
HOUSE = "house"

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """A meter that players see, before and after."""

    meter: str
    reason: str
    before: Cents
    after: Cents
    carry: str  # the fraction of a cent kept for the meter afterwards, "p/q"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of one chain; a command that touches several chains writes one in each (its parts)."""

    chain: str
    number: int
    command: str
    part: int
    at: str
    day: str
    actor: str
    request: str
    answer: str
    previous: str
    transfers: tuple[Transfer, ...]
    movements: tuple[Movement, ...]

    @property
    def hash(self) -> str:
        """The seal of this entry and, through `previous`, of all before it."""
        return self.sealed([transfer_row(one) for one in self.transfers], [movement_row(one) for one in self.movements])

    def sealed(self, transfers: Sequence[Json], movements: Sequence[Json]) -> str:
        """The seal, for somebody who has the rows already."""
        return digest({**self.words(), "transfers": transfers, "movements": movements})

    def words(self) -> dict[str, Any]:
        """The entry itself as it is stored and sealed, without its rows."""
        return {
            "chain": self.chain,
            "number": self.number,
            "command": self.command,
            "part": self.part,
            "at": self.at,
            "day": self.day,
            "actor": self.actor,
            "request": self.request,
            "answer": self.answer,
            "previous": self.previous,
        }


def canonical(value: object) -> str:
    """The one JSON text of a value: keys in order, nothing between, letters as they are."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def digest(value: object) -> str:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def transfer_row(one: Transfer) -> dict[str, str | int | None]:
    """A transfer as it is stored and sealed."""
    return {
        "id": one.id,
        "debit": str(one.debit),
        "credit": str(one.credit),
        "amount": int(one.amount),
        "reason": one.reason.label,
        "phase": one.phase.value,
        "resolves": one.resolves,
        "corrects": one.corrects,
    }


def transfer_of(row: Mapping[str, object]) -> Transfer:
    """A stored transfer; ValueError where no transfer looks like this."""
    reason, amount = REASONS.get(str(row["reason"])), row["amount"]
    if reason is None or not isinstance(amount, int):
        raise ValueError(f"{row['reason']!r} of {amount!r} is no transfer")
    return Transfer(
        id=str(row["id"]),
        debit=Account.parse(str(row["debit"])),
        credit=Account.parse(str(row["credit"])),
        amount=Cents(amount),
        reason=reason,
        phase=Phase(row["phase"]),
        resolves=_text(row["resolves"]),
        corrects=_text(row["corrects"]),
    )


def movement_row(one: Movement) -> dict[str, str | int]:
    """A movement as it is stored and sealed."""
    return {
        "meter": one.meter,
        "reason": one.reason,
        "before": int(one.before),
        "after": int(one.after),
        "carry": one.carry,
    }


def instant_text(at: datetime) -> str:
    """A moment as it is stored: UTC, to the microsecond, sortable as text."""
    if at.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    return _utc_text(at.astimezone(UTC))  # not before: the two hours in which clocks go back are equal to Python


@lru_cache(maxsize=1024)  # commands carried out together happen at one moment
def _utc_text(at: datetime) -> str:
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


@lru_cache(maxsize=1024)
def instant_of(text: str) -> datetime:
    """The moment a stored text means."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def table_chain(table: str) -> str:
    """The chain of a table."""
    return f"table:{table}"


def jackpot_chain(jackpot: str) -> str:
    """The chain of a jackpot."""
    return f"jackpot:{jackpot}"


def lock_order(chain: str) -> tuple[int, str]:
    """Chains are always locked tables first, then jackpots, then the house: so two writers never wait in a ring."""
    kind = chain.partition(":")[0]
    return ("table", "jackpot", HOUSE).index(kind), chain


def next_day(day: date) -> date:
    """The day after."""
    return date.fromordinal(day.toordinal() + 1)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
