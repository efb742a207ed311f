"""People of a book that was restored: a session that ended, or an approval that was used, after the backup stays so."""

import sqlalchemy as sa

from upcard.people import approvals, schema
from upcard.people.person import CLOCK
from upcard.people.register import Register

_L = schema.people_log.c
RESTORED = "book-restored"
ACCEPTED = "restore-accepted"  # checkpoints that the restored book no longer matches were put aside


def end_sessions_and_requests(register: Register) -> None:
    """Ends all sessions, withdraws the requests that wait for approval, and logs it."""
    register.delete(schema.tickets)
    sessions = register.delete(schema.sessions)
    withdrawn = approvals.withdraw_waiting(register, by=CLOCK)
    register.log(CLOCK, RESTORED, "", sessions=sessions, approvals=withdrawn)


def count(register: Register) -> int:
    """How many restores the log has."""
    query = sa.select(sa.func.count()).select_from(schema.people_log).where(_L.action == RESTORED)
    return int(register.connection.scalar(query) or 0)
