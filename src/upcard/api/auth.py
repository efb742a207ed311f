"""Sessions over HTTP: a cookie for browsers (with an anti-forgery token), a bearer for programs."""

from typing import Annotated

from fastapi import Depends, Request, Response

from upcard.api.problems import ProblemError
from upcard.api.server import Server
from upcard.api.signed_in import COOKIE, bearer_of
from upcard.people import Session

CSRF_HEADER = "X-CSRF-Token"
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def token_of(request: Request) -> tuple[str | None, bool]:
    """The session's token, and whether it came from the cookie, which browsers send automatically."""
    token = bearer_of(request.headers.get("Authorization", ""))
    if token:
        return token, False
    return request.cookies.get(COOKIE), True


def session_of(request: Request) -> Session | None:
    """The request's session, if it has a valid one."""
    server = server_of(request)
    token, by_cookie = token_of(request)
    if not token:
        return None
    session = server.people.session(token)
    if session is not None:
        server.signed_in.note(token, session.person.name, request.scope)
    if session is None or not by_cookie or request.method in _SAFE_METHODS:
        return session
    if not server.people.is_csrf(session, request.headers.get(CSRF_HEADER, "")):
        raise ProblemError(403, "FORGED", f"send the {CSRF_HEADER} header with a request that uses the cookie")
    return session


def require_permission(request: Request) -> Session:
    """A dependency: the session, if it may do the operation that the route names; raises a problem if not."""
    return server_of(request).allow(session_of(request), request.scope["route"].openapi_extra["x-operation"])


def set_session_cookie(response: Response, token: str) -> None:
    """Scripts cannot read the cookie."""
    response.set_cookie(COOKIE, token, secure=True, httponly=True, samesite="strict", path="/")


def clear_session_cookie(response: Response) -> None:
    response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict", path="/")


CurrentServer = Annotated[Server, Depends(server_of)]
CurrentSession = Annotated[Session, Depends(require_permission)]
