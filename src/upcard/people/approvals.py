"""Approvals: one person asks for an action, another approves exactly that action, and it is done at that moment, once.

What is done is what is stored: nobody sends it again. An approval is marked as used in the same transaction that
carries the action out, so it has no effect without the mark and no mark without the effect. The mark is one column: it
is set when the request is approved and carried out, or when its requester withdraws it.
"""

import json
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from hashlib import sha256

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import instant_of
from upcard.people import independence, schema
from upcard.people import roles as duties
from upcard.people.person import Approval, Person, Session, name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row
from upcard.people.roles import Role
from upcard.people.sessions import PeopleContext, lock_session
from upcard.people.totp import stepped_up_recently

_ID_BYTES = 16
_MOST_WAITING = 20  # requests of one person
_A = schema.approvals.c


def request(
    register: Register,
    context: PeopleContext,
    session: Session,
    action: str,
    *,
    key: str,
    role: Role,
    check: Callable[[Person], None],
) -> Approval:
    """Asks somebody with a role to approve an action. Asked again under the same key, it is the same request.

    `check` refuses a new request that could not be carried out anyway.
    """
    person = lock_session(register, context, session).session.person
    payload = canonical(action)
    approval_id = _id_of(person.name, key) if key else context.entropy(_ID_BYTES).hex()
    row = register.find(schema.approvals, _A.id == approval_id)
    if row is not None:
        if formats.today("approval", row["payload"], row["format"]) != payload:
            raise PeopleRefused(PeopleRefusal.APPROVAL_OTHER)
        return approval_of(row)
    _check_number_waiting(register, person.name)
    check(person)
    new_row = {
        "id": approval_id,
        "format": formats.FORMAT,
        "payload": payload,
        "role": role,
        "requested_by": person.name,
        "requested_at": register.now,
        "expires_at": register.after(context.limits.approval),
    }
    register.add(schema.approvals, **new_row)
    register.log(person.name, "approval-requested", approval_id, role=role, payload=payload)
    return approval_of({**new_row, "approved_by": None, "approved_at": None, "used_at": None})


def use(
    register: Register,
    context: PeopleContext,
    session: Session,
    approval_id: str,
    *,
    allowed: Collection[Role],
    command: str = "",
) -> Approval:
    """Approves a request and uses it up; the caller carries it out in the same transaction.

    The approver has the role, is another person, and stepped up recently. The requester still has one of the roles
    that are allowed to do it. `command` is the id of the command that is carried out.
    """
    approver = lock_session(register, context, session).session
    row = _locked_row(register, approval_id)
    name, requester = approver.person.name, row["requested_by"]
    if Role(row["role"]) not in approver.person.roles:
        raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, role=row["role"])
    if name_key(requester) == name_key(name):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OWN)
    if not stepped_up_recently(context, approver, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)
    _check_open(register, row)
    asking = register.person_row(requester)
    if asking["disabled"] or not duties.parse_roles(asking["roles"]) & frozenset(allowed):
        raise PeopleRefused(PeopleRefusal.APPROVAL_LAPSED, name=requester)
    founders = independence.check(register, context.limits, name, requester)
    used = {"approved_by": name, "approved_at": register.now, "used_at": register.now}
    register.change(schema.approvals, _A.id == approval_id, **used)
    register.log(name, "approval-given", approval_id, payload=row["payload"], requested_by=requester)
    given = {"payload": row["payload"], "approved_by": name, "id": command, "founders": founders or None}
    register.log(requester, "approval-used", approval_id, **given)
    return approval_of({**row, **used})


def withdraw(register: Register, context: PeopleContext, session: Session, approval_id: str) -> None:
    """Takes a request back; only its requester can, and only while nobody has approved it."""
    person = lock_session(register, context, session).session.person
    row = _locked_row(register, approval_id)
    if name_key(row["requested_by"]) != name_key(person.name):
        raise PeopleRefused(PeopleRefusal.APPROVAL_NOT_YOURS, name=row["requested_by"])
    _check_open(register, row)
    register.change(schema.approvals, _A.id == approval_id, used_at=register.now)
    register.log(person.name, "approval-withdrawn", approval_id, payload=row["payload"])


