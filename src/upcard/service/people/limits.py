"""How long things last. Every limit of time of this room stands here."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a house; the defaults are ours."""

    set_up: timedelta = timedelta(hours=24)
    invitation: timedelta = timedelta(hours=72)
    idle: timedelta = timedelta(minutes=30)
    absolute: timedelta = timedelta(hours=12)
    guest_idle: timedelta = timedelta(hours=24)  # a guest has no password to come back with
    guest_absolute: timedelta = timedelta(days=7)
    seen_every: timedelta = timedelta(minutes=1)
    ticket: timedelta = timedelta(seconds=30)
    stepped_up: timedelta = timedelta(minutes=5)
    approval: timedelta = timedelta(minutes=15)
