"""Gaming days: from the house's opening hour, in its own time zone, to the next; 23 or 25 hours when clocks change.

Hours have a date from which they hold, so that new hours do not change the gaming day of a past moment.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from upcard.ledger.record import Record

ONE_DAY = timedelta(days=1)


class Hours(Record):
    """The time zone, and the full hour at which a gaming day begins, from a date on."""

    since: date
    zone: str
    start: int = Field(ge=0, le=23)

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"{zone!r} is not a time zone like America/New_York") from None
        return zone


def start_of(day: date, hours: Sequence[Hours]) -> datetime:
    """When a gaming day begins, in UTC. Days before the first hours have the first hours."""
    in_force = next((setting for setting in reversed(hours) if setting.since <= day), hours[0])
    return datetime.combine(day, time(in_force.start), ZoneInfo(in_force.zone)).astimezone(UTC)


def day_of(at: datetime, hours: Sequence[Hours]) -> date:
    """The gaming day a moment belongs to."""
    day = at.astimezone(ZoneInfo(hours[-1].zone)).date()
    while at < start_of(day, hours):
        day -= ONE_DAY
    while at >= start_of(day + ONE_DAY, hours):
        day += ONE_DAY
    return day


class GamingDay(NamedTuple):
    """A gaming day with its bounds, under some hours."""

    hours: tuple[Hours, ...]
    day: date
    begins: datetime
    ends: datetime


def gaming_day(at: datetime, hours: tuple[Hours, ...]) -> GamingDay:
    """The gaming day a moment belongs to, with its bounds."""
    day = day_of(at, hours)
    return GamingDay(hours, day, start_of(day, hours), start_of(day + ONE_DAY, hours))


def length_of(day: date, hours: Sequence[Hours]) -> timedelta:
    """How long a gaming day is."""
    return start_of(day + ONE_DAY, hours) - start_of(day, hours)
