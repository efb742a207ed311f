"""Two persons for what one must not do alone: one asks, another approves exactly that, and it is done once."""

import json

import sqlalchemy as sa

from upcard.ledger.journal import instant_of
from upcard.service.people import roles as duties
from upcard.service.people import schema
from upcard.service.people.codes import is_fresh
from upcard.service.people.person import Approval, Session, key_of
from upcard.service.people.refusals import PeopleRefusal, PeopleRefused
from upcard.service.people.register import Register, Row
from upcard.service.people.roles import Role
from upcard.service.people.sessions import Means, hold

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
        what=exactly,
        role=role,
        asked_by=me.name,
        asked=register.now,
        expires=register.after(means.limits.approval),
    )
    register.log(me.name, "approval-asked", key, role=role, action=exactly)
    return key


def give(register: Register, means: Means, session: Session, key: str) -> Approval:
    """Another person approves, who has the role and has just confirmed himself."""
    me = hold(register, means, session).session
    row = _row(register, key)
    if Role(row["role"]) not in me.person.roles:
        raise PeopleRefused(PeopleRefusal.NOT_ALLOWED, roles=row["role"])
    if key_of(row["asked_by"]) == key_of(me.person.name):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OWN)
    if not is_fresh(means, me, register.at):
        raise PeopleRefused(PeopleRefusal.STEP_UP_FIRST)
    if row["given_by"] is not None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_GIVEN)
    _check_time(register, row)
    register.change(schema.approvals, _A.id == key, given_by=me.person.name, given=register.now)
    register.log(me.person.name, "approved", key, action=row["what"], asked_by=row["asked_by"])
    return approval_of({**row, "given_by": me.person.name, "given": register.now})


def use(register: Register, means: Means, session: Session, key: str, what: str, command: str) -> Approval:
    """Whoever asked does what was approved, exactly that and once; who approved it must still be able to.

    Once is under one id: the same command sent again after a lost answer uses nothing more, and is done once by its id.
    """
    me = hold(register, means, session).session.person
    row = _row(register, key)
    if key_of(row["asked_by"]) != key_of(me.name) or row["what"] != canonical(what):
        raise PeopleRefused(PeopleRefusal.APPROVAL_OTHER)
    if row["used"] is not None:
        if command and _used_for(register, key) == command:
            return approval_of(row)
        raise PeopleRefused(PeopleRefusal.APPROVAL_USED)
    _check_time(register, row)
    if row["given_by"] is None or not _still(register, row["given_by"], Role(row["role"])):
        raise PeopleRefused(PeopleRefusal.APPROVAL_MISSING)
    register.change(schema.approvals, _A.id == key, used=register.now)
    register.log(me.name, _USED, key, action=row["what"], given_by=row["given_by"], id=command)
    return approval_of({**row, "used": register.now})


def look(register: Register, key: str) -> Approval | None:
    """What was asked under an id."""
    row = register.one(schema.approvals, _A.id == key) if is_id(key) else None
    return None if row is None else approval_of(row)


def waiting(register: Register) -> list[Approval]:
    """What nobody has approved yet and is not too old."""
    asked = (
        sa.select(schema.approvals).where(_A.given_by.is_(None), _A.expires >= register.now).order_by(_A.asked, _A.id)
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
    given, used = row["given"], row["used"]
    return Approval(
        id=str(row["id"]),
        what=str(row["what"]),
        role=Role(str(row["role"])),
        asked_by=str(row["asked_by"]),
        asked=instant_of(str(row["asked"])),
        expires=instant_of(str(row["expires"])),
        given_by=row["given_by"],
        given=None if given is None else instant_of(given),
        used=None if used is None else instant_of(used),
    )


def _row(register: Register, key: str) -> Row:
    row = register.one(schema.approvals, _A.id == key, hold=True) if is_id(key) else None
    if row is None:
        raise PeopleRefused(PeopleRefusal.APPROVAL_UNKNOWN)
    return row


def _used_for(register: Register, key: str) -> object:
    """The id of the command that an approval was used for."""
    row = register.one(schema.people_log, _L.about == key, _L.what == _USED)
    return None if row is None else json.loads(row["after"]).get("id")


def _check_time(register: Register, row: Row) -> None:
    if row["expires"] < register.now:
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
