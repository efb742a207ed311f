"""Two persons for what one must not do alone: one asks, another approves exactly that, and it is done once."""

import json

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import instant_of
from upcard.people import roles as duties
from upcard.people import schema
from upcard.people.person import Approval, Session, key_of
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row
from upcard.people.roles import Role
from upcard.people.sessions import Means, hold
from upcard.people.totp import is_fresh

_ID_BYTES = 16
_USED = "approval-used"
_A, _L = schema.approvals.c, schema.people_log.c


def ask(register: Register, means: Means, session: Session, what: str, role: Role) -> str:
    """Asks for approval by somebody with a role."""
    me = hold(register, means, session).session.person
    key, exactly = means.entropy(_ID_BYTES).hex(), canonical(what)
    register.add(
        schema.approvals,
        id=key,
        format=formats.FORMAT,
        payload=exactly,
        role=role,
        requested_by=me.name,
        requested_at=register.now,
        expires_at=register.after(means.limits.approval),
    )
    register.log(me.name, "approval-requested", key, role=role, payload=exactly)
    return key


def give(register: Register, means: Means, session: Session, key: str) -> Approval:
    """Another person approves, who has the role and has just confirmed himself."""
    me = hold(register, means, session).session
    row = _row(register, key)
    if Role(row["role"]) not in me.person.roles:
        raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, role=row["role"])
    if key_of(row["requested_by"]) == key_of(me.person.name):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OWN)
    if not is_fresh(means, me, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)
    if row["approved_by"] is not None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_GIVEN)
    _check_time(register, row)
    register.change(schema.approvals, _A.id == key, approved_by=me.person.name, approved_at=register.now)
    register.log(me.person.name, "approval-given", key, payload=row["payload"], requested_by=row["requested_by"])
    return approval_of({**row, "approved_by": me.person.name, "approved_at": register.now})


def use(register: Register, means: Means, session: Session, key: str, what: str, command: str) -> Approval:
    """Whoever asked does what was approved, exactly that and once; who approved it must still be able to.

    Once is under one id: the same command sent again after a lost answer uses nothing more, and is done once by its id.
    """
    me = hold(register, means, session).session.person
    row = _row(register, key)
    if key_of(row["requested_by"]) != key_of(me.name) or formats.today(
        "approval", row["payload"], row["format"]
    ) != canonical(what):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OTHER)
    if row["used_at"] is not None:
        if command and _used_for(register, key) == command:
            return approval_of(row)
        raise PeopleRefused(PeopleRefusal.APPROVAL_USED)
    _check_time(register, row)
    if row["approved_by"] is None or not _still(register, row["approved_by"], Role(row["role"])):
        raise PeopleRefused(PeopleRefusal.APPROVAL_MISSING)
    register.change(schema.approvals, _A.id == key, used_at=register.now)
    register.log(me.name, _USED, key, payload=row["payload"], approved_by=row["approved_by"], id=command)
    return approval_of({**row, "used_at": register.now})


def look(register: Register, key: str) -> Approval | None:
    """What was asked under an id."""
    row = register.one(schema.approvals, _A.id == key) if is_id(key) else None
    return None if row is None else approval_of(row)


def waiting(register: Register) -> list[Approval]:
    """What nobody has approved yet and is not too old."""
    asked = (
        sa.select(schema.approvals)
        .where(_A.approved_by.is_(None), _A.expires_at >= register.now)
        .order_by(_A.requested_at, _A.id)
    )
    return [approval_of(row) for row in register.rows(asked)]


def is_id(key: str) -> bool:
    """Whether this can be an id at all: not every text may be asked of a database."""
    return key.isascii() and key.isalnum()


def canonical(what: str) -> str:
    """An action written in the one way in which two of them can be compared."""
    try:
        read = json.loads(what, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise PeopleRefused(PeopleRefusal.NOT_JSON)
    return json.dumps(read, sort_keys=True, separators=(",", ":"))


def approval_of(row: Row) -> Approval:
    """An approval as it is stored."""
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


def _row(register: Register, key: str) -> Row:
    row = register.one(schema.approvals, _A.id == key, hold=True) if is_id(key) else None
    if row is None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_UNKNOWN)
    return row


def _used_for(register: Register, key: str) -> object:
    """The id of the command that an approval was used for."""
    row = register.one(schema.people_log, _L.subject == key, _L.action == _USED)
    return None if row is None else formats.read("people log", row["after"], row["format"]).get("id")


def _check_time(register: Register, row: Row) -> None:
    if row["expires_at"] < register.now:
        raise PeopleRefused(PeopleRefusal.APPROVAL_EXPIRED)


def _still(register: Register, name: str, role: Role) -> bool:
    row = register.known(name)
    return not row["disabled"] and role in duties.read(row["roles"])


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise ValueError(name)
