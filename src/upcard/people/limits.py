"""How long things last. Every limit of time of this room stands here."""

from dataclasses import dataclass
from datetime import timedelta

from upcard.people.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a house; the defaults are ours."""

    set_up: timedelta = timedelta(hours=24)
    invitation: timedelta = timedelta(hours=72)
    account_recovery: timedelta = timedelta(hours=1)
    idle: timedelta = timedelta(minutes=30)
    staff_idle: timedelta = timedelta(minutes=15)  # whoever may do more than play is sooner signed out
    absolute: timedelta = timedelta(hours=12)
    guest_idle: timedelta = timedelta(hours=24)  # a guest has no password to come back with
    guest_absolute: timedelta = timedelta(days=7)
    display_absolute: timedelta = timedelta(days=30)  # a screen that shows: nobody stands before it to sign in

    def of(self, roles: frozenset[Role], *, guest: bool) -> tuple[timedelta, timedelta]:
        """How long a session may be idle, and how long it may last."""
        if guest:
            return self.guest_idle, self.guest_absolute
        if roles == {Role.DISPLAY}:
            return self.display_absolute, self.display_absolute
        return (self.idle if roles == {Role.PLAYER} else self.staff_idle), self.absolute

    @property
    def longest(self) -> timedelta:
        """After which every session is over."""
        return max(self.absolute, self.guest_absolute, self.display_absolute)

    seen_every: timedelta = timedelta(minutes=1)
    ticket: timedelta = timedelta(seconds=30)
    stepped_up: timedelta = timedelta(minutes=5)
    approval: timedelta = timedelta(minutes=15)
