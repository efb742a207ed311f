"""Sessions over HTTP: a cookie for browsers (with an anti-forgery token), a bearer for programs."""

from typing import Annotated

from fastapi import Depends, Request, Response

from upcard.api.problems import ProblemError
from upcard.api.server import Server
from upcard.people import Session

COOKIE = "__Host-upcard"
CSRF_HEADER = "X-CSRF-Token"
_SAFE = ("GET", "HEAD", "OPTIONS")


def server_of(request: Request) -> Server:
    """The server of an application."""
    server: Server = request.app.state.server
    return server


def token_of(request: Request) -> tuple[str | None, bool]:
    """The session's token, and whether a browser sent it by itself."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), False
    return request.cookies.get(COOKIE), True


def session_of(request: Request) -> Session | None:
    """The session of a request, if it has one that holds."""
    server = server_of(request)
    token, by_cookie = token_of(request)
    if not token:
        return None
    session = server.people.session(token)
    if session is None or not by_cookie or request.method in _SAFE:
        return session
    if not server.people.is_csrf(session, request.headers.get(CSRF_HEADER, "")):
        raise ProblemError(403, "FORGED", f"a browser's request carries its {CSRF_HEADER} header")
    return session


def allowed(request: Request) -> Session:
    """A dependency: the session, if it may do the operation that its route names; else the problem is raised."""
    return server_of(request).allow(session_of(request), request.scope["route"].openapi_extra["x-operation"])


def give_cookie(response: Response, token: str) -> None:
    """The browser keeps the session; no script can read it."""
    response.set_cookie(COOKIE, token, secure=True, httponly=True, samesite="strict", path="/")


def take_cookie(response: Response) -> None:
    """And forgets it."""
    response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict", path="/")


Served = Annotated[Server, Depends(server_of)]
Signed = Annotated[Session, Depends(allowed)]
