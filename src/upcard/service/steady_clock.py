"""The service's clock: the machine's time at the start, plus the time that has passed since.

Somebody who sets the machine's clock moves nothing here: no timer stops, no record gets a time days ahead, no session
ends. A clock that is set by more than a limit is reported until it is right again or the service restarts. A service
does not start when the machine's clock is far behind the last record, or far from the database server's.
"""

import json
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from upcard.ledger import schema as book
from upcard.ledger.journal import Clock, instant_of, instant_text, utc_now
from upcard.ledger.store import Store, is_server
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest
from upcard.service import schema

_log = logging.getLogger(__name__)

LIMIT = timedelta(minutes=5)
_ADVICE = "set the machine's clock; if it is right now, restart the service"


def seconds_passed() -> float:
    """Counts on while the machine sleeps, where it can, and is never set."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SteadyClock:
    """A clock that nobody can set."""

    def __init__(
        self,
        *,
        wall: Clock = utc_now,
        passed: Callable[[], float] = seconds_passed,
        limit: timedelta = LIMIT,
        earliest: datetime | None = None,
    ) -> None:
        """`earliest` is a time before which it does not start, such as that of the last record."""
        self._wall, self._passed, self.limit = wall, passed, limit
        started = wall()
        self._start = started if earliest is None else max(started, earliest)
        self._began = passed()

    def __call__(self) -> datetime:
        return self._start + timedelta(seconds=self._passed() - self._began)

    def difference(self) -> timedelta:
        """How far the machine's clock is ahead of this one; negative: behind."""
        return self._wall() - self()

    def is_moved(self) -> bool:
        """Whether the machine's clock differs by more than the limit."""
        return abs(self.difference()) > self.limit


def clock_for(store: Store, *, limit: timedelta = LIMIT, from_book: bool = False, wall: Clock = utc_now) -> SteadyClock:
    """The clock of a service on this book; refuses to start with a clock that contradicts the book or its server."""
    with store.view() as unit:
        last = last_moment(unit)
        server = unit.connection.scalar(sa.text("SELECT clock_timestamp()")) if is_server(store.address) else None
    now = wall()
    if isinstance(server, datetime) and abs(server.astimezone(UTC) - now) > limit:
        difference = long_text(server.astimezone(UTC) - now)
        raise BadRequest(
            f"this machine's clock, {_short(now)}, differs from the database server's by {difference}; set both clocks"
        )
    if last is not None and last - now > limit and not from_book:
        raise BadRequest(
            f"this machine's clock, {_short(now)}, is {long_text(last - now)} behind the last record, {_short(last)}; "
            "set the clock; if it is right and the record is not, start with --time-from-book (see docs/operating.md)"
        )
    return SteadyClock(wall=wall, limit=limit, earliest=last)


def last_moment(unit: Unit) -> datetime | None:
    """The time of the last record of any stream or chain."""
    streams, history = schema.streams, schema.history
    last_records = sa.and_(history.c.stream == streams.c.stream, history.c.number == streams.c.version)
    latest = [
        unit.connection.scalar(sa.select(sa.func.max(history.c.at)).select_from(streams).join(history, last_records)),
        unit.connection.scalar(sa.select(sa.func.max(book.chains.c.at))),
    ]
    return max((instant_of(at) for at in latest if at), default=None)


class ClockWatch:
    """Reports a machine's clock that was moved: in the log, and in a small file beside the key, for the doctor."""

    def __init__(self, clock: SteadyClock, key: Path | None) -> None:
        self.clock = clock
        self._file = None if key is None else moved_file(key)
        self._moved = False
        self._forget()

    def look(self) -> None:
        moved = self.clock.is_moved()
        if moved == self._moved:
            return
        self._moved = moved
        if not moved:
            _log.warning("the machine's clock agrees with the service's again")
            self._forget()
            return
        difference = self.clock.difference()
        _log.error("the machine's clock is %s; the service keeps its own time; %s", direction_of(difference), _ADVICE)
        if self._file is not None:
            text = json.dumps({"seconds": round(difference.total_seconds()), "at": instant_text(self.clock())})
            try:
                self._file.touch(0o600)
                self._file.write_text(text)
            except OSError as error:
                _log.warning("%s cannot be written (%s)", self._file, error)

    def _forget(self) -> None:
        if self._file is not None:
            try:
                self._file.unlink(missing_ok=True)
            except OSError as error:
                _log.warning("%s cannot be removed (%s)", self._file, error)


def moved_file(key: Path) -> Path:
    """The file that exists while a running service finds the machine's clock moved."""
    return Path(f"{key}.clock")


def moved_clock(key: Path) -> str | None:
    """What a running service reported about the machine's clock, with what to do; None: nothing."""
    try:
        report = json.loads(moved_file(key).read_text())
        difference = timedelta(seconds=int(report["seconds"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return f"{moved_file(key)} cannot be read; {_ADVICE}"
    return f"the service found the machine's clock {direction_of(difference)} and keeps its own time; {_ADVICE}"


def direction_of(difference: timedelta) -> str:
    return f"{long_text(difference)} {'ahead' if difference > timedelta(0) else 'behind'}"


def long_text(difference: timedelta) -> str:
    """A length of time in its largest units, like "3 days" or "1 h 5 min"."""
    seconds = round(abs(difference).total_seconds())
    days, hours, minutes = seconds // 86_400, seconds % 86_400 // 3600, seconds % 3600 // 60
    if days:
        return "1 day" if days == 1 else f"{days} days"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds % 60} s"


def _short(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
