"""Demo only: a seated player fills the other seats with bots, or sends the bots away."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName

OPERATION = "fill the seats"


class BotsRequest(BaseModel):
    """How many bots to seat; 0 sends all of them away."""

    model_config = ConfigDict(extra="forbid")

    bots: int = Field(ge=0, le=9)
    speed: float = Field(default=1.0, ge=1, le=50)  # times as fast as usual


class BotNames(BaseModel):
    """The bots that will sit at the table; they come and go between rounds."""

    bots: list[str]


routes = APIRouter()


@routes.post("/api/tables/{table}/company", tags=["tables"], openapi_extra={"x-operation": OPERATION})
def fill_seats(table: TableName, body: BotsRequest, server: CurrentServer, session: CurrentSession) -> BotNames:
    """In a demo: seats bots in all free seats but one, or sends them away after the round."""
    if server.seat_filler is None:
        raise ProblemError(403, "NO_BOTS", "bots play in demos only")
    if session.person.name not in server.service.desk.live(table).players:
        raise ProblemError(403, "NOT_SEATED", "take a seat first; you can add bots only at your own table")
    return BotNames(bots=server.seat_filler.set_bots(table, body.bots, body.speed))
