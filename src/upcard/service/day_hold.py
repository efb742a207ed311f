"""Gaming days: which it is, the report of one, and its drop, win and hold beside what its wagers promised."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import cast

from pydantic import BaseModel
from typing_extensions import TypedDict

from upcard.ledger.gaming_day import day_of
from upcard.ledger.report import JackpotDay, TableDay, report, table_days
from upcard.service.expected_win import NOTHING, Expected, Solver, expected
from upcard.service.handle import Handles
from upcard.service.running import Service
from upcard.service.wire_models import Details
from upcard.workers.pool import Workers


class Hold(BaseModel):
    """Drop, win and hold of a table or of all together, and what was to be expected of the wagers made; cents."""

    table: str
    rounds: int
    drop: int
    win: int
    accrued: int
    wagered: int
    hold: float | None  # of the drop
    expected: float | None  # None: the main game is being solved
    interval: tuple[float, float] | None  # of the expected win, 95 of 100
    expected_hold: float | None
    hold_interval: tuple[float, float] | None
    inside: bool | None


class HoldOfDay(BaseModel):
    """A gaming day."""

    day: date
    tables: list[Hold]
    together: Hold
    solving: bool


class Days(BaseModel):
    """Which gaming day it is, and up to which they are closed."""

    today: date
    closed: date | None
    next_to_close: date | None  # None: nothing was ever played, or the day is not over yet


class DayReportSent(TypedDict):
    """One gaming day."""

    day: date
    tables: tuple[TableDay, ...]
    jackpots: tuple[JackpotDay, ...]
    checkpoint: Details | None  # once the day is closed


@dataclass
class _Sum:
    """All tables together."""

    rounds: int = 0
    drop: int = 0
    win: int = 0
    accrued: int = 0
    promised: Expected | None = NOTHING

    def add(self, day: TableDay, promised: Expected | None) -> None:
        self.rounds += day.rounds
        self.drop += day.buy_ins
        self.win += day.win
        self.accrued += day.accrued
        self.promised = None if self.promised is None or promised is None else self.promised + promised


class GamingDays:
    """Looks at the gaming days of a house; main games are solved by its workers, meanwhile nothing is expected."""

    def __init__(self, service: Service, workers: Workers) -> None:
        self._service = service
        self._handles, self._mains = Handles(service.queries), Solver(workers)

    def days(self) -> Days:
        """Today, and which day is closed next."""
        desk = self._service.desk
        with desk.book.look() as clerk:
            house = clerk.house()
        today = day_of(desk.clock(), house.hours)
        following = today - timedelta(days=1) if house.closed is None else house.closed + timedelta(days=1)
        return Days(today=today, closed=house.closed, next_to_close=following if following < today else None)

    def report(self, day: date) -> DayReportSent:
        """The report of a day."""
        with self._service.desk.book.look() as clerk:
            made = report(clerk.unit, day)
        checkpoint = cast(Details | None, made.checkpoint)  # published as an open object
        return {"day": day, "tables": made.tables, "jackpots": made.jackpots, "checkpoint": checkpoint}

    def hold(self, day: date, table: str | None) -> HoldOfDay:
        """Every table that had something to do, or the one asked for."""
        with self._service.desk.book.look() as clerk:
            found = table_days(clerk.unit, day, only=table)
        lines, together = [], _Sum()
        for name, (_, one) in found.items():
            handle = self._handles.of(name, day)
            if not (table or one.rounds or one.win or one.buy_ins):
                continue
            promised = expected(self._service.queries.stored_rules, handle, self._mains.of)
            alone = _Sum()
            alone.add(one, promised)
            together.add(one, promised)
            lines.append(_line(name, alone, handle.amount))
        whole = _line("", together, sum(line.wagered for line in lines))
        return HoldOfDay(day=day, tables=lines, together=whole, solving=together.promised is None)


def _line(table: str, of: _Sum, wagered: int) -> Hold:
    promised = of.promised
    interval = None if promised is None else promised.interval
    drop = of.drop
    return Hold(
        table=table,
        rounds=of.rounds,
        drop=drop,
        win=of.win,
        accrued=of.accrued,
        wagered=wagered,
        hold=of.win / drop if drop else None,
        expected=None if promised is None else promised.mean,
        interval=interval,
        expected_hold=promised.mean / drop if promised is not None and drop else None,
        hold_interval=(interval[0] / drop, interval[1] / drop) if interval is not None and drop else None,
        inside=None if interval is None else interval[0] <= of.win <= interval[1],
    )
