"""Refuses dates that a house could not live with: hours that begin in the far future, a first day before the book.

Checked when they are asked for, not when records are read: what an earlier version accepted stays valid.
"""

from datetime import date, datetime, timedelta

import sqlalchemy as sa

from upcard.ledger import schema as book
from upcard.ledger.book import Reader
from upcard.ledger.record import Record
from upcard.ledger.requests import CloseDay, SetHours
from upcard.service.refusals import ServiceRefusal, ServiceRefused

EARLIEST = date(2000, 1, 1)
AHEAD = timedelta(days=366)  # how far ahead new hours may be set


def check_dates(request: Record, reader: Reader, now: datetime) -> None:
    """Raises ServiceRefused. New hours can only follow those set before, so a wrong year would be for ever; days are
    closed one after the other, so a first day long ago would be followed by thousands."""
    if isinstance(request, SetHours):
        latest = now.date() + AHEAD
        if not EARLIEST <= request.hours.since <= latest:
            raise ServiceRefused(
                ServiceRefusal.HOURS_TOO_FAR,
                since=request.hours.since.isoformat(),
                earliest=EARLIEST.isoformat(),
                latest=latest.isoformat(),
            )
    elif isinstance(request, CloseDay) and reader.house().closed is None:
        first = first_day(reader)
        if first is not None and request.day < first:
            raise ServiceRefused(ServiceRefusal.BEFORE_FIRST_DAY, day=request.day.isoformat(), first=first.isoformat())


def first_day(reader: Reader) -> date | None:
    """The gaming day on which the book begins; None: nothing was booked yet."""
    first = reader.unit.connection.scalar(sa.select(sa.func.min(book.entries.c.day)))
    return None if first is None else date.fromisoformat(first)
