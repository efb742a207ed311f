"""Sessions and tickets. The database stores only the SHA-256 of a token. Roles are read again on every request."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import sqlalchemy as sa

from upcard.ledger.journal import instant_of
from upcard.ledger.keyring import Keyring
from upcard.people import roles as duties
from upcard.people import schema
from upcard.people.person import Entropy, Person, Session, name_key, new_token, token_hash
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of
from upcard.people.throttle import LoggedWaits
from upcard.people.time_limits import TimeLimits

_S, _T = schema.sessions.c, schema.tickets.c
_SESSION_COLUMNS = tuple(column.label(f"session_{column.name}") for column in _S)
_WITH_PERSON = sa.select(*_SESSION_COLUMNS, *schema.people.c).join_from(
    schema.sessions, schema.people, _S.person == schema.people.c.name_key
)
_BY_ID = _WITH_PERSON.where(_S.id == sa.bindparam("session"))
_BY_ID_LOCKED = _BY_ID.with_for_update(of=schema.sessions)
_OF_PERSON = _WITH_PERSON.where(_S.person == sa.bindparam("person")).order_by(_S.seen.desc(), _S.id)
_IDS_PER_QUERY = 500
_MOST_PER_PERSON = 50  # sessions of one person; a new one ends the one that was not used for the longest time


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleContext:
    """What all work on people needs besides the register."""

    keyring: Keyring
    entropy: Entropy
    limits: TimeLimits
    logged_waits: LoggedWaits = field(default_factory=LoggedWaits)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session, its person's row, and how long ago it was last seen."""

    session: Session
    row: Row
    unseen_for: timedelta


def begin(register: Register, context: PeopleContext, person: Person, *, by_code: bool = False) -> Session:
    """Begins a session, stepped up if a code opened it. Its token is in the value returned here and nowhere else."""
    _delete_expired(register, context.limits)
    _make_room(register, name_key(person.name))
    token = new_token(context.entropy)
    key, now = token_hash(token), register.now
    confirmed_at = now if by_code else None
    register.add(
        schema.sessions, id=key, person=name_key(person.name), created=now, seen=now, confirmed_at=confirmed_at
    )
    stepped_up_at = register.at if by_code else None
    csrf = _csrf(context.keyring, key)
    return Session(person=person, id=key, created=register.at, stepped_up_at=stepped_up_at, csrf=csrf, token=token)


def find(register: Register, context: PeopleContext, session_id: str, *, lock: bool = False) -> SessionRecord | None:
    """The session with this id, unless it has expired or its account is disabled."""
    row = next(iter(register.rows(_BY_ID_LOCKED if lock else _BY_ID, session=session_id)), None)
    return None if row is None else _unless_over(register, context, row)


def find_all(register: Register, context: PeopleContext, session_ids: Sequence[str]) -> list[SessionRecord]:
    """Those of many sessions that are not over, in few queries: open sockets ask again and again."""
    starts = range(0, len(session_ids), _IDS_PER_QUERY)
    batches = (session_ids[start : start + _IDS_PER_QUERY] for start in starts)
    rows = [row for batch in batches for row in register.rows(_WITH_PERSON.where(_S.id.in_(batch)))]
    return [record for row in rows if (record := _unless_over(register, context, row)) is not None]


def find_of_person(register: Register, context: PeopleContext, name: str) -> list[SessionRecord]:
    """The sessions of a person that are not over, the last used first."""
    rows = register.rows(_OF_PERSON, person=name_key(name))
    return [record for row in rows if (record := _unless_over(register, context, row)) is not None]


