"""SeatFiller on request: in a demo, whoever sits at a table fills its seats with bots, and sends them away again."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from upcard.api.auth import Served, Signed
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName

OPERATION = "fill the seats"


class Wanted(BaseModel):
    """How many bots are wanted; none: they go."""

    model_config = ConfigDict(extra="forbid")

    bots: int = Field(ge=0, le=9)


class Coming(BaseModel):
    """The bots that will sit there; they come and go between rounds."""

    bots: list[str]


routes = APIRouter()


@routes.post("/api/tables/{table}/company", tags=["tables"], openapi_extra={"x-operation": OPERATION})
def company(table: TableName, told: Wanted, server: Served, session: Signed) -> Coming:
    """In a demo: bots take the free seats but one, and play along; none wanted: they leave after the round."""
    if server.company is None:
        raise ProblemError(403, "NO_BOTS", "bots are for demos: at a house's tables guests play")
    if session.person.name not in server.service.desk.live(table).players:
        raise ProblemError(403, "NOT_SEATED", "sit down first: company comes to those who play")
    return Coming(bots=server.company.wanted(table, told.bots))
