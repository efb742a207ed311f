"""Approvals over HTTP: what waits for a second person, what became of a request, approving it and withdrawing it.

Whoever asks gets the id of the request. When a second person approves it, the server carries out what was stored.
"""

import json
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import Field, JsonValue
from typing_extensions import TypedDict

from upcard.api.access import RULES
from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.problems import ProblemDetails, ProblemError, problem_of
from upcard.api.server import Server
from upcard.people import Approval, PeopleRefusal, PeopleRefused, Role, Session
from upcard.people.two_people import OPERATIONS
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.service.wire_models import Details

ApprovalId = Annotated[str, Field(max_length=64)]
_READERS = frozenset({Role.FLOOR, Role.JACKPOTS, Role.AUDITOR})


class ApprovalNeeded(TypedDict):
    """Waits for a second person. When they approve it, it is carried out; ask for the approval to learn of it."""

    approval: str
    waits_for: str


class ApprovalLine(TypedDict):
    """An operation that waits for a second person."""

    id: str
    asked_by: str
    asked: str
    needs: str
    what: Details
    given_by: str | None
    expires: str


class ApprovalCard(ApprovalLine):
    """What became of a request. `refused`: it was approved, and then the book refused it, for this reason."""

    state: Literal["waiting", "done", "refused", "withdrawn", "expired"]
    refusal: ProblemDetails | None
    token: str | None  # of the link that it made, while that is open; for the person who asked


class Approved(TypedDict):
    """It was approved and carried out."""

    approved: str


class Withdrawn(TypedDict):
    withdrawn: str


routes = APIRouter(prefix="/api")


@routes.get("/approvals", tags=["floor"], openapi_extra={"x-operation": "read approvals"})
def approvals(server: CurrentServer, _: CurrentSession) -> list[ApprovalLine]:
    """Operations that wait for a second person."""
    return [_line(approval) for approval in server.people.waiting_approvals()]


@routes.get("/approvals/{approval}", tags=["floor"], openapi_extra={"x-operation": "read an approval"})
def approval_card(approval: ApprovalId, server: CurrentServer, session: CurrentSession) -> ApprovalCard:
    """What became of a request: of your own, or as the floor, jackpots or an auditor of any."""
    request = server.people.approval(approval)
    own = request.requested_by == session.person.name
    if not own and not session.person.roles & _READERS:
        raise PeopleRefused(PeopleRefusal.APPROVAL_NOT_YOURS, name=request.requested_by)
    return _card(server, request, own=own)


@routes.post("/approvals/{approval}/approve", tags=["floor"], openapi_extra={"x-operation": "approve"})
def approve(approval: ApprovalId, server: CurrentServer, session: CurrentSession) -> Approved:
    """Approves what another person asked to do, and carries it out."""
    request = server.people.approval(approval)
    what = json.loads(request.payload)
    if what.get("operation") in OPERATIONS:
        _, ended = server.people.approve(session, approval)
        if ended is not None:
            server.sign_out_person(ended)
    else:
        _carry_out_command(server, session, request, what)
    return {"approved": approval}


@routes.post("/approvals/{approval}/withdraw", tags=["floor"], openapi_extra={"x-operation": "withdraw request"})
def withdraw(approval: ApprovalId, server: CurrentServer, session: CurrentSession) -> Withdrawn:
    """Takes your own request back, before somebody approves it."""
    server.people.withdraw(session, approval)
    return {"withdrawn": approval}


def ask_second_person(
    server: Server, session: Session, action: dict[str, JsonValue], key: str
) -> Approval | JSONResponse:
    """Asks for an approval; under the same key it is the same request.

    Returns the approval once it was given, or what to answer while it waits; refuses it if it ended otherwise.
    """
    approval = server.people.ask(session, json.dumps(action), key=key)
    match server.people.approval_state(approval):
        case "waiting":
            waits: ApprovalNeeded = {"approval": approval.id, "waits_for": "the approval of another person"}
            return JSONResponse(waits, status_code=202)
        case "approved":
            return approval
        case "withdrawn":
            raise PeopleRefused(PeopleRefusal.APPROVAL_WITHDRAWN)
        case _:
            raise PeopleRefused(PeopleRefusal.APPROVAL_EXPIRED)


def _carry_out_command(server: Server, session: Session, request: Approval, what: dict[str, Any]) -> None:
    """Carries out the stored command for the person who asked, under the id they chose."""
    if "id" not in what:  # asked of an earlier version of the program
        raise PeopleRefused(PeopleRefusal.APPROVAL_EXPIRED)
    command = s.COMMANDS.validate_python(what["command"])
    named = getattr(command.request, "second", None) if isinstance(command, s.House) else None
    if named not in (None, session.person.name):
        raise ProblemError(
            409, "OTHER_SECOND", f"the request names {named} as the second person, not {session.person.name}"
        )
    person = server.people.find(request.requested_by)
    if person is None:
        raise PeopleRefused(PeopleRefusal.PERSON_UNKNOWN, name=request.requested_by)
    allowed, command_id = RULES[what["operation"]].roles, what["id"]
    consent = server.people.consent(session, request.id, allowed=allowed, command=command_id)
    server.submit(person, command, command_id, consent).result()


def _line(approval: Approval) -> ApprovalLine:
    return {
        "id": approval.id,
        "asked_by": approval.requested_by,
        "asked": approval.requested_at.isoformat(),
        "needs": approval.role.value,
        "what": json.loads(approval.payload),
        "given_by": approval.approved_by,
        "expires": approval.expires_at.isoformat(),
    }


def _card(server: Server, approval: Approval, *, own: bool) -> ApprovalCard:
    state, refusal = server.people.approval_state(approval), None
    what = json.loads(approval.payload)
    if state == "approved":
        outcome = server.service.queries.outcome(what["id"]) if "id" in what else None
        refusal = problem_of(outcome) if isinstance(outcome, Refused) else None
        state = "done" if refusal is None else "refused"
    return {
        **_line(approval),
        "state": cast(Literal["waiting", "done", "refused", "withdrawn", "expired"], state),
        "refusal": refusal,
        "token": server.people.approved_link(approval) if own and what.get("operation") in OPERATIONS else None,
    }
