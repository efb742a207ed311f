"""Slows down guessing: after a few wrong attempts the next one must wait, twice as long each time, up to a limit.

An attempt is counted before it is checked, so that many at once do not get around the wait; a right one resets the
count. Names without an account are counted like any other. Nobody is locked out for good, and nobody is signed out.
"""

import math
from datetime import timedelta

from upcard.ledger.journal import instant_of
from upcard.people import schema
from upcard.people.person import token_hash
from upcard.people.register import Register

FREE_ATTEMPTS = 5  # before the first wait
_LONGEST_WAIT = timedelta(minutes=15)
_FORGOTTEN_AFTER = timedelta(days=1)
_T = schema.sign_in_attempts.c


def count_attempt(register: Register, counter: str, *, free: int = FREE_ATTEMPTS) -> int:
    """Counts an attempt; returns how many seconds it must wait, 0 for none."""
    key = token_hash(counter)
    register.delete(schema.sign_in_attempts, _T.last < register.after(-_FORGOTTEN_AFTER))
    row = register.find(schema.sign_in_attempts, _T.id == key, lock=True)
    if row is None:
        register.add(schema.sign_in_attempts, id=key, count=1, last=register.now, wait_until=register.now)
        return 0
    wait = instant_of(row["wait_until"]) - register.at
    if wait > timedelta(0):
        return math.ceil(wait.total_seconds())
    count = row["count"] + 1
    register.change(
        schema.sign_in_attempts,
        _T.id == key,
        count=count,
        last=register.now,
        wait_until=register.after(_wait(count - free)),
    )
    return 0


def reset(register: Register, counter: str) -> None:
    """After a right attempt, the count begins again."""
    register.delete(schema.sign_in_attempts, _T.id == token_hash(counter))


def uncount_attempt(register: Register, counter: str) -> None:
    """After a right attempt from a shared address, only that attempt is taken off the count."""
    row = register.find(schema.sign_in_attempts, _T.id == token_hash(counter), lock=True)
    if row is not None:
        register.change(schema.sign_in_attempts, _T.id == row["id"], count=row["count"] - 1, wait_until=register.now)


def _wait(excess: int) -> timedelta:
    if excess < 0:
        return timedelta(0)
    return min(_LONGEST_WAIT, timedelta(seconds=2 ** min(excess, 20)))
