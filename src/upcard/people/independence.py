"""Whether two people are two people: an account does not approve for the person who got it made, and not the other way
round, for a set number of days.

Everything is read from the log, which is append-only and sealed. The first set-up lasts until the first table opens:
there is nobody else yet, so its accounts may approve for one another, and the log marks them as founders.
"""

from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema as book
from upcard.people import schema
from upcard.people.person import name_key
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register, Row
from upcard.people.time_limits import TimeLimits

INVITED = "person-invited"
_JOINED = ("house-set-up", "invitation-accepted")
_SPONSORED = (INVITED, "account-enabled", "roles-changed", "recovery-link-created", "authenticator-reset")
_L = schema.people_log.c
_ANY_TABLE = sa.select(sa.literal(1)).where(book.chains.c.chain.like("table:%"), book.chains.c.number > 0).limit(1)


def in_first_set_up(register: Register) -> bool:
    """Whether no table was ever opened in this book."""
    return register.connection.execute(_ANY_TABLE).first() is None


def check(register: Register, limits: TimeLimits, approver: str, requester: str) -> bool:
    """Refuses two people one of whom got the account of the other made, changed or restored lately.

    Returns whether both accounts were made in the first set-up, so that the log can say so.
    """
    founders = {name for name in (approver, requester) if _is_founder(register, name)}
    for account, sponsor in ((approver, requester), (requester, approver)):
        for row in _sponsorships(register, limits, account, sponsor):
            if row["action"] != INVITED or account not in founders:
                days = limits.independence.days
                raise PeopleRefused(PeopleRefusal.APPROVAL_TOO_CLOSE, name=sponsor, days=days)
    return len(founders) == len({approver, requester})


def was_approved(register: Register, name: str) -> bool:
    """Whether a second person approved the last invitation of this name."""
    query = sa.select(schema.people_log).where(_L.subject == name, _L.action == INVITED).order_by(_L.number.desc())
    row = next(iter(register.rows(query.limit(1))), None)
    return row is not None and "approved_by" in _after(row)


def _is_founder(register: Register, name: str) -> bool:
    query = sa.select(schema.people_log).where(_L.subject == name, _L.action.in_(_JOINED))
    return any(_after(row).get("founder") for row in register.rows(query))


def _sponsorships(register: Register, limits: TimeLimits, account: str, sponsor: str) -> list[Row]:
    since = register.after(-limits.independence)
    query = sa.select(schema.people_log).where(_L.subject == account, _L.action.in_(_SPONSORED), _L.at >= since)
    return [row for row in register.rows(query) if name_key(row["actor"]) == name_key(sponsor)]


def _after(row: Row) -> dict[str, Any]:
    after: dict[str, Any] = formats.read("people log", row["after"], row["format"])
    return after
