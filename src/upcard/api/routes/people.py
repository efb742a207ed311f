"""Accounts over HTTP: signing in and out, guests, authenticators, tickets, people and approvals."""

import json
import secrets
from typing import Annotated, cast

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from upcard.api.auth import COOKIE, CurrentServer, CurrentSession, clear_session_cookie, set_session_cookie, token_of
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
    """A request body; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class SetUp(Body):
    """The first account of the house."""

    token: Token
    name: PersonName
    password: Password


class Accept(Body):
    """Accepts an invitation."""

    token: Token
    password: Password


class SignIn(Body):
    name: PersonName
    password: Password


class AuthenticatorCode(Body):
    code: Code


class TicketRequest(Body):
    """What a ticket is for."""

    purpose: Annotated[str, Field(pattern="^socket$")] = "socket"


class Invite(Body):
    """Invites a new person."""

    name: PersonName
    roles: Annotated[list[Role], Field(min_length=1, max_length=7)]


class Me(TypedDict):
    """Your account and session."""

    name: str
    roles: list[str]
    guest: bool
    csrf: str
    has_totp: bool
    stepped_up: bool
    bankroll: int | None


class SignedIn(Me):
    """Your new session; programs keep the token, browsers get a cookie."""

    token: str


class SignedOut(TypedDict):
    signed_out: bool


class Secret(TypedDict):
    secret: str
    uri: str


class Confirmed(TypedDict):
    confirmed: bool


class SteppedUp(TypedDict):
    stepped_up: bool


class Ticket(TypedDict):
    """Opens one WebSocket."""

    ticket: str


class PersonLine(TypedDict):
    """A person with an account."""

    name: str
    roles: list[str]
    guest: bool
    disabled: bool


class Invitation(TypedDict):
    """The token of a one-time link."""

    token: str


class Disabled(TypedDict):
    """The person who can no longer sign in."""

    disabled: str


class LogLine(TypedDict):
    """One entry of the log of accounts: a sign-in, an invitation, an approval and so on."""

    number: int
    at: str
    who: str
    what: str
    about: str
    before: Details
    after: Details


class ApprovalLine(TypedDict):
    """An operation that waits for a second person."""

    id: str
    asked_by: str
    asked: str
    needs: str
    what: Details
    given_by: str | None
    expires: str


class Approved(TypedDict):
    approved: str


routes = APIRouter(prefix="/api")


@routes.post("/set-up", tags=["accounts"], openapi_extra={"x-operation": "set up"})
def set_up(body: SetUp, server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """Creates the first account, a floor manager's, from the one-time link of the first start."""
    _throttle_sign_in(server, request)
    server.people.set_up(body.token, body.name, body.password)
    session = server.people.sign_in(body.name, body.password, source=address_of(request.scope))
    return _start_session(server, session, request, response)


