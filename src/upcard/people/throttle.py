"""Wrong tries: after a few of them whoever tries waits, twice as long each time, up to a limit.

A try is counted before it is looked at, so that many at once are no way around it; a right one takes the count back.
Names that nobody has are counted like any other. Nobody is locked out for good, and who is signed in stays so.
"""

import math
from datetime import timedelta

from upcard.ledger.journal import instant_of
from upcard.people import schema
from upcard.people.person import digest
from upcard.people.register import Register

FREE = 5  # tries before the first wait
_LONGEST = timedelta(minutes=15)
_FORGOTTEN = timedelta(days=1)
_T = schema.sign_in_attempts.c


def turned_away(register: Register, what: str, *, free: int = FREE) -> int:
    """Counts a try; says how many seconds to wait before it, 0: none."""
    key = digest(what)
    register.drop(schema.sign_in_attempts, _T.last < register.after(-_FORGOTTEN))
    row = register.one(schema.sign_in_attempts, _T.id == key, hold=True)
    if row is None:
        register.add(schema.sign_in_attempts, id=key, count=1, last=register.now, wait_until=register.now)
        return 0
    left = instant_of(row["wait_until"]) - register.at
    if left > timedelta(0):
        return math.ceil(left.total_seconds())
    count = row["count"] + 1
    register.change(
        schema.sign_in_attempts,
        _T.id == key,
        count=count,
        last=register.now,
        wait_until=register.after(_wait(count - free)),
    )
    return 0


def forgive(register: Register, what: str) -> None:
    """A right try: the count begins again."""
    register.drop(schema.sign_in_attempts, _T.id == digest(what))


def take_back(register: Register, what: str) -> None:
    """A right try among many: it alone does not count."""
    row = register.one(schema.sign_in_attempts, _T.id == digest(what), hold=True)
    if row is not None:
        register.change(schema.sign_in_attempts, _T.id == row["id"], count=row["count"] - 1, wait_until=register.now)


def _wait(over: int) -> timedelta:
    if over < 0:
        return timedelta(0)
    return min(_LONGEST, timedelta(seconds=2 ** min(over, 20)))