def _unless_over(register: Register, context: PeopleContext, joined: Row) -> SessionRecord | None:
    row = register.verified(schema.people, {column.name: joined[column.name] for column in schema.people.columns})
    session_row = register.verified(schema.sessions, {column.name: joined[f"session_{column.name}"] for column in _S})
    if row["disabled"]:
        return None
    created, seen = instant_of(session_row["created"]), instant_of(session_row["seen"])
    idle, absolute = context.limits.of_session(duties.parse_roles(row["roles"]), guest=row["guest"])
    if register.at - seen > idle or register.at - created > absolute:
        return None
    confirmed_at = session_row["confirmed_at"]
    session = Session(
        person=person_of(row),
        id=session_row["id"],
        created=created,
        stepped_up_at=None if confirmed_at is None else instant_of(confirmed_at),
        csrf=_csrf(context.keyring, session_row["id"]),
    )
    return SessionRecord(session=session, row=row, unseen_for=register.at - seen)


def lock_session(register: Register, context: PeopleContext, session: Session) -> SessionRecord:
    """A session as it is now, locked for this transaction; refused if it is over."""
    if (record := find(register, context, session.id, lock=True)) is None:
        raise PeopleRefused(PeopleRefusal.SESSION_OVER)
    return record


def touch(register: Register, *session_ids: str) -> None:
    """Records that sessions were seen now. The time never moves back."""
    for session_id in sorted(session_ids):
        register.change(schema.sessions, _S.id == session_id, _S.seen < register.now, seen=register.now)


def end(register: Register, session_id: str) -> str:
    """Ends one session and its tickets; returns the name of its person, or nothing if there was no such session."""
    row = register.find(schema.sessions, _S.id == session_id, lock=True)
    register.delete(schema.tickets, _T.session == session_id)
    if row is None or not register.delete(schema.sessions, _S.id == session_id):
        return ""
    person = register.find(schema.people, schema.people.c.name_key == row["person"])
    return "" if person is None else str(person["name"])


def end_all(register: Register, name: str, *, except_id: str = "") -> int:
    """Ends all sessions of a person, or all but one; returns how many."""
    ending = sa.and_(_S.person == name_key(name), _S.id != except_id)
    register.delete(schema.tickets, _T.session.in_(sa.select(_S.id).where(ending)))
    return register.delete(schema.sessions, ending)


# --- tickets ------------------------------------------------------------------------------------------------------


def issue_ticket(register: Register, context: PeopleContext, session: Session, purpose: str) -> str:
    """A ticket for one connection."""
    lock_session(register, context, session)
    register.delete(schema.tickets, _T.session == session.id, _T.expires < register.now)
    token = new_token(context.entropy)
    expires = register.after(context.limits.ticket)
    register.add(schema.tickets, id=token_hash(token), session=session.id, purpose=purpose, expires=expires)
    return token


def redeem_ticket(register: Register, context: PeopleContext, ticket: str, purpose: str) -> Session | None:
    """The session of a ticket. Showing a ticket uses it up, even for the wrong purpose."""
    deletion = sa.delete(schema.tickets).where(_T.id == token_hash(ticket)).returning(*_T)
    row = next(iter(register.rows(deletion)), None)
    if row is not None:
        register.verified(schema.tickets, row)
    if row is None or row["purpose"] != purpose or row["expires"] < register.now:
        return None
    record = find(register, context, row["session"])
    return None if record is None else record.session


def _csrf(keyring: Keyring, session_id: str) -> str:
    return keyring.token(f"csrf:{session_id}")


def _make_room(register: Register, person: str) -> None:
    """Before a new session: somebody who signs in again and again does not fill the book."""
    unused = sa.select(_S.id).where(_S.person == person).order_by(_S.seen.desc(), _S.id).offset(_MOST_PER_PERSON - 1)
    if ids := [row["id"] for row in register.rows(unused)]:
        register.delete(schema.tickets, _T.session.in_(ids))
        register.delete(schema.sessions, _S.id.in_(ids))


def _delete_expired(register: Register, limits: TimeLimits) -> None:
    register.delete(schema.sessions, _S.created < register.after(-limits.longest_session))
    register.delete(schema.tickets, _T.expires < register.now)
