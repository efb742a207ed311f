"""Passwords over HTTP: another one for who knows his, and a way back for who lost it or his authenticator."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from upcard.api.auth import Served, Signed
from upcard.api.routes.commands import Approval, Waits, second_person
from upcard.api.routes.people import Body, Password, PersonName
from upcard.people import PeopleRefusal, PeopleRefused
from upcard.people.person import name_key

_WAY_BACK = "make a way back"


class Change(Body):
    """The password that is, and the one to be."""

    old: Password
    new: Password


class Changed(BaseModel):
    """Done; other sessions of yours are over."""

    changed: bool


class Link(BaseModel):
    """Good once, for an hour: whoever opens it chooses a password, and his authenticator begins anew."""

    token: str


routes = APIRouter(prefix="/api")


@routes.post("/password", tags=["accounts"], openapi_extra={"x-operation": "change password"})
def change(told: Change, server: Served, session: Signed) -> Changed:
    """Another password; whoever else is signed in under your name is signed out."""
    server.people.change_password(session, told.old, told.new)
    server.end_sockets(lambda one: one.person.name == session.person.name and one.id != session.id)
    return Changed(changed=True)


@routes.post(
    "/people/{name}/way-back",
    tags=["floor"],
    openapi_extra={"x-operation": _WAY_BACK},
    response_model=Link,
    responses={202: {"model": Waits}},
)
def account_recovery(
    name: PersonName,
    server: Served,
    session: Signed,
    approval: Approval = None,
) -> Link | JSONResponse:
    """A one-time link for somebody who cannot sign in any more; two persons make it, neither of them he."""
    waits = second_person(server, session, {"operation": _WAY_BACK, "name": name}, "", approval)
    if waits is not None:
        return JSONResponse(waits, status_code=202)
    given = None if approval is None else server.people.approval(approval)
    if given is not None and name_key(given.approved_by or "") == name_key(name):
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    return Link(token=server.people.recovery_token(name, by=session.person))
