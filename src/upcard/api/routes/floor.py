"""Questions of the people who run the floor: all tables in short, the day's drop, win and hold, the audit trail."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path, Query

from upcard.api.access import RULES, Guard
from upcard.api.auth import Served, Signed
from upcard.api.routes.queries import Before, Most, TableQuery
from upcard.service.day_hold import DayReportSent, Days, HoldOfDay
from upcard.service.query_models import Trace
from upcard.service.server_messages import Overview

_ASKS = {Guard.NONE: "", Guard.STEP_UP: "code", Guard.TWO: "two"}


routes = APIRouter()


@routes.get("/api/me/may", tags=["accounts"], openapi_extra={"x-operation": "who am I"})
def may(session: Signed) -> dict[str, str]:
    """What you may do here, and what each asks for beyond your session: nothing, a code, or two persons."""
    mine = session.person.roles
    return {name: _ASKS[rule.guard] for name, rule in RULES.items() if rule.public or rule.roles & mine}


@routes.get("/api/floor", tags=["floor"], openapi_extra={"x-operation": "read floor"})
def overview(server: Served, _: Signed) -> Overview:
    """Every table and every jackpot in one line; the socket tells the same, and then what changes."""
    return server.overview.whole()


@routes.get("/api/floor/days", tags=["floor"], openapi_extra={"x-operation": "read report"})
def days(server: Served, _: Signed) -> Days:
    """Today, and which day is closed next."""
    return server.gaming_days.days()


@routes.get("/api/floor/hold/{day}", tags=["floor"], openapi_extra={"x-operation": "read hold"})
def hold(day: Annotated[date, Path()], server: Served, _: Signed, table: TableQuery = None) -> HoldOfDay:
    """Drop, win and hold of a day, beside the 95% interval of the win that its wagers promised."""
    return server.gaming_days.hold(day, table)


@routes.get("/api/report/{day}", tags=["floor"], openapi_extra={"x-operation": "read report"})
def day_report(day: date, server: Served, _: Signed) -> DayReportSent:
    """A gaming day."""
    return server.gaming_days.report(day)


@routes.get("/api/floor/trail", tags=["floor"], openapi_extra={"x-operation": "read audit"})
def trail(
    server: Served,
    _: Signed,
    table: TableQuery = None,
    house: Annotated[bool, Query()] = False,
    before: Before = "~",
    most: Most = 50,
) -> list[Trace]:
    """Who did what, and what was refused, the newest first: at a table, in the house's own name, or everywhere."""
    return server.service.queries.trail(table, house=house, before=before, most=most)
