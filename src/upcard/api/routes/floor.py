"""Questions of the people who run the floor: all tables in short, the day's drop, win and hold, the audit trail."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel

from upcard.api.access import RULES, Guard
from upcard.api.auth import Allowed, Served
from upcard.api.messages import PLAIN, JackpotLine, Overview, TableLine
from upcard.api.routes.queries import Before, Most
from upcard.api.server import Server
from upcard.ledger.gaming_day import day_of
from upcard.ledger.journal import HOUSE, table_chain
from upcard.ledger.report import TableDay, table_days
from upcard.people import Session
from upcard.service.expected_win import NOTHING, Expected, expected
from upcard.service.queries import Queries, Row

TableQuery = Annotated[str | None, Query(max_length=80, pattern=PLAIN)]


_ASKS = {Guard.NONE: "", Guard.STEP_UP: "code", Guard.TWO: "two"}


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


class Trace(BaseModel):
    """Something that was done or refused."""

    at: str
    stream: str
    number: int | None  # None: refused
    id: str
    actor: str
    role: str
    command: dict[str, Any]
    refused: str | None  # the code of why
    details: dict[str, Any] = {}  # and its parameters
    events: list[dict[str, Any]] = []  # of a change of rules: what it did, for the command does not say


def router() -> APIRouter:
    """Every question."""
    routes = APIRouter()

    @routes.get("/api/me/may", tags=["accounts"], openapi_extra={"x-operation": "who am I"})
    def may(session: Annotated[Session, Depends(Allowed("who am I"))]) -> dict[str, str]:
        """What you may do here, and what each asks for beyond your session: nothing, a code, or two persons."""
        mine = session.person.roles
        return {name: _ASKS[rule.guard] for name, rule in RULES.items() if rule.public or rule.roles & mine}

    @routes.get("/api/floor", tags=["floor"], openapi_extra={"x-operation": "read floor"})
    def overview(server: Served, _: Annotated[Session, Depends(Allowed("read floor"))]) -> Overview:
        """Every table and every jackpot in one line; the socket tells the same, and then what changes."""
        rows = [TableLine(**row) for row in server.overview.all_tables()]
        jackpots = [JackpotLine(**row) for row in server.overview.meters.rows()]
        return Overview(type="overview", tables=rows, jackpots=jackpots, whole=True)

    @routes.get("/api/floor/days", tags=["floor"], openapi_extra={"x-operation": "read report"})
    def days(server: Served, _: Annotated[Session, Depends(Allowed("read report"))]) -> Days:
        """Today, and which day is closed next."""
        return gaming_days(server)

    @routes.get("/api/floor/hold/{day}", tags=["floor"], openapi_extra={"x-operation": "read hold"})
    def hold(
        day: Annotated[date, Path()],
        server: Served,
        _: Annotated[Session, Depends(Allowed("read hold"))],
        table: TableQuery = None,
    ) -> HoldOfDay:
        """Drop, win and hold of a day, beside the 95% interval of the win that its wagers promised."""
        return hold_of_day(server, day, table)

    @routes.get("/api/floor/trail", tags=["floor"], openapi_extra={"x-operation": "read audit"})
    def trail(
        server: Served,
        _: Annotated[Session, Depends(Allowed("read audit"))],
        table: TableQuery = None,
        house: Annotated[bool, Query()] = False,
        before: Before = "~",
        most: Most = 50,
    ) -> list[Trace]:
        """Who did what, and what was refused, the newest first: at a table, in the house's own name, or everywhere."""
        streams = [HOUSE] * house + ([] if table is None else [table_chain(table)])
        queries = server.service.queries
        found = queries.trail(*streams, before=before, most=most)
        return [Trace(**row, events=_rules_events(queries, row)) for row in found]

    return routes


def _rules_events(queries: Queries, row: Row) -> list[dict[str, Any]]:
    if row["number"] is None or row["command"].get("do") != "change-rules":
        return []
    table = row["stream"].removeprefix(table_chain(""))
    records = queries.records(table, since=row["number"] - 1, most=1)
    return [event for record in records for event in record["events"]]


def gaming_days(server: Server) -> Days:
    """Today, and which day is closed next."""
    with server.service.desk.book.look() as clerk:
        house = clerk.house()
    today = day_of(server.service.desk.clock(), house.hours)
    following = today - timedelta(days=1) if house.closed is None else house.closed + timedelta(days=1)
    return Days(today=today, closed=house.closed, next_to_close=following if following < today else None)


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


def hold_of_day(server: Server, day: date, table: str | None) -> HoldOfDay:
    """Every table that had something to do, or the one asked for."""
    desk, queries = server.service.desk, server.service.queries
    with desk.book.look() as clerk:
        found = table_days(clerk.unit, day, only=table)
    lines, together = [], _Sum()
    for name, (_, one) in found.items():
        handle = server.handles.of(name, day)
        if not (table or one.rounds or one.win or one.buy_ins):
            continue
        promised = expected(queries.stored_rules, handle, server.mains.of)
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
