"""Accounts over HTTP: signing in and out, guests, authenticators, tickets, people and approvals."""

import json
import secrets
from typing import Annotated, cast

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from upcard.api.auth import COOKIE, Served, Signed, give_cookie, take_cookie, token_of
from upcard.api.middleware import address_of
from upcard.api.problems import ProblemError
from upcard.api.routes.queries import Most, Since
from upcard.api.server import Server
from upcard.people import Approval, LogEntry, Role, Session
from upcard.service import commands as s
from upcard.service.wire_models import Details

PersonName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$")]
Password = Annotated[str, Field(min_length=1, max_length=200)]
Token = Annotated[str, Field(min_length=1, max_length=200)]
Code = Annotated[str, Field(pattern=r"^[0-9]{6}$")]


class Body(BaseModel):
    """What is sent; keys nobody knows are refused."""

    model_config = ConfigDict(extra="forbid")


class SetUp(Body):
    """The first account of the house."""

    token: Token
    name: PersonName
    password: Password


class Accept(Body):
    """An invitation taken."""

    token: Token
    password: Password


class SignIn(Body):
    """Name and password."""

    name: PersonName
    password: Password


class Shown(Body):
    """A code of an authenticator."""

    code: Code


class Ask(Body):
    """What a ticket is for."""

    purpose: Annotated[str, Field(pattern="^socket$")] = "socket"


class Invite(Body):
    """Somebody new."""

    name: PersonName
    roles: Annotated[list[Role], Field(min_length=1, max_length=7)]


class Me(TypedDict):
    """Who you are here."""

    name: str
    roles: list[str]
    guest: bool
    csrf: str
    has_totp: bool
    stepped_up: bool
    bankroll: int | None


class In(Me):
    """Signed in; programs keep the token, browsers get a cookie."""

    token: str


class SignedOut(TypedDict):
    """The session is over."""

    signed_out: bool


class Secret(TypedDict):
    """For an authenticator."""

    secret: str
    uri: str


class Confirmed(TypedDict):
    """The authenticator is known."""

    confirmed: bool


class SteppedUp(TypedDict):
    """For five minutes."""

    stepped_up: bool


class Ticket(TypedDict):
    """Opens one socket."""

    ticket: str


class PersonLine(TypedDict):
    """Somebody with an account."""

    name: str
    roles: list[str]
    guest: bool
    disabled: bool


class Invitation(TypedDict):
    """A one-time link's secret."""

    token: str


class Disabled(TypedDict):
    """Who may no longer sign in."""

    disabled: str


class LogLine(TypedDict):
    """Somebody came in, was invited or disabled, or approved what another did."""

    number: int
    at: str
    who: str
    what: str
    about: str
    before: Details
    after: Details


class ApprovalLine(TypedDict):
    """What waits for a second person."""

    id: str
    asked_by: str
    asked: str
    needs: str
    what: Details
    given_by: str | None
    expires: str


class Approved(TypedDict):
    """What was approved."""

    approved: str


routes = APIRouter(prefix="/api")


@routes.post("/set-up", tags=["accounts"], openapi_extra={"x-operation": "set up"})
def set_up(told: SetUp, server: Served, request: Request, response: Response) -> In:
    """The one-time link of the first start: the floor's first account."""
    _slow(server, request)
    server.people.set_up(told.token, told.name, told.password)
    session = server.people.sign_in(told.name, told.password, source=address_of(request.scope))
    return _in(server, session, request, response)


@routes.post("/accept", tags=["accounts"], openapi_extra={"x-operation": "accept invitation"})
def accept(told: Accept, server: Served, request: Request, response: Response) -> In:
    """A link taken, of an invitation or a way back, with a password of your own."""
    _slow(server, request)
    person = server.people.accept(told.token, told.password)
    server.sign_out_person(person)
    session = server.people.sign_in(person.name, told.password, source=address_of(request.scope))
    return _in(server, session, request, response)


@routes.post("/sign-in", tags=["accounts"], openapi_extra={"x-operation": "sign in"})
def sign_in(told: SignIn, server: Served, request: Request, response: Response) -> In:
    """A new session."""
    _slow(server, request)
    session = server.people.sign_in(told.name, told.password, source=address_of(request.scope))
    return _in(server, session, request, response)


@routes.post("/guest", tags=["accounts"], openapi_extra={"x-operation": "be a guest"})
def guest(server: Served, request: Request, response: Response) -> In:
    """In a demo: a guest with play money."""
    if not server.settings.demo:
        raise ProblemError(403, "NO_GUESTS", "guests are for demos; ask the house for an account")
    _slow(server, request)
    session = server.people.sign_in_guest(server.people.add_guest())
    tables = server.service.queries.tables()
    if tables:
        chips = s.BuyIn(table=tables[0], player=session.person.name, amount=server.settings.demo_chips)
        name = f"demo:{secrets.token_hex(8)}"
        server.service.desk.submit(chips, id=name, actor="demo").result()
    return _in(server, session, request, response)


