"""Who is signed in. Only its bearer knows a token; the database keeps its SHA-256. Roles are read anew each time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from upcard.ledger.journal import instant_of
from upcard.ledger.keyring import Keyring
from upcard.people import roles as duties
from upcard.people import schema
from upcard.people.limits import Limits
from upcard.people.person import Entropy, Person, Session, digest, key_of, new_token
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row, person_of

_S, _T = schema.sessions.c, schema.tickets.c
_OF_SESSION = tuple(column.label(f"session_{column.name}") for column in _S)
_WITH_PERSON = sa.select(*_OF_SESSION, *schema.people.c).join_from(
    schema.sessions, schema.people, _S.person == schema.people.c.name_key
)
_BY_ID = _WITH_PERSON.where(_S.id == sa.bindparam("session"))
_HELD = _BY_ID.with_for_update(of=schema.sessions)
_MANY = 500  # ids in one question


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What the people's rooms work with."""

    keyring: Keyring
    entropy: Entropy
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A session and whether it is time to write down that it was seen."""

    session: Session
    row: Row
    unseen_for: timedelta


def begin(register: Register, means: Means, person: Person) -> Session:
    """Signs somebody in; the token is told here and never again."""
    _sweep(register, means.limits)
    token = new_token(means.entropy)
    key, now = digest(token), register.now
    register.add(schema.sessions, id=key, person=key_of(person.name), created=now, seen=now)
    return Session(
        person=person, id=key, created=register.at, stepped_up_at=None, csrf=_csrf(means.keyring, key), token=token
    )


def find(register: Register, means: Means, key: str, *, hold: bool = False) -> Found | None:
    """The session with this id, if it still lasts and its person may still be here."""
    row = next(iter(register.rows(_HELD if hold else _BY_ID, session=key)), None)
    return None if row is None else _lasting(register, means, row)


def find_all(register: Register, means: Means, keys: Sequence[str]) -> list[Found]:
    """The sessions of these ids that still last: one question for many, since open connections ask again and again."""
    parts = (keys[place : place + _MANY] for place in range(0, len(keys), _MANY))
    rows = [row for part in parts for row in register.rows(_WITH_PERSON.where(_S.id.in_(part)))]
    return [found for row in rows if (found := _lasting(register, means, row)) is not None]


def _lasting(register: Register, means: Means, joined: Row) -> Found | None:
    row = register.verified(schema.people, {column.name: joined[column.name] for column in schema.people.columns})
    own = register.verified(schema.sessions, {column.name: joined[f"session_{column.name}"] for column in _S})
    if row["disabled"]:
        return None
    created, seen = instant_of(own["created"]), instant_of(own["seen"])
    idle, absolute = means.limits.of(duties.read(row["roles"]), guest=row["guest"])
    if register.at - seen > idle or register.at - created > absolute:
        return None
    stepped = own["confirmed_at"]
    session = Session(
        person=person_of(row),
        id=own["id"],
        created=created,
        stepped_up_at=None if stepped is None else instant_of(stepped),
        csrf=_csrf(means.keyring, own["id"]),
    )
    return Found(session=session, row=row, unseen_for=register.at - seen)


def hold(register: Register, means: Means, session: Session) -> Found:
    """A session as it is now, held for this transaction; it must still last."""
    if (found := find(register, means, session.id, hold=True)) is None:
        raise PeopleRefused(PeopleRefusal.SESSION_OVER)
    return found


def touch(register: Register, *keys: str) -> None:
    """Writes down that they were seen; time never runs back."""
    for key in sorted(keys):
        register.change(schema.sessions, _S.id == key, _S.seen < register.now, seen=register.now)


def end(register: Register, key: str) -> str:
    """Signs one session out, and all that hangs on it; says whose it was."""
    row = register.one(schema.sessions, _S.id == key, hold=True)
    register.drop(schema.tickets, _T.session == key)
    if row is None or not register.drop(schema.sessions, _S.id == key):
        return ""
    person = register.one(schema.people, schema.people.c.name_key == row["person"])
    return "" if person is None else str(person["name"])


def end_all(register: Register, name: str, *, but: str = "") -> int:
    """Signs somebody out everywhere, or everywhere but here; says how many sessions that ended."""
    mine = sa.and_(_S.person == key_of(name), _S.id != but)
    register.drop(schema.tickets, _T.session.in_(sa.select(_S.id).where(mine)))
    return register.drop(schema.sessions, mine)


# --- tickets ------------------------------------------------------------------------------------------------------


def issue(register: Register, means: Means, session: Session, purpose: str) -> str:
    """A ticket for one connection."""
    hold(register, means, session)
    register.drop(schema.tickets, _T.session == session.id, _T.expires < register.now)
    token = new_token(means.entropy)
    expires = register.after(means.limits.ticket)
    register.add(schema.tickets, id=digest(token), session=session.id, purpose=purpose, expires=expires)
    return token


def redeem(register: Register, means: Means, ticket: str, purpose: str) -> Session | None:
    """Whose ticket it is. A ticket that is shown is used, whatever it is shown for."""
    gone = sa.delete(schema.tickets).where(_T.id == digest(ticket)).returning(*_T)
    row = next(iter(register.rows(gone)), None)
    if row is not None:
        register.verified(schema.tickets, row)
    if row is None or row["purpose"] != purpose or row["expires"] < register.now:
        return None
    found = find(register, means, row["session"])
    return None if found is None else found.session


def _csrf(keyring: Keyring, key: str) -> str:
    return keyring.token(f"csrf:{key}")


def _sweep(register: Register, limits: Limits) -> None:
    """Sessions and tickets that are over in any case."""
    register.drop(schema.sessions, _S.created < register.after(-limits.longest))
    register.drop(schema.tickets, _T.expires < register.now)
