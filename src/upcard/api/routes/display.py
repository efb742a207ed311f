"""What a jackpot display shows beside its meters."""

from fastapi import APIRouter

from upcard.api.auth import Served, Signed
from upcard.api.routes.commands import TableName
from upcard.service import jackpot_display
from upcard.service.jackpot_display import Displayed

routes = APIRouter()


@routes.get("/api/display/{table}", tags=["jackpots"], openapi_extra={"x-operation": "read jackpots"})
def display(table: TableName, server: Served, _: Signed) -> Displayed:
    """The jackpots of a table, or a jackpot and the tables it links; its meters come over the socket."""
    return jackpot_display.display(server.service.desk.book, table)
