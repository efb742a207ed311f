"""Every time limit on links, sessions, tickets, one-time codes and approvals."""

from dataclasses import dataclass
from datetime import timedelta

from upcard.people.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """The time limits of a house. The defaults are this program's own choice."""

    set_up: timedelta = timedelta(hours=24)
    invitation: timedelta = timedelta(hours=72)
    account_recovery: timedelta = timedelta(hours=1)
    idle: timedelta = timedelta(minutes=30)
    staff_idle: timedelta = timedelta(minutes=15)  # staff can do more than play, so an idle session ends sooner
    absolute: timedelta = timedelta(hours=12)
    guest_idle: timedelta = timedelta(hours=24)  # a guest has no password to sign in with again
    guest_absolute: timedelta = timedelta(days=7)
    display_absolute: timedelta = timedelta(days=30)  # nobody stands at a display to sign it in again

    def of_session(self, roles: frozenset[Role], *, guest: bool) -> tuple[timedelta, timedelta]:
        """How long a session may be idle, and how long it may last."""
        if guest:
            return self.guest_idle, self.guest_absolute
        if roles == {Role.DISPLAY}:
            return self.display_absolute, self.display_absolute
        return (self.idle if roles == {Role.PLAYER} else self.staff_idle), self.absolute

    @property
    def longest_session(self) -> timedelta:
        return max(self.absolute, self.guest_absolute, self.display_absolute)

    last_seen_interval: timedelta = timedelta(minutes=1)  # "last seen" is written no more often than this
    ticket: timedelta = timedelta(seconds=30)
    stepped_up: timedelta = timedelta(minutes=5)
    approval: timedelta = timedelta(minutes=15)
    independence: timedelta = timedelta(days=30)  # before an account may approve for the person who got it made
