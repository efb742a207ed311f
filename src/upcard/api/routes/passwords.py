"""Changes passwords, and makes recovery links for people who lost their password or authenticator."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.middleware import address_of
from upcard.api.routes.approvals import ask_second_person
from upcard.api.routes.people import WAITS, AnyName, AskingKey, link_made
from upcard.api.routes.sign_in import Body, Password, throttle_sign_in


class Change(Body):
    old: Password
    new: Password


class Changed(BaseModel):
    """The password was changed and your other sessions were ended."""

    changed: bool


class Link(BaseModel):
    """A recovery token: works once, for one hour, to set a new password; the authenticator must be set up again."""

    token: str


Handler = Callable[..., Any]

routes = APIRouter(prefix="/api")


@routes.post("/password", tags=["accounts"], openapi_extra={"x-operation": "change password"})
def change(body: Change, server: CurrentServer, session: CurrentSession, request: Request) -> Changed:
    """Changes your password; ends your other sessions."""
    throttle_sign_in(server, request)
    server.people.change_password(session, body.old, body.new, source=address_of(request.scope))
    server.end_sockets(lambda other: other.person.name == session.person.name and other.id != session.id)
    return Changed(changed=True)


def _recovery_route(path: str, *, deprecated: bool = False) -> Callable[[Handler], Handler]:
    return routes.post(
        path,
        tags=["floor"],
        openapi_extra={"x-operation": "make a way back"},
        response_model=Link,
        responses=WAITS,
        deprecated=deprecated or None,
    )


@_recovery_route("/people/{name}/way-back", deprecated=True)  # the path's earlier name
@_recovery_route("/people/{name}/recovery")
def account_recovery(name: AnyName, server: CurrentServer, session: CurrentSession, key: AskingKey = "") -> Any:
    """A one-time recovery link for a person who cannot sign in; it takes two other people to make it."""
    asked = ask_second_person(server, session, {"operation": "make a way back", "name": name}, key)
    return link_made(server, asked)