@routes.post("/accept", tags=["accounts"], openapi_extra={"x-operation": "accept invitation"})
def accept(body: Accept, server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """Accepts an invitation or recovery link and sets your password."""
    _throttle_sign_in(server, request)
    person = server.people.accept(body.token, body.password)
    server.sign_out_person(person)
    session = server.people.sign_in(person.name, body.password, source=address_of(request.scope))
    return _start_session(server, session, request, response)


@routes.post("/sign-in", tags=["accounts"], openapi_extra={"x-operation": "sign in"})
def sign_in(body: SignIn, server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """Signs in."""
    _throttle_sign_in(server, request)
    session = server.people.sign_in(body.name, body.password, source=address_of(request.scope))
    return _start_session(server, session, request, response)


@routes.post("/guest", tags=["accounts"], openapi_extra={"x-operation": "be a guest"})
def guest(server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """In a demo: a guest with play money."""
    if not server.settings.demo:
        raise ProblemError(403, "NO_GUESTS", "guests can play in demos only; ask the casino for an account")
    _throttle_sign_in(server, request)
    session = server.people.sign_in_guest(server.people.add_guest())
    tables = server.service.queries.tables()
    if tables:
        chips = s.BuyIn(table=tables[0], player=session.person.name, amount=server.settings.demo_chips)
        name = f"demo:{secrets.token_hex(8)}"
        server.service.desk.submit(chips, id=name, actor="demo").result()
    return _start_session(server, session, request, response)


@routes.post("/sign-out", tags=["accounts"], openapi_extra={"x-operation": "sign out"})
def sign_out(server: CurrentServer, request: Request, response: Response, _: CurrentSession) -> SignedOut:
    """Ends your session and closes its WebSockets."""
    token, _by_cookie = token_of(request)
    server.sign_out(token or "")
    clear_session_cookie(response)
    return {"signed_out": True}


@routes.get("/me", tags=["accounts"], openapi_extra={"x-operation": "who am I"})
def me(server: CurrentServer, session: CurrentSession) -> Me:
    """Your account, and the CSRF token that a browser must send with every change."""
    return _me(server, session)


@routes.post("/totp/enrol", tags=["accounts"], openapi_extra={"x-operation": "enrol authenticator"})
def enrol(server: CurrentServer, session: CurrentSession) -> Secret:
    """A new secret for your authenticator app."""
    secret, uri = server.people.enrol_totp(session)
    return {"secret": secret, "uri": uri}


@routes.post("/totp/confirm", tags=["accounts"], openapi_extra={"x-operation": "confirm authenticator"})
def confirm(body: AuthenticatorCode, server: CurrentServer, session: CurrentSession) -> Confirmed:
    """Confirms your authenticator with its first code."""
    server.people.confirm_totp(session, body.code)
    return {"confirmed": True}


@routes.post("/step-up", tags=["accounts"], openapi_extra={"x-operation": "step up"})
def step_up(body: AuthenticatorCode, server: CurrentServer, session: CurrentSession) -> SteppedUp:
    """Confirms a code; for five minutes you may do what needs one."""
    server.people.step_up(session, body.code)
    return {"stepped_up": True}


@routes.post("/ticket", tags=["accounts"], openapi_extra={"x-operation": "socket ticket"})
def ticket(server: CurrentServer, session: CurrentSession, body: TicketRequest | None = None) -> Ticket:
    """A ticket that opens one WebSocket within 30 seconds."""
    return {"ticket": server.people.ticket(session, (body or TicketRequest()).purpose)}


@routes.get("/people", tags=["floor"], openapi_extra={"x-operation": "read people"})
def people(server: CurrentServer, _: CurrentSession) -> list[PersonLine]:
    """Everybody with an account."""
    return [
        {"name": person.name, "roles": sorted(person.roles), "guest": person.guest, "disabled": person.disabled}
        for person in server.people.people()
    ]


@routes.post("/people/invite", tags=["floor"], openapi_extra={"x-operation": "invite"})
def invite(body: Invite, server: CurrentServer, session: CurrentSession) -> Invitation:
    """A one-time invitation link."""
    return {"token": server.people.invite(session.person, body.name, frozenset(body.roles))}


@routes.post("/people/{name}/disable", tags=["floor"], openapi_extra={"x-operation": "disable"})
def disable(name: PersonName, server: CurrentServer, session: CurrentSession) -> Disabled:
    """Disables an account; ends its sessions and closes their WebSockets."""
    person = server.people.disable(session.person, name)
    server.sign_out_person(person)
    return {"disabled": person.name}


@routes.get("/people/log", tags=["floor"], openapi_extra={"x-operation": "read people log"})
def log(server: CurrentServer, _: CurrentSession, since: Since = 0, most: Most = 100) -> list[LogLine]:
    """The log of accounts: sign-ins, invitations, disabled accounts and approvals."""
    return [_log_line(entry) for entry in server.people.log(since, most)]


@routes.get("/approvals", tags=["floor"], openapi_extra={"x-operation": "read approvals"})
def approvals(server: CurrentServer, _: CurrentSession) -> list[ApprovalLine]:
    """An operation that waits for a second person."""
    return [_approval_line(approval) for approval in server.people.waiting_approvals()]


@routes.post("/approvals/{approval}/approve", tags=["floor"], openapi_extra={"x-operation": "approve"})
def approve(approval: Annotated[str, Field(max_length=64)], server: CurrentServer, session: CurrentSession) -> Approved:
    """Approves what another person asked to do."""
    server.people.approve(session, approval)
    return {"approved": approval}


def _throttle_sign_in(server: Server, request: Request) -> None:
    wait = server.sign_ins.take(address_of(request.scope))
    if wait:
        raise ProblemError(
            429,
            "TOO_MANY_SIGN_INS",
            f"too many sign-ins; wait {int(wait) + 1} seconds",
            {"Retry-After": str(int(wait) + 1)},
        )


def _start_session(server: Server, session: Session, request: Request, response: Response) -> SignedIn:
    """Ends the browser's old session first, so that a stolen or planted cookie is worthless (session fixation)."""
    if old := request.cookies.get(COOKIE):
        server.sign_out(old)
    set_session_cookie(response, session.token)
    return {**_me(server, session), "token": session.token}


def _log_line(entry: LogEntry) -> LogLine:
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "who": entry.actor,
        "what": entry.action,
        "about": entry.subject,
        "before": cast(Details, entry.before),
        "after": cast(Details, entry.after),
    }


def _approval_line(approval: Approval) -> ApprovalLine:
    return {
        "id": approval.id,
        "asked_by": approval.requested_by,
        "asked": approval.requested_at.isoformat(),
        "needs": approval.role.value,
        "what": json.loads(approval.payload),
        "given_by": approval.approved_by,
        "expires": approval.expires_at.isoformat(),
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
