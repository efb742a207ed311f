"""The house's own chain: its hours, the revisions of its catalog, and the daily close with a checkpoint. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import assert_never

from upcard.codes import phrases
from upcard.ledger.accounts import Account
from upcard.ledger.gaming_day import Hours, start_of
from upcard.ledger.journal import json_hash, next_day
from upcard.ledger.outcome import Checkpoint, CloseWarning, Draft, Moment, Outcome
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import AcknowledgeAlert, CloseDay, HouseRequest, PublishCatalog, SetHours
from upcard.ledger.transfers import NOTHING, Balance


class HouseState(Record):
    """The hours that the house has set, the last day it closed, and the revision of its catalog."""

    hours: tuple[Hours, ...] = ()
    closed: date | None = None  # every gaming day up to this one
    revision: int = 0  # of its catalog; 0: nothing was published yet
    content: str = ""  # the hash of that revision's files


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBook:
    """The whole book at one moment, for a checkpoint."""

    heads: Mapping[str, tuple[int, str]]  # number and hash of each chain's last entry, the house's before this close
    balances: Mapping[Account, Balance]
    running: Sequence[tuple[str, int, date]] = ()  # table, round and gaming day of every open round
    warnings: Sequence[CloseWarning] = ()


phrases(
    {
        "warning/escrow-short": "{jackpot}: escrow is {short:money} short; its wager is stopped until it is made good",
        "warning/deposit-overdue": "{jackpot}: {waiting:money}, set aside since {since}, should be deposited",
    }
)


def apply(state: HouseState, request: HouseRequest, moment: Moment, book: WholeBook | None) -> Outcome[HouseState]:
    """What a request does to the house; raises BookRefused."""
    match request:
        case SetHours():
            return _set_hours(state, request, moment)
        case CloseDay():
            if book is None:
                raise ValueError("closing a day needs the whole book")
            return _close(state, request, moment, book)
        case PublishCatalog():
            return _publish(state, request, moment)
        case AcknowledgeAlert():  # nothing but the record, which has who and when
            return Draft(moment).outcome(state, {})
        case _:
            assert_never(request)


def _set_hours(state: HouseState, request: SetHours, moment: Moment) -> Outcome[HouseState]:
    """New hours can begin only on a later day: past days keep theirs."""
    if state.hours and request.hours.since <= max(moment.day, state.hours[-1].since):
        raise BookRefused(BookRefusal.HOURS_IN_THE_PAST, day=moment.day.isoformat())
    changed = state.model_copy(update={"hours": (*state.hours, request.hours)})
    return Draft(moment).outcome(changed, {"since": request.hours.since.isoformat()})


def _publish(state: HouseState, request: PublishCatalog, moment: Moment) -> Outcome[HouseState]:
    """Revisions are numbered without a gap, so that nobody overwrites one that they have not seen."""
    if request.revision != state.revision + 1:
        raise BookRefused(BookRefusal.REVISION_NOT_NEXT, current=state.revision, revision=request.revision)
    if request.content == state.content:
        raise BookRefused(BookRefusal.REVISION_UNCHANGED, current=state.revision)
    if request.restores and request.restores >= state.revision:
        raise BookRefused(BookRefusal.REVISION_UNKNOWN, revision=request.restores)
    changed = state.model_copy(update={"revision": request.revision, "content": request.content})
    return Draft(moment).outcome(changed, {"revision": request.revision})


def _close(state: HouseState, request: CloseDay, moment: Moment, book: WholeBook) -> Outcome[HouseState]:
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
