"""Gaming days: from the house's opening hour on its own clock to the next; 23 or 25 hours long when clocks change.

The hours are dated configuration: a past moment keeps the day it had when other hours are set for the future.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from upcard.ledger.record import Record

ONE_DAY = timedelta(days=1)


class Hours(Record):
    """In which time zone, and at which full hour, a gaming day begins, from a day on."""

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
    """The moment a gaming day begins, in UTC; before the first hours, the first ones hold."""
    one = next((one for one in reversed(hours) if one.since <= day), hours[0])
    return datetime.combine(day, time(one.start), ZoneInfo(one.zone)).astimezone(UTC)


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
