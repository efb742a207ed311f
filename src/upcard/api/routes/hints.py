"""Hints on demand: what each thing a player may do now is worth, exactly, from the cards he can see."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from upcard.api.auth import Served, Signed
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.service.hints import Hint, decision_at

OPERATION = "ask for a hint"


class HintsReady(BaseModel):
    """Whether an answer comes at once; before the first one the machine may have to compile."""

    given: bool  # whether this house gives any
    ready: bool


routes = APIRouter()
extra = {"x-operation": OPERATION}


@routes.get("/api/hints", tags=["tables"], openapi_extra=extra)
def hints_ready(server: Served, _: Signed) -> HintsReady:
    """Whether hints are given here, and ready; whoever asks has them made ready."""
    given = server.settings.hints
    if given:
        server.pricing.warm_up()
    return HintsReady(given=given, ready=given and server.pricing.ready)


@routes.get("/api/tables/{table}/hint", tags=["tables"], openapi_extra=extra)
async def hint(table: TableName, server: Served, session: Signed, spot: Annotated[int, Query(ge=1, le=9)]) -> Hint:
    """What you may do with the hand on your spot, and what each of it is worth; only while you are asked."""
    if not server.settings.hints:
        raise ProblemError(403, "NO_HINTS", "this house gives no hints")
    live = await asyncio.to_thread(server.service.desk.live, table)
    if live.table.seats.get(spot) != session.person.name:
        raise ProblemError(403, "NOT_YOUR_SPOT", f"spot {spot} is not yours: hints are for your own hands")
    decision = decision_at(live, spot)
    if decision is None:
        raise ProblemError(409, "NOTHING_TO_DECIDE", "there is nothing for you to decide now")
    return decision.hint(await server.pricing.worths(decision.question))
