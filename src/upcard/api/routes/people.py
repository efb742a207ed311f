"""The people of a house over HTTP: walk-ins, invitations, roles, disabled accounts, and the log."""

from typing import Annotated, Any, cast

from fastapi import APIRouter, Header, Query
from fastapi.responses import JSONResponse
from pydantic import Field, JsonValue
from typing_extensions import TypedDict

from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.routes.approvals import ApprovalNeeded, ask_second_person
from upcard.api.routes.queries import Most, Since
from upcard.api.routes.sign_in import Body, PersonName, qr_code
from upcard.api.server import Server
from upcard.people import Approval, LogEntry, PeopleRefusal, PeopleRefused, Person, Role
from upcard.people.person import name_key
from upcard.service.wire_models import Details

AnyName = Annotated[str, Field(min_length=1, max_length=80)]
Roles = Annotated[list[Role], Field(min_length=1, max_length=7)]


class Invite(Body):
    """Invites a new person."""

    name: PersonName
    roles: Roles


class NewRoles(Body):
    """All roles of a person from now on."""

    roles: Roles


class WalkIn(Body):
    """The name of a player who has no account of their own."""

    name: AnyName


class PersonLine(TypedDict):
    """A person with an account."""

    name: str
    roles: list[str]
    guest: bool
    disabled: bool
    has_totp: bool


class SessionLine(TypedDict):
    """A session of somebody."""

    id: str  # the first digits, which open nothing
    began: str
    seen: str
    source: str  # the network address it began from; empty: not known


class SessionsEnded(TypedDict):
    """How many sessions were ended."""

    sessions_ended: int


class EndSessions(Body):
    """Which session to end; empty: all of the person."""

    session: Annotated[str, Field(max_length=64, pattern="^[0-9a-f]*$")] = ""


class AuthenticatorReset(TypedDict):
    """Whose authenticator was removed: they sign in with their password and set up another."""

    reset: str


class PlayerLine(TypedDict):
    """A player as the cage knows them."""

    name: str
    disabled: bool
    chips: int  # in cents, without those on the felt


class Invitation(TypedDict):
    """The token of a one-time link."""

    token: str


class LinkAddress(Body):
    """The full address of a link, as it is sent."""

    address: Annotated[str, Field(min_length=10, max_length=300, pattern=r"^https?://[^\s]+$")]


class LinkDrawn(TypedDict):
    """A link as a QR code, an SVG data address."""

    qr: str


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


class Enabled(TypedDict):
    """The person who can sign in again."""

    enabled: str


class RolesChanged(TypedDict):
    """The person whose roles have changed; they sign in again."""

    name: str
    roles: list[str]


class WalkInOpened(TypedDict):
    """The player, as the book spells them."""

    name: str


AskingKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[A-Za-z0-9._-]{0,64}$",
        description="An id that the client chooses: asked again with the same id, it is the same request.",
    ),
]
WAITS: dict[int | str, dict[str, Any]] = {202: {"model": ApprovalNeeded}}

routes = APIRouter(prefix="/api")


@routes.get("/people", tags=["floor"], openapi_extra={"x-operation": "read people"})
def people(server: CurrentServer, _: CurrentSession) -> list[PersonLine]:
    """Everybody with an account."""
    return [
        {
            "name": person.name,
            "roles": sorted(person.roles),
            "guest": person.guest,
            "disabled": person.disabled,
            "has_totp": person.has_totp,
        }
        for person in server.people.people()
    ]


@routes.get("/people/{name}/sessions", tags=["floor"], openapi_extra={"x-operation": "read sessions"})
def sessions(name: AnyName, server: CurrentServer, _: CurrentSession) -> list[SessionLine]:
    """Where somebody is signed in, the last used first."""
    return [
        {
            "id": line.id,
            "began": line.began.isoformat(),
            "seen": line.seen.isoformat(),
            "source": line.source,
        }
        for line in server.people.sessions_of(_known(server, name).name)
    ]


@routes.post("/people/{name}/end-sessions", tags=["floor"], openapi_extra={"x-operation": "end a session"})
def end_sessions(name: AnyName, body: EndSessions, server: CurrentServer, session: CurrentSession) -> SessionsEnded:
    """Ends one session of somebody else, or all of them, and closes their WebSockets."""
    ended = set(server.people.end_sessions_of(session.person, _known(server, name).name, body.session))
    server.end_sockets(lambda other: other.id in ended)
    return {"sessions_ended": len(ended)}


@routes.post(
    "/people/{name}/reset-authenticator",
    tags=["floor"],
    openapi_extra={"x-operation": "reset authenticator"},
    response_model=AuthenticatorReset,
    responses=WAITS,
)
def reset_authenticator(name: AnyName, server: CurrentServer, session: CurrentSession, key: AskingKey = "") -> Any:
    """Removes a lost authenticator, which takes two people. The password stays."""
    person = _known(server, name)
    asked = ask_second_person(server, session, {"operation": "reset authenticator", "name": person.name}, key)
    return asked if isinstance(asked, JSONResponse) else {"reset": person.name}


