"""What a jackpot display shows beside its meters."""

from typing import Annotated

from fastapi import APIRouter, Depends

from upcard.api.auth import Allowed, Served
from upcard.api.routes.commands import TableName
from upcard.people import Session
from upcard.service import jackpot_display
from upcard.service.jackpot_display import Displayed


def router() -> APIRouter:
    """The one question."""
    routes = APIRouter()

    @routes.get("/api/display/{table}", tags=["jackpots"], openapi_extra={"x-operation": "read jackpots"})
    def display(
        table: TableName, server: Served, _: Annotated[Session, Depends(Allowed("read jackpots"))]
    ) -> Displayed:
        """The jackpots of a table, or a jackpot and the tables it links; its meters come over the socket."""
        return jackpot_display.display(server.service.desk.book, table)

    return routes
