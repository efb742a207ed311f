"""Gaming days: from the house's opening hour on its own clock to the next; 23 or 25 hours long when clocks change.

The hours are dated configuration: a past moment keeps the day it had when other hours are set for the future.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
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
    """The moment a gaming day begins, in UTC."""
    one = hours_on(day, hours)
    return _start(day, one.start, one.zone)


@lru_cache(maxsize=1024)
def _start(day: date, hour: int, zone: str) -> datetime:
    return datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC)


def day_of(at: datetime, hours: Sequence[Hours]) -> date:
    """The gaming day a moment belongs to."""
    return _day_of(at.astimezone(UTC), tuple(hours))


@lru_cache(maxsize=256)
def _day_of(at: datetime, hours: tuple[Hours, ...]) -> date:
    """Commands carried out together happen at one moment."""
    day = at.astimezone(ZoneInfo(hours[-1].zone)).date()
    while at < start_of(day, hours):
        day -= ONE_DAY
    while at >= start_of(day + ONE_DAY, hours):
        day += ONE_DAY
    return day


def length_of(day: date, hours: Sequence[Hours]) -> timedelta:
    """How long a gaming day is."""
    return start_of(day + ONE_DAY, hours) - start_of(day, hours)


def hours_on(day: date, hours: Sequence[Hours]) -> Hours:
    """The hours in force on a day; before the first ones, the first."""
    past = [one for one in hours if one.since <= day]
    return past[-1] if past else hours[0]