@routes.get("/people/players", tags=["floor"], openapi_extra={"x-operation": "find a player"})
def players(
    server: CurrentServer, _: CurrentSession, search: Annotated[str, Query(max_length=80)] = ""
) -> list[PlayerLine]:
    """Players whose name contains the words, with their chips; the first twenty."""
    words = name_key(search)
    named = [
        person for person in server.people.people() if Role.PLAYER in person.roles and words in name_key(person.name)
    ]
    chips = server.service.queries.bankroll
    return [{"name": person.name, "disabled": person.disabled, "chips": chips(person.name)} for person in named[:20]]


@routes.post("/people/walk-in", tags=["floor"], openapi_extra={"x-operation": "open a walk-in"})
def open_walk_in(body: WalkIn, server: CurrentServer, session: CurrentSession) -> WalkInOpened:
    """Opens a player by name at the cage, without an account to sign in with; a known player is that player."""
    return {"name": server.people.open_walk_in(session.person, body.name).name}


@routes.post(
    "/people/invite",
    tags=["floor"],
    openapi_extra={"x-operation": "invite"},
    response_model=Invitation,
    responses=WAITS,
)
def invite(body: Invite, server: CurrentServer, session: CurrentSession, key: AskingKey = "") -> Any:
    """A one-time invitation link. For staff it takes a second person, except during the first set-up."""
    if not server.people.needs_second_person(body.roles):
        return {"token": server.people.invite(session.person, body.name, body.roles)}
    action: dict[str, JsonValue] = {"operation": "invite", "name": body.name, "roles": list(map(str, body.roles))}
    return link_made(server, ask_second_person(server, session, action, key))


@routes.post("/people/link-qr", tags=["floor"], openapi_extra={"x-operation": "draw a link"})
def link_qr(body: LinkAddress, _: CurrentSession) -> LinkDrawn:
    """A link that was just made as a QR code, for somebody who stands beside the screen. Nothing is stored."""
    return {"qr": qr_code(body.address)}


@routes.post("/people/{name}/disable", tags=["floor"], openapi_extra={"x-operation": "disable"})
def disable(name: AnyName, server: CurrentServer, session: CurrentSession) -> Disabled:
    """Disables an account; ends its sessions and closes their WebSockets."""
    person = server.people.disable(session.person, name)
    server.sign_out_person(person)
    return {"disabled": person.name}


@routes.post(
    "/people/{name}/enable",
    tags=["floor"],
    openapi_extra={"x-operation": "enable"},
    response_model=Enabled,
    responses=WAITS,
)
def enable(name: AnyName, server: CurrentServer, session: CurrentSession, key: AskingKey = "") -> Any:
    """Enables a disabled account, with its password and authenticator as they were. For staff it takes two people."""
    person = _known(server, name)
    if server.people.needs_second_person(person.roles):
        asked = ask_second_person(server, session, {"operation": "enable", "name": person.name}, key)
        return asked if isinstance(asked, JSONResponse) else {"enabled": person.name}
    return {"enabled": server.people.enable(session.person, person.name).name}


@routes.post(
    "/people/{name}/roles",
    tags=["floor"],
    openapi_extra={"x-operation": "change roles"},
    response_model=RolesChanged,
    responses=WAITS,
)
def change_roles(
    name: AnyName, body: NewRoles, server: CurrentServer, session: CurrentSession, key: AskingKey = ""
) -> Any:
    """Changes a person's roles and signs them out. Giving a staff role takes two people, taking one away does not."""
    person, roles = _known(server, name), sorted(set(body.roles))
    changed = {"name": person.name, "roles": roles}
    if server.people.needs_second_person(set(roles) - person.roles):
        action: dict[str, JsonValue] = {
            "operation": "change roles",
            "name": person.name,
            "roles": list(map(str, roles)),
        }
        asked = ask_second_person(server, session, action, key)
        return asked if isinstance(asked, JSONResponse) else changed
    server.sign_out_person(server.people.change_roles(session.person, person.name, roles))
    return changed


@routes.get("/people/log", tags=["floor"], openapi_extra={"x-operation": "read people log"})
def log(server: CurrentServer, _: CurrentSession, since: Since = 0, most: Most = 100) -> list[LogLine]:
    """The log of accounts: sign-ins, invitations, disabled accounts and approvals."""
    return [_log_line(entry) for entry in server.people.log(since, most)]


def link_made(server: Server, asked: Approval | JSONResponse) -> Any:
    """What to answer to somebody who asked for a link: its token, once it was approved."""
    if isinstance(asked, JSONResponse):
        return asked
    token = server.people.approved_link(asked)
    if token is None:
        raise PeopleRefused(PeopleRefusal.TOKEN_INVALID)
    return {"token": token}


def _known(server: Server, name: str) -> Person:
    person = server.people.find(name)
    if person is None:
        raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=name)
    return person


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
