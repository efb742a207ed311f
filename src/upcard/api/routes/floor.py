"""Queries for the people who run the floor: table overview, the day's drop, win and hold, the audit trail."""

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from upcard.api.access import RULES, Guard
from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.messages import PLAIN
from upcard.api.routes.queries import TableQuery
from upcard.service.alerts import Alert
from upcard.service.day_report import DayReportSent, Days, HoldOfDay, HouseCard
from upcard.service.hours_and_ratings import HoursOfDay, RatingsOfDay
from upcard.service.query_models import TrailEntry
from upcard.service.server_messages import Overview
from upcard.service.trail import TrailFilter, read_trail

Moment = Annotated[str, Field(max_length=40, pattern=r"^[0-9TZ:.~-]*$")]
_GUARD_NAMES = {Guard.NONE: "", Guard.STEP_UP: "code", Guard.SECOND_PERSON: "two"}


class TrailQuery(BaseModel):
    """Which entries of the audit trail to list."""

    model_config = ConfigDict(extra="forbid")

    table: Annotated[str | None, Field(max_length=80, pattern=PLAIN)] = None
    house: bool = False
    floor_log: bool = False
    person: Annotated[str, Field(max_length=80, pattern=f"{PLAIN}|^$")] = ""
    kind: Literal["", "refused", "money", "voids", "tables", "jackpots", "house", "shift", "seats", "play"] = ""
    since: Moment = ""
    before: Moment = "~"
    most: Annotated[int, Field(ge=1, le=500)] = 50


routes = APIRouter()


@routes.get("/api/me/may", tags=["accounts"], openapi_extra={"x-operation": "who am I"})
def may(session: CurrentSession) -> dict[str, str]:
    """What you may do, and what each operation needs beyond your session: nothing, `code` or `two` (people)."""
    roles = session.person.roles
    return {name: _GUARD_NAMES[rule.guard] for name, rule in RULES.items() if rule.public or rule.roles & roles}


@routes.get("/api/floor", tags=["floor"], openapi_extra={"x-operation": "read floor"})
def overview(server: CurrentServer, _: CurrentSession) -> Overview:
    """One line per table and per jackpot; the WebSocket sends the same, then every change."""
    return server.overview.whole()


@routes.get("/api/alerts", tags=["floor"], openapi_extra={"x-operation": "read alerts"})
def alerts(server: CurrentServer, _: CurrentSession) -> list[Alert]:
    """What must be looked at now, and who has acknowledged it."""
    return server.alerts.current()


@routes.get("/api/house", tags=["floor"], openapi_extra={"x-operation": "read house"})
def house(server: CurrentServer, _: CurrentSession) -> HouseCard:
    """The name of the house, its hours and its gaming day, as far as they are set."""
    return server.gaming_days.house(server.floor_log.house_name())


@routes.get("/api/floor/days", tags=["floor"], openapi_extra={"x-operation": "read report"})
def days(server: CurrentServer, _: CurrentSession) -> Days:
    """Today's gaming day, and the next one to close."""
    return server.gaming_days.days()


@routes.get("/api/floor/hold/{day}", tags=["floor"], openapi_extra={"x-operation": "read hold"})
def hold(day: Annotated[date, Path()], server: CurrentServer, _: CurrentSession, table: TableQuery = None) -> HoldOfDay:
    """Drop, win and hold of a day, with the 95% interval of the win expected from its wagers."""
    return server.gaming_days.hold(day, table)


@routes.get("/api/floor/hours/{day}", tags=["floor"], openapi_extra={"x-operation": "read hold"})
def hours(
    day: Annotated[date, Path()], server: CurrentServer, _: CurrentSession, table: TableQuery = None
) -> HoursOfDay:
    """Drop, win and rounds of a gaming day, hour by hour."""
    return server.floor_days.hours(day, table)


@routes.get("/api/floor/ratings/{day}", tags=["floor"], openapi_extra={"x-operation": "read ratings"})
def ratings(
    day: Annotated[date, Path()], server: CurrentServer, _: CurrentSession, table: TableQuery = None
) -> RatingsOfDay:
    """The players of a gaming day: average bet, time, result, and the win that their wagers should bring."""
    return server.floor_days.ratings(day, table)


@routes.get("/api/report/{day}", tags=["floor"], openapi_extra={"x-operation": "read report"})
def day_report(day: date, server: CurrentServer, _: CurrentSession) -> DayReportSent:
    """The report of a gaming day."""
    return server.gaming_days.report(day)


@routes.get("/api/floor/trail", tags=["floor"], openapi_extra={"x-operation": "read audit"})
def trail(
    server: CurrentServer,
    _: CurrentSession,
    wanted: Annotated[TrailQuery, Query()],
) -> list[TrailEntry]:
    """Commands and refusals, newest first: of one table, of the house, of the floor's log, or of everything.

    A filter by person or kind without `since` looks at the last 20,000 records of each place."""
    place = TrailFilter(
        table=wanted.table,
        house=wanted.house,
        floor_log=wanted.floor_log,
        person=wanted.person,
        kind=wanted.kind,
        since=wanted.since,
    )
    entries = read_trail(server.service.queries, place, before=wanted.before, most=wanted.most)
    approvers = server.people.approvers([entry["id"] for entry in entries])
    return [{**entry, "approved_by": approvers.get(entry["id"])} for entry in entries]