def find(register: Register, approval_id: str) -> Approval:
    row = register.find(schema.approvals, _A.id == approval_id) if could_be_id(approval_id) else None
    if row is None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_UNKNOWN)
    return approval_of(row)


def approvers(register: Register, commands: Iterable[str]) -> dict[str, str]:
    """By the id of a command, which is its person and the key they chose: the second person who approved it."""
    by_approval = {}
    for command in commands:
        name, _, key = command.partition(":")
        by_approval[_id_of(name, key)] = command
    query = sa.select(schema.approvals).where(_A.id.in_(by_approval), _A.approved_by.is_not(None))
    rows = (register.verified(schema.approvals, row) for row in register.rows(query))
    return {by_approval[str(row["id"])]: str(row["approved_by"]) for row in rows}


def waiting(register: Register) -> list[Approval]:
    """Requests that nobody has approved or withdrawn yet and that have not expired."""
    query = sa.select(schema.approvals).where(*_is_waiting(register)).order_by(_A.requested_at, _A.id)
    return [approval_of(register.verified(schema.approvals, row)) for row in register.rows(query)]


def withdraw_waiting(register: Register, *, by: str, of: str = "") -> int:
    """Withdraws the requests of everybody that wait, or of one person; returns how many."""
    person = (_A.requested_by == of,) if of else ()
    rows = register.rows(sa.select(_A.id, _A.payload).where(*person, *_is_waiting(register)))
    for row in rows:
        register.change(schema.approvals, _A.id == row["id"], used_at=register.now)
        register.log(by, "approval-withdrawn", row["id"], payload=row["payload"])
    return len(rows)


def state_of(approval: Approval, at: datetime) -> str:
    """`waiting`, `approved` (and so carried out, or refused by the book), `withdrawn` or `expired`."""
    if approval.approved_by is not None:
        return "approved"
    if approval.used_at is not None:
        return "withdrawn"
    return "waiting" if at <= approval.expires_at else "expired"


def could_be_id(approval_id: str) -> bool:
    """Whether a text could be an id. A database does not accept every text in a query."""
    return approval_id.isascii() and approval_id.isalnum()


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
        payload=formats.today("approval", str(row["payload"]), row["format"]),
        role=Role(str(row["role"])),
        requested_by=str(row["requested_by"]),
        requested_at=instant_of(str(row["requested_at"])),
        expires_at=instant_of(str(row["expires_at"])),
        approved_by=row["approved_by"],
        approved_at=None if approved is None else instant_of(approved),
        used_at=None if used is None else instant_of(used),
    )


def _is_waiting(register: Register) -> tuple[sa.ColumnElement[bool], ...]:
    return _A.approved_by.is_(None), _A.used_at.is_(None), _A.expires_at >= register.now


def _check_number_waiting(register: Register, name: str) -> None:
    """Somebody who keeps asking must not bury what others asked for."""
    query = sa.select(sa.func.count()).select_from(schema.approvals)
    waiting_now = register.connection.scalar(query.where(_A.requested_by == name, *_is_waiting(register))) or 0
    if waiting_now >= _MOST_WAITING:
        raise PeopleRefused(PeopleRefusal.APPROVALS_TOO_MANY, most=_MOST_WAITING)


def _id_of(name: str, key: str) -> str:
    """The id of what a person asks for under a key of their own."""
    return sha256(f"approval:{name_key(name)}:{key}".encode()).hexdigest()[: 2 * _ID_BYTES]


def _locked_row(register: Register, approval_id: str) -> Row:
    row = register.find(schema.approvals, _A.id == approval_id, lock=True) if could_be_id(approval_id) else None
    if row is None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_UNKNOWN)
    return row


def _check_open(register: Register, row: Row) -> None:
    """Refuses a request that was approved, withdrawn or has expired."""
    if row["approved_by"] is not None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_GIVEN)
    if row["used_at"] is not None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_WITHDRAWN)
    if row["expires_at"] < register.now:
        raise PeopleRefused(PeopleRefusal.APPROVAL_EXPIRED)


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise ValueError(name)
