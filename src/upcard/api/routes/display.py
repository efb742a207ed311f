"""What a jackpot display shows besides its meters."""

from fastapi import APIRouter

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.routes.commands import TableName
from upcard.service import jackpot_display
from upcard.service.jackpot_display import JackpotDisplay

routes = APIRouter()


@routes.get("/api/display/{table}", tags=["jackpots"], openapi_extra={"x-operation": "read jackpots"})
def display(table: TableName, server: CurrentServer, _: CurrentSession) -> JackpotDisplay:
    """A table's jackpots, or one jackpot and the tables it links; the meters come over the WebSocket."""
    return jackpot_display.display(server.service.desk.book, table)
