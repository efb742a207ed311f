"""The daily report: each table's chips and win, before and after contributions to progressives; each jackpot's meters.

An idle day has a report too. Win is the stakes taken less what was paid; contributions to a progressive are the
players' money and are deducted from it (WAC 230-15-671).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.journal import HOUSE
from upcard.ledger.outcome import Checkpoint
from upcard.ledger.statement import Statement, meter_days, statement
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import Reason
from upcard.ledger.unit import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDay:
    """One table on one day."""

    table: str
    opener: int
    fills: int
    credits: int
    buy_ins: int
    cash_outs: int
    corrections: int
    chips: int  # at a table dealt by hand: taken, less those paid and sold
    counted: int  # over or short: the difference from the book when the tray was counted
    closer: int
    rounds: int
    win: int  # before accruals
    accrued: int  # to progressives
    tips: int

    @property
    def win_after_accrual(self) -> int:
        return self.win - self.accrued


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotDay:
    """One meter on one day."""

    jackpot: str
    plan: str
    meter: str
    opening: int
    wagered: int
    moves: dict[str, int]
    won: int
    paid: int
    closing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReport:
    """One gaming day."""

    day: date
    tables: tuple[TableDay, ...]
    jackpots: tuple[JackpotDay, ...]
    checkpoint: Checkpoint | None  # once the day is closed

    @property
    def idle(self) -> bool:
        return not any(table.rounds or table.opener != table.closer for table in self.tables)


def report(unit: Unit, day: date) -> DayReport:
    states = [state_of(chain) for chain in unit.chains().values() if chain.number]
    tables = tuple(_table(unit, state.table, day) for state in states if isinstance(state, TableState))
    jackpots = tuple(line for state in states if isinstance(state, JackpotState) for line in _meters(unit, state, day))
    return DayReport(day=day, tables=tables, jackpots=jackpots, checkpoint=checkpoint_of(unit, day))


def table_days(unit: Unit, day: date, *, only: str | None = None) -> dict[str, tuple[str, TableDay]]:
    """The layout and the day of each table, or of one table."""
    states = [state_of(chain) for chain in unit.chains().values() if chain.number]
    tables = [state for state in states if isinstance(state, TableState) and only in (None, state.table)]
    return {state.table: (state.layout, _table(unit, state.table, day)) for state in tables}


def checkpoint_of(unit: Unit, day: date) -> Checkpoint | None:
    """The checkpoint that a day was closed with; None: it is not closed."""
    entry = schema.entries.c
    for row in unit.connection.execute(sa.select(schema.entries).where(entry.chain == HOUSE).order_by(entry.number)):
        request = formats.read("request", row.request, row.format)
        if request == {"order": "close-day", "day": day.isoformat()}:
            checkpoint: Checkpoint = formats.read("answer", row.answer, row.format)
            return checkpoint
    return None


def _table(unit: Unit, table: str, day: date) -> TableDay:
    trays = [statement(unit, Account(kind, table), day, day) for kind in (Kind.TRAY, Kind.HAND_TRAY)]
    tills = [statement(unit, Account(kind, table), day, day) for kind in (Kind.TRAY, Kind.DROP, Kind.CASH)]
    win = statement(unit, Account(Kind.WIN, table), day, day)
    moved, cash = _by_reason(trays), _by_reason(tills)
    accrued = -sum(
        posting.amount
        for posting in win.postings
        if posting.reason in (Reason.CONTRIBUTION.code, Reason.MALFUNCTION.code)
    )
    tips = statement(unit, Account(Kind.TIPS, table), day, day)
    return TableDay(
        table=table,
        opener=sum(tray.opening for tray in trays) + moved.get(Reason.OPENER.code, 0),
        fills=moved.get(Reason.FILL.code, 0),
        credits=-moved.get(Reason.CREDIT.code, 0),
        buy_ins=cash.get(Reason.BUY_IN.code, 0),
        cash_outs=-cash.get(Reason.CASH_OUT.code, 0),
        corrections=moved.get(Reason.REVERSED.code, 0),
        chips=moved.get(Reason.CHIPS.code, 0),
        counted=moved.get(Reason.COUNTED.code, 0),
        closer=sum(tray.closing for tray in trays),
        rounds=_rounds(unit, table, day),
        win=sum(posting.amount for posting in win.postings) + accrued,
        accrued=accrued,
        tips=sum(posting.amount for posting in tips.postings if posting.reason == Reason.TIP.code),
    )


def _by_reason(statements: Iterable[Statement]) -> Counter[str]:
    moved: Counter[str] = Counter()
    for of_account in statements:
        for posting in of_account.postings:
            moved[posting.reason] += posting.amount
    return moved


def _rounds(unit: Unit, table: str, day: date) -> int:
    entry = schema.entries
    query = sa.select(sa.func.count()).where(
        entry.c.chain == f"table:{table}",
        entry.c.day == day.isoformat(),
        entry.c.request.like('%"order":"settle-round"%'),
        entry.c.request.like('%"final":true%'),
    )
    return int(unit.connection.execute(query).scalar_one())


def _meters(unit: Unit, state: JackpotState, day: date) -> list[JackpotDay]:
    return [
        JackpotDay(
            jackpot=state.jackpot,
            plan=state.trigger.plan,
            meter=meter,
            opening=line.opening,
            wagered=line.wagered,
            moves=dict(line.moves),
            won=line.won,
            paid=line.paid,
            closing=line.closing,
        )
        for meter in state.values()
        for line in meter_days(unit, state.jackpot, meter, day, day)
    ]
