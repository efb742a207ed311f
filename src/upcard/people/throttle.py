"""Slows down guessing: after a few wrong attempts the next one must wait, twice as long each time, up to a limit.

An attempt at a secret is counted for the person, the address and the network it comes from. It is counted before it is
checked, so that many at once do not get around the wait. A right one resets the person's count of that secret and no
other; of a shared address or network only that attempt is taken off. Names without an account are counted like any
other. Nobody is locked out for good, and nobody is signed out.
"""

import math
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from upcard.ledger.journal import instant_of
from upcard.people import network, schema
from upcard.people.person import name_key, token_hash
from upcard.people.register import Register

FREE_ATTEMPTS = 5  # of a person, before the first wait
_FREE_PER_ADDRESS = 30  # all tablets of a card room may share one address
_FREE_PER_NETWORK = 300
_LONGEST_WAIT = timedelta(minutes=15)
_FORGOTTEN_AFTER = timedelta(days=1)
_COUNTED_NAME_LENGTH = 200  # more characters than any name has
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


def count_attempt(register: Register, attempt: Attempt) -> int:
    """Counts an attempt; returns how many seconds it must wait, 0 for none.

    One that must wait is not counted: it tries nothing, and must not make others at its address wait.
    """
    person = ((attempt.person_counter, FREE_ATTEMPTS),) if attempt.person_counter else ()
    register.delete(schema.sign_in_attempts, _T.last < register.after(-_FORGOTTEN_AFTER))
    counters = {token_hash(counter): free for counter, free in (*attempt.shared_counters, *person)}
    rows = {key: register.find(schema.sign_in_attempts, _T.id == key, lock=True) for key in counters}
    waits = [instant_of(row["wait_until"]) - register.at for row in rows.values() if row is not None]
    if waits and max(waits) > timedelta(0):
        return math.ceil(max(waits).total_seconds())
    for key, free in counters.items():
        row = rows[key]
        if row is None:
            register.add(schema.sign_in_attempts, id=key, count=1, last=register.now, wait_until=register.now)
            continue
        count = row["count"] + 1
        wait_until = register.after(_wait(count - free))
        register.change(schema.sign_in_attempts, _T.id == key, count=count, last=register.now, wait_until=wait_until)
    return 0


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
