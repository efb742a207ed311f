"""Slips of the cage and accounts of players, from the ledger: what changed hands, counted how, and who booked it."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import sqlalchemy as sa
from typing_extensions import TypedDict

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.statement import Posting, statement
from upcard.ledger.transfers import Reason
from upcard.ledger.unit import Unit

ORDERS = ("fill", "credit", "buy-in", "cash-out", "tip", "pay-tips")
_MOST = 500
_OF_ROUNDS = frozenset(
    reason.code for reason in (Reason.STAKE, Reason.TAKEN, Reason.RETURNED, Reason.PAID, Reason.PROMOTION, Reason.HELD)
)


class ChipsCounted(TypedDict):
    """Chips of one denomination."""

    denomination: int
    count: int


class CageSlip(TypedDict):
    """What the cage or a dealer booked, for the paper."""

    order: str
    table: str
    number: int  # of the table's slips; 0: booked by a version that did not number them
    player: str
    amount: int
    chips: list[ChipsCounted]  # empty: they were not counted by denomination
    at: str
    by: str
    command: str


class AccountLine(TypedDict):
    """A movement of a player's chips: at the cage, or a jackpot that was paid."""

    at: str
    table: str
    reason: str
    amount: int


class PlayerAccount(TypedDict):
    """A player's chips, and where they came from and went on a gaming day."""

    player: str
    chips: int  # without those on the felt
    opening: int  # at the beginning of the day
    play: int  # won or lost in what is settled; stakes on the felt are neither
    lines: list[AccountLine]


def slips_of(unit: Unit, day: date) -> list[CageSlip]:
    """The slips of a gaming day, newest first."""
    entry = schema.entries.c
    is_slip = sa.or_(*(entry.request.like(f'%"order":"{order}"%') for order in ORDERS))
    query = (
        sa.select(schema.entries)
        .where(entry.day == day.isoformat(), entry.chain.like("table:%"), is_slip)
        .order_by(entry.at.desc(), entry.chain, entry.number.desc())
        .limit(_MOST)
    )
    return [_slip(row._mapping) for row in unit.connection.execute(query)]


def _slip(row: Mapping[Any, Any]) -> CageSlip:
    request = formats.read("request", row["request"], row["format"])
    answer = formats.read("answer", row["answer"], row["format"])
    return {
        "order": request["order"],
        "table": request["table"],
        "number": answer.get("slip", 0),
        "player": request.get("player", ""),
        "amount": request["amount"],
        "chips": request.get("chips", []),
        "at": row["at"],
        "by": row["actor"],
        "command": row["command"],
    }


def account_of(unit: Unit, player: str, day: date) -> PlayerAccount:
    """A player's account on a gaming day."""
    account = statement(unit, Account(Kind.PLAYER, player), day, day)
    lines = list(_lines(account.postings))
    moved = account.closing - account.opening
    return {
        "player": player,
        "chips": unit.balance(account.account).free(Kind.PLAYER.side),
        "opening": account.opening,
        "play": moved - sum(line["amount"] for line in lines),
        "lines": lines,
    }


def _lines(postings: tuple[Posting, ...]) -> Iterator[AccountLine]:
    for posting in postings:
        if posting.reason not in _OF_ROUNDS:
            table = posting.other.partition(":")[2]
            yield {"at": posting.at, "table": table, "reason": posting.reason, "amount": posting.amount}
