"""Signing in and out over HTTP: links, guests, authenticators and tickets."""

import secrets
from typing import Annotated

import segno
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from upcard.api.auth import CurrentServer, CurrentSession, clear_session_cookie, set_session_cookie, token_of
from upcard.api.middleware import address_of
from upcard.api.problems import ProblemError
from upcard.api.server import Server
from upcard.api.signed_in import COOKIE
from upcard.people import Role, Session
from upcard.people.network import address_of as one_address
from upcard.service import commands as s

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
    """Whoever has an authenticator also sends its code."""

    name: PersonName
    password: Password
    code: Code | None = None


class AuthenticatorCode(Body):
    code: Code


class TicketRequest(Body):
    """What a ticket is for."""

    purpose: Annotated[str, Field(pattern="^socket$")] = "socket"


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
    """The secret of an authenticator: as text, as an address for apps, and as a QR code (an SVG data address)."""

    secret: str
    uri: str
    qr: str


class Confirmed(TypedDict):
    confirmed: bool


class Removed(TypedDict):
    removed: bool


class SteppedUp(TypedDict):
    stepped_up: bool


class Ticket(TypedDict):
    """Opens one WebSocket."""

    ticket: str


routes = APIRouter(prefix="/api")


@routes.post("/set-up", tags=["accounts"], openapi_extra={"x-operation": "set up"})
def set_up(body: SetUp, server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """Creates the first account, a floor manager's, from the one-time link of the first start."""
    throttle_sign_in(server, request)
    source = address_of(request.scope)
    server.people.set_up(body.token, body.name, body.password, source=source)
    session = server.people.sign_in(body.name, body.password, source=source)
    return _start_session(server, session, request, response)


@routes.post("/accept", tags=["accounts"], openapi_extra={"x-operation": "accept invitation"})
def accept(body: Accept, server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """Accepts an invitation or recovery link and sets your password."""
    throttle_sign_in(server, request)
    source = address_of(request.scope)
    person = server.people.accept(body.token, body.password, source=source)
    server.sign_out_person(person)
    session = server.people.sign_in(person.name, body.password, source=source)
    return _start_session(server, session, request, response)


@routes.post("/sign-in", tags=["accounts"], openapi_extra={"x-operation": "sign in"})
def sign_in(body: SignIn, server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """Signs in, with a code for whoever has an authenticator. Staff without one can do nothing but set it up."""
    throttle_sign_in(server, request)
    source = address_of(request.scope)
    session = server.people.sign_in(body.name, body.password, body.code or "", source=source)
    return _start_session(server, session, request, response)


@routes.post("/guest", tags=["accounts"], openapi_extra={"x-operation": "be a guest"})
def guest(server: CurrentServer, request: Request, response: Response) -> SignedIn:
    """In a demo: a guest with play money."""
    if not server.settings.demo:
        raise ProblemError(403, "NO_GUESTS", "guests can play in demos only; ask the casino for an account")
    throttle_sign_in(server, request)
    session = server.people.sign_in_guest(server.people.add_guest(), source=address_of(request.scope))
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
def enrol(server: CurrentServer, session: CurrentSession, request: Request) -> Secret:
    """A new secret for your authenticator app."""
    throttle_sign_in(server, request)  # each secret is logged
    secret, uri = server.people.enrol_totp(session)
    return {"secret": secret, "uri": uri, "qr": segno.make(uri, micro=False).svg_data_uri(scale=4, border=2)}


@routes.post("/totp/confirm", tags=["accounts"], openapi_extra={"x-operation": "confirm authenticator"})
def confirm(body: AuthenticatorCode, server: CurrentServer, session: CurrentSession, request: Request) -> Confirmed:
    """Confirms your authenticator with its first code."""
    server.people.confirm_totp(session, body.code, source=address_of(request.scope))
    return {"confirmed": True}


@routes.post("/totp/remove", tags=["accounts"], openapi_extra={"x-operation": "remove authenticator"})
def remove(server: CurrentServer, session: CurrentSession) -> Removed:
    """Removes a player's authenticator, after a code within five minutes. Staff keep theirs."""
    server.people.remove_totp(session)
    return {"removed": True}


@routes.post("/step-up", tags=["accounts"], openapi_extra={"x-operation": "step up"})
def step_up(body: AuthenticatorCode, server: CurrentServer, session: CurrentSession, request: Request) -> SteppedUp:
    """Confirms a code; for five minutes you may do what needs one."""
    server.people.step_up(session, body.code, source=address_of(request.scope))
    return {"stepped_up": True}


@routes.post("/ticket", tags=["accounts"], openapi_extra={"x-operation": "socket ticket"})
def ticket(server: CurrentServer, session: CurrentSession, body: TicketRequest | None = None) -> Ticket:
    """A ticket that opens one WebSocket within 30 seconds."""
    return {"ticket": server.people.ticket(session, (body or TicketRequest()).purpose)}


def throttle_sign_in(server: Server, request: Request) -> None:
    wait = server.sign_ins.take(one_address(address_of(request.scope)))
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
    server.signed_in.note(session.token, session.person.name, request.scope)
    return {**_me(server, session), "token": session.token}


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
