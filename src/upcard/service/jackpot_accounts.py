"""A jackpot for the people who look after it: its money, what may be taken out of it and why, and its movements."""

from datetime import date, timedelta

import sqlalchemy as sa
from typing_extensions import TypedDict

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.gaming_day import day_of
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.jackpots.posted import PostedJackpot
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.reductions import Lawful, lawful_reductions
from upcard.ledger.jackpots.terms import law_on
from upcard.ledger.journal import MeterChange, instant_text, jackpot_chain
from upcard.ledger.transfers import Reason
from upcard.ledger.unit import Unit
from upcard.service.jackpot_signs import jackpot_state
from upcard.service.running import Service
from upcard.service.wire_models import Amounts

MOVEMENTS = 30
CONTRIBUTIONS = 20


class EscrowSent(TypedDict):
    """The money that covers a progressive, in the bank and in the house."""

    deposited: int
    undeposited: int
    since: str  # the day of the oldest money that is not deposited; empty: there is none
    deposit_by: str  # empty: the law names no day
    overdue: bool
    owed: int  # what it must cover
    shortfall: int


class ProgressiveMoney(TypedDict):
    """What a progressive consists of: the players' money."""

    cap: int | None
    meter: int
    reserve: int
    overflow: int
    award: int  # locked for wins that wait
    seed: int  # advanced by the house, and not recovered
    base: int  # the advertised amount, below which no seed is recovered
    escrow: EscrowSent


class LawfulReduction(TypedDict):
    """A reduction that the law allows now, and the most that it may take; 0: nothing."""

    reason: str
    source: str
    most: int


class MeterMoved(TypedDict):
    """A movement of a meter, with the order that caused it."""

    at: str
    day: str
    meter: str
    reason: str
    before: int
    after: int
    by: str


class Contribution(TypedDict):
    """What a wager added to the meter: a malfunction is corrected by naming it."""

    id: str
    at: str
    table: str
    amount: int


class JackpotAccount(TypedDict):
    """A jackpot's money, its posted values, and the last movements of its meters, newest first."""

    jackpot: str
    plan: str
    second_person_from: int | None  # wins from this amount are verified by a second person; None: all
    seeds: Amounts  # 003 Bonus: the amount after a full win
    next_change: str  # 001: when values may be posted again; empty: now
    progressive: ProgressiveMoney | None
    reductions: list[LawfulReduction]
    contributions: list[Contribution]
    movements: list[MeterMoved]


def jackpot_account(service: Service, jackpot: str) -> JackpotAccount:
    """A jackpot as it is now."""
    book, now = service.desk.book, service.desk.clock()
    state = jackpot_state(book, jackpot)
    with book.look() as reader:
        today = day_of(now, reader.house().hours)
    progressive = state if isinstance(state, ProgressiveJackpot) else None
    with book.store.view() as unit:
        movements = _movements(unit, jackpot)
        contributions = [] if progressive is None else _contributions(unit, jackpot)
    return {
        "jackpot": jackpot,
        "plan": state.trigger.plan,
        "second_person_from": law_on(state.laws(), today).second_person_from,
        "seeds": {state.terms.meter: state.seed} if isinstance(state, BonusJackpot) else {},
        "next_change": _next_change(state, instant_text(now)),
        "progressive": None if progressive is None else _money(progressive, today),
        "reductions": [] if progressive is None else [_sent(lawful) for lawful in lawful_reductions(progressive)],
        "contributions": contributions,
        "movements": movements,
    }


def _next_change(state: JackpotState, at: str) -> str:
    if not isinstance(state, PostedJackpot) or state.free_change:
        return ""
    following = instant_text(state.next_change())
    return following if following > at else ""


def _money(state: ProgressiveJackpot, today: date) -> ProgressiveMoney:
    since, within = state.escrow.undeposited_since, law_on(state.laws(), today).deposit_within_days
    due = None if since is None or within is None else since + timedelta(days=within)
    return {
        "cap": state.cap,
        "meter": state.meter,
        "reserve": state.reserve,
        "overflow": state.overflow,
        "award": state.award,
        "seed": state.seed,
        "base": state.terms.seed,
        "escrow": {
            "deposited": state.escrow.deposited,
            "undeposited": state.escrow.undeposited,
            "since": "" if since is None else since.isoformat(),
            "deposit_by": "" if due is None else due.isoformat(),
            "overdue": state.deposit_overdue(today),
            "owed": state.owed,
            "shortfall": state.shortfall,
        },
    }


def _sent(lawful: Lawful) -> LawfulReduction:
    return {"reason": lawful.reason, "source": lawful.source, "most": lawful.most}


def _movements(unit: Unit, jackpot: str) -> list[MeterMoved]:
    """The last movements, without those of single wagers: the total of these is the contributions."""
    moved, entry = schema.movements, schema.entries
    query = (
        sa.select(moved, entry.c.at, entry.c.day, entry.c.actor)
        .join(entry, sa.and_(moved.c.chain == entry.c.chain, moved.c.number == entry.c.number))
        .where(moved.c.chain == jackpot_chain(jackpot), moved.c.reason != MeterChange.CONTRIBUTION.value)
        .order_by(moved.c.number.desc(), moved.c.position.desc())
        .limit(MOVEMENTS)
    )
    return [
        {
            "at": row.at,
            "day": row.day,
            "meter": row.meter,
            "reason": row.reason,
            "before": row.before,
            "after": row.after,
            "by": row.actor,
        }
        for row in unit.connection.execute(query)
    ]


def _contributions(unit: Unit, jackpot: str) -> list[Contribution]:
    """The last contributions to the meter."""
    transfer, entry = schema.transfers, schema.entries
    query = (
        sa.select(transfer, entry.c.at, entry.c.format)
        .join(entry, sa.and_(transfer.c.chain == entry.c.chain, transfer.c.number == entry.c.number))
        .where(transfer.c.credit == str(Account(Kind.METER, jackpot)), transfer.c.chain == jackpot_chain(jackpot))
        .order_by(transfer.c.number.desc(), transfer.c.position.desc())
        .limit(3 * CONTRIBUTIONS)
    )
    found: list[Contribution] = []
    for row in unit.connection.execute(query):
        if formats.upcast("transfer", row._asdict(), row.format)["reason"] == Reason.CONTRIBUTION.code:
            found.append({"id": row.id, "at": row.at, "table": row.debit.partition(":")[2], "amount": row.amount})
    return found[:CONTRIBUTIONS]