@routes.post("/sign-out", tags=["accounts"], openapi_extra={"x-operation": "sign out"})
def sign_out(server: Served, request: Request, response: Response, _: Signed) -> SignedOut:
    """Ends the session and its sockets at once."""
    token, _by_cookie = token_of(request)
    server.sign_out(token or "")
    take_cookie(response)
    return {"signed_out": True}


@routes.get("/me", tags=["accounts"], openapi_extra={"x-operation": "who am I"})
def me(server: Served, session: Signed) -> Me:
    """Who you are, and what your browser must send with every change."""
    return _me(server, session)


@routes.post("/totp/enrol", tags=["accounts"], openapi_extra={"x-operation": "enrol authenticator"})
def enrol(server: Served, session: Signed) -> Secret:
    """A secret for your authenticator."""
    secret, uri = server.people.enrol_totp(session)
    return {"secret": secret, "uri": uri}


@routes.post("/totp/confirm", tags=["accounts"], openapi_extra={"x-operation": "confirm authenticator"})
def confirm(told: Shown, server: Served, session: Signed) -> Confirmed:
    """Its first code."""
    server.people.confirm_totp(session, told.code)
    return {"confirmed": True}


@routes.post("/step-up", tags=["accounts"], openapi_extra={"x-operation": "step up"})
def step_up(told: Shown, server: Served, session: Signed) -> SteppedUp:
    """A code: for five minutes you may do what asks for one."""
    server.people.step_up(session, told.code)
    return {"stepped_up": True}


@routes.post("/ticket", tags=["accounts"], openapi_extra={"x-operation": "socket ticket"})
def ticket(server: Served, session: Signed, told: Ask | None = None) -> Ticket:
    """A ticket that opens one socket within half a minute."""
    return {"ticket": server.people.ticket(session, (told or Ask()).purpose)}


@routes.get("/people", tags=["floor"], openapi_extra={"x-operation": "read people"})
def people(server: Served, _: Signed) -> list[PersonLine]:
    """Everybody with an account."""
    return [
        {"name": one.name, "roles": sorted(one.roles), "guest": one.guest, "disabled": one.disabled}
        for one in server.people.people()
    ]


@routes.post("/people/invite", tags=["floor"], openapi_extra={"x-operation": "invite"})
def invite(told: Invite, server: Served, session: Signed) -> Invitation:
    """A one-time link for somebody new."""
    return {"token": server.people.invite(session.person, told.name, frozenset(told.roles))}


@routes.post("/people/{name}/disable", tags=["floor"], openapi_extra={"x-operation": "disable"})
def disable(name: PersonName, server: Served, session: Signed) -> Disabled:
    """Somebody may no longer sign in; his sessions and their sockets end."""
    person = server.people.disable(session.person, name)
    server.sign_out_person(person)
    return {"disabled": person.name}


@routes.get("/people/log", tags=["floor"], openapi_extra={"x-operation": "read people log"})
def log(server: Served, _: Signed, since: Since = 0, most: Most = 100) -> list[LogLine]:
    """Who came in, was invited or disabled, and who approved what another did."""
    return [_line(one) for one in server.people.log(since, most)]


@routes.get("/approvals", tags=["floor"], openapi_extra={"x-operation": "read approvals"})
def approvals(server: Served, _: Signed) -> list[ApprovalLine]:
    """What waits for a second person."""
    return [_approval(one) for one in server.people.waiting_approvals()]


@routes.post("/approvals/{approval}/approve", tags=["floor"], openapi_extra={"x-operation": "approve"})
def approve(approval: Annotated[str, Field(max_length=64)], server: Served, session: Signed) -> Approved:
    """The second person's word."""
    server.people.approve(session, approval)
    return {"approved": approval}


def _slow(server: Server, request: Request) -> None:
    wait = server.sign_ins.take(address_of(request.scope))
    if wait:
        raise ProblemError(429, "TOO_MANY_SIGN_INS", f"wait {int(wait) + 1} s", {"Retry-After": str(int(wait) + 1)})


def _in(server: Server, session: Session, request: Request, response: Response) -> In:
    """A new session in place of the one this browser had: whoever knew that one knows nothing of this."""
    if old := request.cookies.get(COOKIE):
        server.sign_out(old)
    give_cookie(response, session.token)
    return {**_me(server, session), "token": session.token}


def _line(one: LogEntry) -> LogLine:
    return {
        "number": one.number,
        "at": one.at.isoformat(),
        "who": one.actor,
        "what": one.action,
        "about": one.subject,
        "before": cast(Details, one.before),
        "after": cast(Details, one.after),
    }


def _approval(one: Approval) -> ApprovalLine:
    return {
        "id": one.id,
        "asked_by": one.requested_by,
        "asked": one.requested_at.isoformat(),
        "needs": one.role.value,
        "what": json.loads(one.payload),
        "given_by": one.approved_by,
        "expires": one.expires_at.isoformat(),
    }


def _me(server: Server, session: Session) -> Me:
    person = session.person
    player = Role.PLAYER in person.roles
    return {
        "name": person.name,
        "roles": sorted(person.roles),
        "guest": person.guest,
        "csrf": session.csrf,
        "has_totp": person.has_totp,
        "stepped_up": server.people.stepped_up(session),
        "bankroll": server.service.queries.bankroll(person.name) if player else None,
    }
