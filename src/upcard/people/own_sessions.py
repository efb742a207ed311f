"""A person's own sessions: the list of them, and ending those they do not know (OWASP ASVS 7.5.2).

A session has no column for the address that it began from: the log has it, in an entry of the same moment.
"""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import instant_text
from upcard.people import schema, sessions
from upcard.people.person import Session
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register
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
    records = sessions.find_of_person(register, context, session.person.name)
    sources = _sources(register, session.person.name, [record.session.created for record in records])
    return [
        OwnSession(
            id=record.session.id[:_SHOWN_DIGITS],
            began=record.session.created,
            seen=register.at - record.unseen_for,
            source=sources.get(instant_text(record.session.created), ""),
            is_current=record.session.id == session.id,
        )
        for record in records
    ]


def end(register: Register, context: PeopleContext, session: Session, shown_id: str) -> list[str]:
    """Ends one of a person's other sessions, or all of them if none is named; returns their ids."""
    name = sessions.lock_session(register, context, session).session.person.name
    others = [record.session.id for record in sessions.find_of_person(register, context, name)]
    ending = [other for other in others if other != session.id and other.startswith(shown_id)]
    if shown_id and (len(ending) != 1 or len(shown_id) != _SHOWN_DIGITS):
        raise PeopleRefused(PeopleRefusal.SESSION_UNKNOWN)
    for session_id in ending:
        sessions.end(register, session_id)
    if ending:
        register.log(name, "sessions-ended", name, sessions_ended=len(ending))
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
