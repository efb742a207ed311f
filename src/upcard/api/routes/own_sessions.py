"""A person's own sessions: the list of them, and ending those they do not know."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from typing_extensions import TypedDict

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.middleware import address_of
from upcard.api.routes.sign_in import Body, Password, throttle_sign_in


class EndSessions(Body):
    """Your password, and the session to end; without one, all your other sessions."""

    password: Password
    session: Annotated[str | None, Field(pattern=r"^[0-9a-f]{16}$")] = None


class OwnSessionLine(TypedDict):
    """One of your sessions. `address`: the network address it began from; empty if it is not known."""

    id: str
    began: str
    seen: str
    address: str
    current: bool


class SessionsEnded(TypedDict):
    """How many sessions were ended."""

    ended: int


routes = APIRouter(prefix="/api")


@routes.get("/me/sessions", tags=["accounts"], openapi_extra={"x-operation": "read own sessions"})
def own_sessions(server: CurrentServer, session: CurrentSession) -> list[OwnSessionLine]:
    """Your sessions that have not ended, the last used first."""
    return [
        {
            "id": line.id,
            "began": line.began.isoformat(),
            "seen": line.seen.isoformat(),
            "address": line.source,
            "current": line.is_current,
        }
        for line in server.people.own_sessions(session)
    ]


@routes.post("/me/sessions/end", tags=["accounts"], openapi_extra={"x-operation": "end own sessions"})
def end_own_sessions(
    body: EndSessions, server: CurrentServer, session: CurrentSession, request: Request
) -> SessionsEnded:
    """Ends one of your other sessions, or all of them, and closes their WebSockets."""
    throttle_sign_in(server, request)
    ended = set(
        server.people.end_own_sessions(session, body.password, body.session or "", source=address_of(request.scope))
    )
    server.end_sockets(lambda other: other.id in ended)
    return {"ended": len(ended)}
