"""Gaming days: the current one, a day's report, and its drop, win and hold compared with the expected win."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import cast

from pydantic import BaseModel
from typing_extensions import TypedDict

from upcard.ledger.gaming_day import day_of
from upcard.ledger.report import JackpotDay, TableDay, report, table_days
from upcard.service.day_handle import Handles
from upcard.service.expected_win import ZERO, Expected, Solver, expected
from upcard.service.running import Service
from upcard.service.wire_models import Details
from upcard.workers.pool import Workers


class Hold(BaseModel):
    """Drop, win and hold of one table or of all, with the win expected from the wagers made; in cents."""

    table: str
    rounds: int
    drop: int
    win: int
    accrued: int
    wagered: int
    hold: float | None  # of the drop
    expected: float | None  # None: the main game is being solved
    interval: tuple[float, float] | None  # 95% interval of the expected win
    expected_hold: float | None
    hold_interval: tuple[float, float] | None
    inside: bool | None


class HoldOfDay(BaseModel):
    """The hold of a gaming day, per table and in total."""

    day: date
    tables: list[Hold]
    together: Hold
    solving: bool


class Days(BaseModel):
    """The current gaming day, and the last closed one."""

    today: date
    closed: date | None
    next_to_close: date | None  # None: no day is waiting to be closed


class DayReportSent(TypedDict):
    """The report of a gaming day."""

    day: date
    tables: tuple[TableDay, ...]
    jackpots: tuple[JackpotDay, ...]
    checkpoint: Details | None  # once the day is closed


@dataclass
class _Sum:
    rounds: int = 0
    drop: int = 0
    win: int = 0
    accrued: int = 0
    expected_win: Expected | None = ZERO

    def add(self, day: TableDay, expected_win: Expected | None) -> None:
        self.rounds += day.rounds
        self.drop += day.buy_ins
        self.win += day.win
        self.accrued += day.accrued
        self.expected_win = (
            None if self.expected_win is None or expected_win is None else self.expected_win + expected_win
        )


class GamingDays:
    """The gaming days of a house. Workers solve the main games; until then there is no expected win."""

    def __init__(self, service: Service, workers: Workers) -> None:
        self._service = service
        self._handles, self._solver = Handles(service.queries), Solver(workers)

    def days(self) -> Days:
        desk = self._service.desk
        with desk.book.look() as clerk:
            house = clerk.house()
        today = day_of(desk.clock(), house.hours)
        following = today - timedelta(days=1) if house.closed is None else house.closed + timedelta(days=1)
        return Days(today=today, closed=house.closed, next_to_close=following if following < today else None)

    def report(self, day: date) -> DayReportSent:
        with self._service.desk.book.look() as clerk:
            day_report = report(clerk.unit, day)
        checkpoint = cast(Details | None, day_report.checkpoint)  # published as an open object
        return {"day": day, "tables": day_report.tables, "jackpots": day_report.jackpots, "checkpoint": checkpoint}

    def hold(self, day: date, table: str | None) -> HoldOfDay:
        """The hold of every table that was active, or of the one given."""
        with self._service.desk.book.look() as clerk:
            days = table_days(clerk.unit, day, only=table)
        lines, together = [], _Sum()
        for name, (_, table_day) in days.items():
            handle = self._handles.of(name, day)
            if not (table or table_day.rounds or table_day.win or table_day.buy_ins):
                continue
            expected_win = expected(self._service.queries.stored_rules, handle, self._solver.of, self._solver.bonus)
            table_sum = _Sum()
            table_sum.add(table_day, expected_win)
            together.add(table_day, expected_win)
            lines.append(_line(name, table_sum, handle.amount))
        total = _line("", together, sum(line.wagered for line in lines))
        return HoldOfDay(day=day, tables=lines, together=total, solving=together.expected_win is None)


def _line(table: str, of: _Sum, wagered: int) -> Hold:
    expected_win = of.expected_win
    interval = None if expected_win is None else expected_win.interval
    drop = of.drop
    return Hold(
        table=table,
        rounds=of.rounds,
        drop=drop,
        win=of.win,
        accrued=of.accrued,
        wagered=wagered,
        hold=of.win / drop if drop else None,
        expected=None if expected_win is None else expected_win.mean,
        interval=interval,
        expected_hold=expected_win.mean / drop if expected_win is not None and drop else None,
        hold_interval=(interval[0] / drop, interval[1] / drop) if interval is not None and drop else None,
        inside=None if interval is None else interval[0] <= of.win <= interval[1],
    )
