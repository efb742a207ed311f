"""Hints: the exact value of each action a player may take now, from the cards that the player can see."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.service.hints import Hint, decision_at

OPERATION = "ask for a hint"


class HintsReady(BaseModel):
    """Whether hints are ready; the first one may have to wait for compilation."""

    given: bool  # whether hints are switched on here
    ready: bool


routes = APIRouter()
extra = {"x-operation": OPERATION}


@routes.get("/api/hints", tags=["tables"], openapi_extra=extra)
def hints_ready(server: CurrentServer, _: CurrentSession) -> HintsReady:
    """Whether hints are switched on, and ready. Asking starts the worker that computes them."""
    offered = server.settings.hints
    if offered:
        server.hint_worker.warm_up()
    return HintsReady(given=offered, ready=offered and server.hint_worker.ready)


@routes.get("/api/tables/{table}/hint", tags=["tables"], openapi_extra=extra)
async def hint(
    table: TableName, server: CurrentServer, session: CurrentSession, spot: Annotated[int, Query(ge=1, le=9)]
) -> Hint:
    """Your actions for the hand on your spot, with the value of each; only while it is your turn."""
    if not server.settings.hints:
        raise ProblemError(403, "NO_HINTS", "hints are switched off here")
    live = await asyncio.to_thread(server.service.desk.live, table)
    if live.table.seats.get(spot) != session.person.name:
        raise ProblemError(403, "NOT_YOUR_SPOT", f"spot {spot} is not yours; you can get hints for your own hands only")
    decision = decision_at(live, spot)
    if decision is None:
        raise ProblemError(409, "NOTHING_TO_DECIDE", "it is not your turn; there is no decision to make")
    return decision.hint(await server.hint_worker.worths(decision.question))
