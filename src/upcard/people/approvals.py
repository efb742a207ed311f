"""Approvals: one person requests an action, another approves exactly that action, and it is done once."""

import json

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import instant_of
from upcard.people import roles as duties
from upcard.people import schema
from upcard.people.person import Approval, Session, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row
from upcard.people.roles import Role
from upcard.people.sessions import PeopleContext, lock_session
from upcard.people.totp import stepped_up_recently

_ID_BYTES = 16
_USED = "approval-used"
_A, _L = schema.approvals.c, schema.people_log.c


def request(register: Register, context: PeopleContext, session: Session, action: str, role: Role) -> str:
    """Requests approval by somebody with a role; returns the id of the request."""
    person = lock_session(register, context, session).session.person
    key, payload = context.entropy(_ID_BYTES).hex(), canonical(action)
    register.add(
        schema.approvals,
        id=key,
        format=formats.FORMAT,
        payload=payload,
        role=role,
        requested_by=person.name,
        requested_at=register.now,
        expires_at=register.after(context.limits.approval),
    )
    register.log(person.name, "approval-requested", key, role=role, payload=payload)
    return key


def approve(register: Register, context: PeopleContext, session: Session, key: str) -> Approval:
    """Approves a request: the approver has the role, did not make the request, and stepped up recently."""
    approver = lock_session(register, context, session).session
    row = _locked_row(register, key)
    if Role(row["role"]) not in approver.person.roles:
        raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, role=row["role"])
    if name_key(row["requested_by"]) == name_key(approver.person.name):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OWN)
    if not stepped_up_recently(context, approver, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)
    if row["approved_by"] is not None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_GIVEN)
    _check_not_expired(register, row)
    name = approver.person.name
    register.change(schema.approvals, _A.id == key, approved_by=name, approved_at=register.now)
    register.log(name, "approval-given", key, payload=row["payload"], requested_by=row["requested_by"])
    return approval_of({**row, "approved_by": name, "approved_at": register.now})


def use(register: Register, context: PeopleContext, session: Session, key: str, action: str, command: str) -> Approval:
    """Uses an approval up, for the person who requested it and the exact action; the approver must still have the role.

    `command` is the id of the command it is used for. The same command may be sent again after a lost answer: it is
    let through, and its id makes sure that it is done once.
    """
    person = lock_session(register, context, session).session.person
    row = _locked_row(register, key)
    if name_key(row["requested_by"]) != name_key(person.name) or formats.today(
        "approval", row["payload"], row["format"]
    ) != canonical(action):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OTHER)
    if row["used_at"] is not None:
        if command and _used_for(register, key) == command:
            return approval_of(row)
        raise PeopleRefused(PeopleRefusal.APPROVAL_USED)
    _check_not_expired(register, row)
    if row["approved_by"] is None or not _still_has_role(register, row["approved_by"], Role(row["role"])):
        raise PeopleRefused(PeopleRefusal.APPROVAL_MISSING)
    register.change(schema.approvals, _A.id == key, used_at=register.now)
    register.log(person.name, _USED, key, payload=row["payload"], approved_by=row["approved_by"], id=command)
    return approval_of({**row, "used_at": register.now})


def find(register: Register, key: str) -> Approval | None:
    row = register.find(schema.approvals, _A.id == key) if could_be_id(key) else None
    return None if row is None else approval_of(row)


def waiting(register: Register) -> list[Approval]:
    """Requests that nobody has approved yet and that have not expired."""
    query = (
        sa.select(schema.approvals)
        .where(_A.approved_by.is_(None), _A.expires_at >= register.now)
        .order_by(_A.requested_at, _A.id)
    )
    return [approval_of(row) for row in register.rows(query)]


def could_be_id(key: str) -> bool:
    """Whether a text could be an id. A database does not accept every text in a query."""
    return key.isascii() and key.isalnum()


def canonical(action: str) -> str:
    """A JSON object in the one form in which two of them can be compared."""
    try:
        value = json.loads(action, object_pairs_hook=_without_duplicates, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise PeopleRefused(PeopleRefusal.NOT_JSON)
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def approval_of(row: Row) -> Approval:
    approved, used = row["approved_at"], row["used_at"]
    return Approval(
        id=str(row["id"]),
        payload=str(row["payload"]),
        role=Role(str(row["role"])),
        requested_by=str(row["requested_by"]),
        requested_at=instant_of(str(row["requested_at"])),
        expires_at=instant_of(str(row["expires_at"])),
        approved_by=row["approved_by"],
        approved_at=None if approved is None else instant_of(approved),
        used_at=None if used is None else instant_of(used),
    )


def _locked_row(register: Register, key: str) -> Row:
    row = register.find(schema.approvals, _A.id == key, lock=True) if could_be_id(key) else None
    if row is None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_UNKNOWN)
    return row


def _used_for(register: Register, key: str) -> object:
    """The id of the command that an approval was used for."""
    row = register.find(schema.people_log, _L.subject == key, _L.action == _USED)
    return None if row is None else formats.read("people log", row["after"], row["format"]).get("id")


def _check_not_expired(register: Register, row: Row) -> None:
    if row["expires_at"] < register.now:
        raise PeopleRefused(PeopleRefusal.APPROVAL_EXPIRED)


def _still_has_role(register: Register, name: str, role: Role) -> bool:
    row = register.person_row(name)
    return not row["disabled"] and role in duties.parse_roles(row["roles"])


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise ValueError(name)
