"""Slows down guessing: after a few wrong attempts the next one must wait, twice as long each time, up to a limit.

An attempt at a secret is counted for the person, the address and the network it comes from. It is counted before it is
checked, so that many at once do not get around the wait. A right one resets the person's count of that secret and no
other; of a shared address or network only that attempt is taken off. Names without an account are counted like any
other. Nobody is locked out for good, and nobody is signed out. An attempt that must wait tries nothing, and the log has
one entry for all of them in one wait.
"""

import math
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import NamedTuple

from upcard.ledger.journal import instant_of
from upcard.people import network, schema
from upcard.people.person import name_key, token_hash
from upcard.people.refusals import PeopleRefusal, PeopleRefused
from upcard.people.register import Register

FREE_ATTEMPTS = 5  # of a person, before the first wait
_FREE_PER_ADDRESS = 30  # all tablets of a card room may share one address
_FREE_PER_NETWORK = 300
_LONGEST_WAIT = timedelta(minutes=15)
_FORGOTTEN_AFTER = timedelta(days=1)
_COUNTED_NAME_LENGTH = 200  # more characters than any name has
_MOST_WAITS = 10_000  # that a process remembers, to log each of them once
_T = schema.sign_in_attempts.c


class Secret(Enum):
    """What is guessed. Each has a count of its own; the values are parts of stored keys."""

    SIGN_IN = "name"  # the password, to sign in
    PASSWORD = "password"  # the old password, to change it
    CODE = "code"  # a one-time code, wherever it is entered
    LINK = "link"  # the token of a link: counted for address and network only


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An attempt at a secret: whose, if a name was given, and the network address it came from, if known."""

    secret: Secret
    name: str = ""
    source: str = ""
    source_counted: bool = False  # whether address and network were counted already, with another secret

    @property
    def person_counter(self) -> str:
        return f"{self.secret.value}:{name_key(self.name[:_COUNTED_NAME_LENGTH])}" if self.name else ""

    @property
    def shared_counters(self) -> tuple[tuple[str, int], ...]:
        """The counters of address and network, and how many wrong attempts each allows without a wait."""
        if not self.source or self.source_counted:
            return ()
        return (
            (f"network:{network.network_of(self.source)}", _FREE_PER_NETWORK),
            (f"source:{network.address_of(self.source)}", _FREE_PER_ADDRESS),
        )


class Wait(NamedTuple):
    """How long an attempt must wait."""

    seconds: int
    counter: str  # the id of the counter that demands it
    until: str


class LoggedWaits:
    """The waits that the log knows of already, so that somebody who keeps trying cannot fill it."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[str, int]] = OrderedDict()  # by counter: its wait, and attempts not logged
        self._lock = threading.Lock()

    def note(self, wait: Wait) -> int | None:
        """For the first attempt in a wait, how many attempts in the wait before it were not logged; None: later ones,
        which are not logged either."""
        with self._lock:
            until, unlogged = self._last.pop(wait.counter, ("", 0))
            is_first = until != wait.until
            self._last[wait.counter] = (wait.until, 0 if is_first else unlogged + 1)
            if len(self._last) > _MOST_WAITS:
                self._last.popitem(last=False)
        return unlogged if is_first else None


def count_attempt(register: Register, attempt: Attempt) -> Wait | None:
    """Counts an attempt; returns how long it must wait, if it must.

    One that must wait is not counted: it tries nothing, and must not make others at its address wait.
    """
    person = ((attempt.person_counter, FREE_ATTEMPTS),) if attempt.person_counter else ()
    register.delete(schema.sign_in_attempts, _T.last < register.after(-_FORGOTTEN_AFTER))
    counters = {token_hash(counter): free for counter, free in (*attempt.shared_counters, *person)}
    rows = {key: register.find(schema.sign_in_attempts, _T.id == key, lock=True) for key in counters}
    longest = max((row for row in rows.values() if row is not None), key=lambda row: row["wait_until"], default=None)
    if longest is not None and (left := instant_of(longest["wait_until"]) - register.at) > timedelta(0):
        return Wait(math.ceil(left.total_seconds()), longest["id"], longest["wait_until"])
    for key, free in counters.items():
        row = rows[key]
        if row is None:
            register.add(schema.sign_in_attempts, id=key, count=1, last=register.now, wait_until=register.now)
            continue
        count = row["count"] + 1
        wait_until = register.after(_wait(count - free))
        register.change(schema.sign_in_attempts, _T.id == key, count=count, last=register.now, wait_until=wait_until)
    return None


def refuse(
    register: Register, logged: LoggedWaits, wait: Wait, attempt: Attempt, *, actor: str, action: str, subject: str
) -> PeopleRefused:
    """The refusal of an attempt that must wait; the first one in a wait is logged."""
    unlogged = logged.note(wait)
    if unlogged is not None:
        source, more = attempt.source or None, unlogged or None
        register.log(actor, action, subject, seconds=wait.seconds, source=source, unlogged=more)
    return PeopleRefused(PeopleRefusal.TOO_MANY_TRIES, seconds=wait.seconds)


def succeed(register: Register, attempt: Attempt) -> None:
    """After a right attempt: the person's count begins again, and the attempt is taken off the shared counts."""
    if attempt.person_counter:
        reset(register, attempt)
    for counter, _ in attempt.shared_counters:
        row = register.find(schema.sign_in_attempts, _T.id == token_hash(counter), lock=True)
        if row is not None:
            now, count = register.now, max(0, row["count"] - 1)
            register.change(schema.sign_in_attempts, _T.id == row["id"], count=count, wait_until=now)


def reset(register: Register, attempt: Attempt) -> None:
    """The person's count of this secret begins again."""
    register.delete(schema.sign_in_attempts, _T.id == token_hash(attempt.person_counter))


def _wait(excess: int) -> timedelta:
    if excess < 0:
        return timedelta(0)
    return min(_LONGEST_WAIT, timedelta(seconds=2 ** min(excess, 20)))
