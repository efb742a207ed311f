"""Gaming days: the current one, a day's report, and its drop, win and hold compared with the expected win."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import cast

from pydantic import BaseModel
from typing_extensions import TypedDict

from upcard.ledger.gaming_day import Hours, day_of
from upcard.ledger.house_awards import house_awards, house_meters
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.report import JackpotDay, TableDay, report, table_days
from upcard.service.day_handle import Handle, Handles
from upcard.service.expected_win import ZERO, Expected, expected
from upcard.service.hold_solver import Solver
from upcard.service.house_dates import first_day
from upcard.service.running import Service
from upcard.service.wire_models import Details
from upcard.workers.hold import Skill
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
    interval: tuple[float, float] | None  # in which 95 of 100 such days end; None: it is being calculated
    expected_hold: float | None
    hold_interval: tuple[float, float] | None
    inside: bool | None
    jackpots: "HoldAfterJackpots | None"  # None: no wager here can win one


class HoldAfterJackpots(BaseModel):
    """The win less contributions to progressives and awards of jackpots that the house pays, at their meters."""

    awarded: int
    win: int
    expected: float | None
    interval: tuple[float, float] | None


class HoldOfDay(BaseModel):
    """The hold of a gaming day, per table and in total."""

    day: date
    tables: list[Hold]
    together: Hold
    skill: Skill  # the play that the expected win assumes
    solving: bool  # the expected win of some table is being calculated
    ranging: bool  # the expected wins are known, but not every range
    failed: bool  # something cannot be calculated for these rules


class HouseCard(BaseModel):
    """The house: its name, its hours, and its gaming day. None: the hours are not set yet."""

    name: str  # empty: it was not named yet
    hours: Hours | None
    today: date | None


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
    awarded: int = 0
    has_jackpots: bool = False
    expected_win: Expected | None = ZERO
    after_jackpots: Expected | None = ZERO  # before contributions, which are known

    def add(self, other: "_Sum") -> None:
        self.rounds += other.rounds
        self.drop += other.drop
        self.win += other.win
        self.accrued += other.accrued
        self.awarded += other.awarded
        self.has_jackpots |= other.has_jackpots
        self.expected_win = _plus(self.expected_win, other.expected_win)
        self.after_jackpots = _plus(self.after_jackpots, other.after_jackpots)


def _plus(first: Expected | None, second: Expected | None) -> Expected | None:
    return None if first is None or second is None else first + second


class GamingDays:
    """The gaming days of a house. Workers solve the main games; until then there is no expected win."""

    def __init__(self, service: Service, workers: Workers, skill: Skill = "best") -> None:
        self._service, self._skill = service, skill
        self._handles, self.solver = Handles(service.queries), Solver(workers, skill)

    def house(self, name: str) -> HouseCard:
        desk = self._service.desk
        with desk.book.look() as clerk:
            hours = clerk.house().hours
        today = day_of(desk.clock(), hours) if hours else None
        return HouseCard(name=name, hours=hours[-1] if hours else None, today=today)

    def days(self) -> Days:
        desk = self._service.desk
        with desk.book.look() as clerk:
            house = clerk.house()
            first = first_day(clerk) if house.closed is None else None
        if not house.hours:
            raise BookRefused(BookRefusal.NO_HOURS)
        today = day_of(desk.clock(), house.hours)
        following = first or today if house.closed is None else house.closed + timedelta(days=1)
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
            meters, awards = house_meters(clerk.unit), house_awards(clerk.unit, day)
        lines, together = [], _Sum()
        for name, (_, table_day) in days.items():
            handle = self._handles.of(name, day)
            if not (table or table_day.rounds or table_day.win or table_day.buy_ins):
                continue
            table_sum = self._sum(table_day, handle, meters.get(name, {}), awards[name])
            together.add(table_sum)
            lines.append(_line(name, table_sum, handle.amount))
        total = _line("", together, sum(line.wagered for line in lines))
        return HoldOfDay(
            day=day,
            tables=lines,
            together=total,
            skill=self._skill,
            solving=total.expected is None,
            ranging=total.expected is not None and total.interval is None,
            failed=self.solver.failed,
        )

    def _sum(self, day: TableDay, handle: Handle, meters: Mapping[str, Mapping[str, int]], awarded: int) -> _Sum:
        rules, solutions = self._service.queries.stored_rules, self.solver.solutions
        win = expected(rules, handle, solutions)
        return _Sum(
            rounds=day.rounds,
            drop=day.buy_ins,
            win=day.win,
            accrued=day.accrued,
            awarded=awarded,
            has_jackpots=bool(meters or day.accrued or awarded),
            expected_win=win,
            after_jackpots=expected(rules, handle, solutions, meters) if meters else win,
        )


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
        inside=_inside(interval, of),
        jackpots=_after_jackpots(of) if of.has_jackpots else None,
    )


def _inside(interval: tuple[float, float] | None, of: _Sum) -> bool | None:
    """Before the first round is over there is nothing to compare: its side wagers may be booked, its stakes not."""
    return interval[0] <= of.win <= interval[1] if interval is not None and of.rounds else None


def _after_jackpots(of: _Sum) -> HoldAfterJackpots:
    after = of.after_jackpots
    interval = None if after is None else after.interval
    return HoldAfterJackpots(
        awarded=of.awarded,
        win=of.win - of.accrued - of.awarded,
        expected=None if after is None else after.mean - of.accrued,
        interval=None if interval is None else (interval[0] - of.accrued, interval[1] - of.accrued),
    )
