"""Closes a gaming day, with a checkpoint of the whole book. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from upcard.codes import phrases
from upcard.ledger.accounts import Account
from upcard.ledger.gaming_day import start_of
from upcard.ledger.house_state import HouseState
from upcard.ledger.journal import json_hash, next_day
from upcard.ledger.outcome import Checkpoint, CloseWarning, Draft, Moment, Outcome
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import CloseDay
from upcard.ledger.transfers import NOTHING, Balance

phrases(
    {
        "warning/escrow-short": "{jackpot}: escrow is {short:money} short; its wager is stopped until it is made good",
        "warning/deposit-overdue": "{jackpot}: {waiting:money}, set aside since {since}, should be deposited",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBook:
    """The whole book at one moment, for a checkpoint."""

    heads: Mapping[str, tuple[int, str]]  # number and hash of each chain's last entry, the house's before this close
    balances: Mapping[Account, Balance]
    running: Sequence[tuple[str, int, date]] = ()  # table, round and gaming day of every open round
    warnings: Sequence[CloseWarning] = ()


def close(state: HouseState, request: CloseDay, moment: Moment, book: WholeBook) -> Outcome[HouseState]:
    if state.closed is not None and request.day != next_day(state.closed):
        following = next_day(state.closed).isoformat()
        raise BookRefused(BookRefusal.DAY_NOT_NEXT, next=following, day=request.day.isoformat())
    if moment.at < start_of(next_day(request.day), state.hours):
        raise BookRefused(BookRefusal.DAY_NOT_OVER, day=request.day.isoformat())
    for table, number, day in book.running:
        if day <= request.day:
            raise BookRefused(BookRefusal.ROUND_NOT_SETTLED, table=table, round=number)
    closed = state.model_copy(update={"closed": request.day})
    return Draft(moment).outcome(closed, checkpoint(request.day, book))


def checkpoint(day: date, book: WholeBook) -> Checkpoint:
    """What a daily close writes: the heads of the book's chains, and every balance."""
    contents: Checkpoint = {
        "day": day.isoformat(),
        "heads": {chain: list(head) for chain, head in sorted(book.heads.items())},
        "balances": {
            str(account): list(balance) for account, balance in sorted(book.balances.items()) if balance != NOTHING
        },
        "warnings": list(book.warnings),
        "hash": "",
    }
    return {**contents, "hash": json_hash({name: value for name, value in contents.items() if name != "hash"})}
