"""People of a book that was restored: a session that ended, or an approval that was used, after the backup stays so."""

import sqlalchemy as sa

from upcard.people import schema
from upcard.people.person import CLOCK
from upcard.people.register import Register

_A, _L = schema.approvals.c, schema.people_log.c
RESTORED = "book-restored"
ACCEPTED = "restore-accepted"  # checkpoints that the restored book no longer matches were put aside


def end_sessions_and_requests(register: Register) -> None:
    """Ends all sessions, withdraws the requests that wait for approval, and logs it."""
    register.delete(schema.tickets)
    sessions = register.delete(schema.sessions)
    waiting = register.rows(sa.select(schema.approvals).where(_A.used_at.is_(None), _A.expires_at > register.now))
    for row in waiting:
        register.change(schema.approvals, _A.id == row["id"], used_at=register.now)
        register.log(CLOCK, "approval-withdrawn", row["id"], payload=row["payload"])
    register.log(CLOCK, RESTORED, "", sessions=sessions, approvals=len(waiting))


def count(register: Register) -> int:
    """How many restores the log has."""
    query = sa.select(sa.func.count()).select_from(schema.people_log).where(_L.action == RESTORED)
    return int(register.connection.scalar(query) or 0)
