"""A person's sessions: the list of them, and ending those they do not know (OWASP ASVS 7.5.2). The floor does the same
for others.

A session has no column for the address that it began from: the log has it, in an entry of the same moment.
"""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import instant_text
from upcard.people import schema, sessions
from upcard.people.person import Person, Session
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register
from upcard.people.roles import Role
from upcard.people.sessions import PeopleContext

_SHOWN_DIGITS = 16  # of a session's id, which opens nothing
_L = schema.people_log.c


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSession:
    """One session, as its person sees it."""

    id: str
    began: datetime
    seen: datetime  # to the minute
    source: str  # the network address it began from; empty: not known
    is_current: bool


def listed(register: Register, context: PeopleContext, session: Session) -> list[OwnSession]:
    """The sessions of a person that are not over, the last used first."""
    return of_person(register, context, session.person.name, current=session.id)


def of_person(register: Register, context: PeopleContext, name: str, *, current: str = "") -> list[OwnSession]:
    """The same, of anybody."""
    records = sessions.find_of_person(register, context, name)
    sources = _sources(register, name, [record.session.created for record in records])
    return [
        OwnSession(
            id=record.session.id[:_SHOWN_DIGITS],
            began=record.session.created,
            seen=register.at - record.unseen_for,
            source=sources.get(instant_text(record.session.created), ""),
            is_current=record.session.id == current,
        )
        for record in records
    ]


def end(register: Register, context: PeopleContext, session: Session, shown_id: str) -> list[str]:
    """Ends one of a person's other sessions, or all of them if none is named; returns their ids."""
    name = sessions.lock_session(register, context, session).session.person.name
    return _end(register, context, name, shown_id, actor=name, kept=session.id)


def end_of_person(register: Register, context: PeopleContext, by: Person, name: str, shown_id: str) -> list[str]:
    """Ends a session of somebody else, or all of them; only the floor does."""
    actor, row = register.require_role(by, Role.FLOOR), register.person_row(name)
    if actor.name == row["name"]:
        raise PeopleRefused(PeopleRefusal.NOT_ALONE)
    return _end(register, context, row["name"], shown_id, actor=actor.name)


def _end(
    register: Register, context: PeopleContext, name: str, shown_id: str, *, actor: str, kept: str = ""
) -> list[str]:
    others = [record.session.id for record in sessions.find_of_person(register, context, name)]
    ending = [other for other in others if other != kept and other.startswith(shown_id)]
    if shown_id and (len(ending) != 1 or len(shown_id) != _SHOWN_DIGITS):
        raise PeopleRefused(PeopleRefusal.SESSION_UNKNOWN)
    for session_id in ending:
        sessions.end(register, session_id)
    if ending:
        register.log(actor, "sessions-ended", name, sessions_ended=len(ending))
    return ending


def _sources(register: Register, name: str, moments: list[datetime]) -> dict[str, str]:
    """Where sessions began, by the moment."""
    query = sa.select(_L.at, _L.after, _L.format).where(
        _L.subject == name, _L.action == "signed-in", _L.at.in_(map(instant_text, moments))
    )
    return {
        row["at"]: formats.read("people log", row["after"], row["format"]).get("source") or ""
        for row in register.rows(query)
    }
