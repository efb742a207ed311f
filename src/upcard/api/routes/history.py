"""A player's own history: rounds with cards and filters, statistics, and links to rounds that they share."""

from typing import Annotated

from fastapi import APIRouter, Query

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.messages import PLAIN
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.service.player_history import Result, RoundFilter, RoundPage, Statistics, round_page, statistics
from upcard.service.replays import Replay, ReplayLink, replay, replay_token

Moment = Annotated[str, Query(max_length=40, pattern=r"^[0-9TZ:.~-]*$")]
Named = Annotated[str, Query(max_length=80, pattern=f"{PLAIN}|^$")]
Token = Annotated[str, Query(max_length=80, pattern=r"^[0-9-]+\.[0-9a-f]{40}$")]

routes = APIRouter()


@routes.get("/api/me/history", tags=["me"], openapi_extra={"x-operation": "read own rounds"})
def history(
    server: CurrentServer,
    session: CurrentSession,
    game: Named = "",
    wager: Named = "",
    result: Result | None = None,
    before: Moment = "~",
    most: Annotated[int, Query(ge=1, le=50)] = 20,
) -> RoundPage:
    """Your rounds with their cards, newest first: all, or those of a game, with a wager, or with a result."""
    wanted = RoundFilter(game=game, wager=wager, result=result)
    return round_page(server.service.queries, session.person.name, wanted, before=before, most=most)


@routes.get("/api/me/statistics", tags=["me"], openapi_extra={"x-operation": "read own rounds"})
def own_statistics(server: CurrentServer, session: CurrentSession, since: Moment = "") -> Statistics:
    """Your results by game and wager, ever or since a moment."""
    return statistics(server.service.queries, session.person.name, since=since)


@routes.post("/api/me/share/{table}/{number}", tags=["me"], openapi_extra={"x-operation": "share a round"})
def share(table: TableName, number: int, server: CurrentServer, session: CurrentSession) -> ReplayLink:
    """A token for a link to a round that you played: whoever has it sees the round, without names."""
    service = server.service
    token = (
        replay_token(service.desk.context.keyring, service.queries, session.person.name, table, number)
        if 0 <= number < 2**53
        else None
    )
    if token is None:
        raise ProblemError(404, "ROUND_UNKNOWN", f"you have no finished round {number} at {table}")
    return {"token": token}


@routes.get("/api/replays/{table}/{number}", tags=["games"], openapi_extra={"x-operation": "see a shared round"})
def shared_round(table: TableName, number: int, token: Token, server: CurrentServer) -> Replay:
    """A round that its player shared, for whoever has the link; without the names of players."""
    service = server.service
    shared = (
        replay(service.desk.context.keyring, service.queries, table, number, token) if 0 <= number < 2**53 else None
    )
    if shared is None:
        raise ProblemError(404, "ROUND_UNKNOWN", "there is no shared round with this link")
    return shared
