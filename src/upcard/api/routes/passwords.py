"""Changes passwords, and makes recovery links for people who lost their password or authenticator."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.routes.commands import Approval, ApprovalNeeded, require_approval
from upcard.api.routes.people import Body, Password, PersonName
from upcard.people import PeopleRefusal, PeopleRefused
from upcard.people.person import name_key

_OPERATION = "make a way back"


class Change(Body):
    old: Password
    new: Password


class Changed(BaseModel):
    """The password was changed and your other sessions were ended."""

    changed: bool


class Link(BaseModel):
    """A recovery token: works once, for one hour, to set a new password; the authenticator must be set up again."""

    token: str


routes = APIRouter(prefix="/api")


@routes.post("/password", tags=["accounts"], openapi_extra={"x-operation": "change password"})
def change(body: Change, server: CurrentServer, session: CurrentSession) -> Changed:
    """Changes your password; ends your other sessions."""
    server.people.change_password(session, body.old, body.new)
    server.end_sockets(lambda other: other.person.name == session.person.name and other.id != session.id)
    return Changed(changed=True)


@routes.post(
    "/people/{name}/way-back",
    tags=["floor"],
    openapi_extra={"x-operation": _OPERATION},
    response_model=Link,
    responses={202: {"model": ApprovalNeeded}},
)
def account_recovery(
    name: PersonName,
    server: CurrentServer,
    session: CurrentSession,
    approval: Approval = None,
) -> Link | JSONResponse:
    """A one-time recovery link for a person who cannot sign in; it takes two other people to make it."""
    pending = require_approval(server, session, {"operation": _OPERATION, "name": name}, "", approval)
    if pending is not None:
        return JSONResponse(pending, status_code=202)
    record = None if approval is None else server.people.approval(approval)
    if record is not None and name_key(record.approved_by or "") == name_key(name):
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    return Link(token=server.people.recovery_token(name, by=session.person))
