"""Queries of the floor's log: shift notes, disputes; and the rounds of a table, to look one up."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.api.routes.queries import Before, Most
from upcard.service.floor_log import Dispute, ShiftNote
from upcard.service.round_list import RoundLine, rounds_of_table

_LAST = 2**53
BeforeNumber = Annotated[int, Query(ge=0, le=_LAST)]
DisputeNumber = Annotated[int, Path(ge=1, le=_LAST)]

routes = APIRouter()


@routes.get("/api/floor/notes", tags=["floor"], openapi_extra={"x-operation": "read notes"})
def notes(server: CurrentServer, _: CurrentSession, before: BeforeNumber = _LAST, most: Most = 50) -> list[ShiftNote]:
    """Shift notes and handovers, newest first."""
    return server.floor_log.notes(before=before, most=most)


@routes.get("/api/floor/disputes", tags=["floor"], openapi_extra={"x-operation": "read disputes"})
def disputes(server: CurrentServer, _: CurrentSession) -> list[Dispute]:
    """All disputes, newest first."""
    return server.floor_log.disputes()


@routes.get("/api/floor/disputes/{number}", tags=["floor"], openapi_extra={"x-operation": "read disputes"})
def dispute(number: DisputeNumber, server: CurrentServer, _: CurrentSession) -> Dispute:
    """One dispute."""
    found = server.floor_log.dispute(number)
    if found is None:
        raise ProblemError(404, "NO_SUCH_DISPUTE", f"there is no dispute {number}")
    return found


@routes.get("/api/tables/{table}/rounds", tags=["tables"], openapi_extra={"x-operation": "read rounds"})
def rounds(
    table: TableName,
    server: CurrentServer,
    _: CurrentSession,
    before: BeforeNumber = _LAST,
    until: Before = "",
    most: Most = 50,
) -> list[RoundLine]:
    """Finished rounds of a table, newest first: before a round number, or up to a moment."""
    server.service.desk.live(table)
    return rounds_of_table(server.service.queries, table, before=before, until=until, most=most)
