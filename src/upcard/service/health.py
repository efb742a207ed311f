"""Whether the service can do its work: the book takes a write, no table is stopped, the clock is right.

The write changes nothing that is stored, but reaches the disk like any other. However often somebody asks, there is at
most one write in a few seconds, and a write that hangs makes nobody wait longer than the limit.
"""

import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooSlow
from typing import Literal

import sqlalchemy as sa
from typing_extensions import TypedDict

from upcard.ledger.store import Store, is_server
from upcard.service import schema
from upcard.service.desk import Desk
from upcard.service.steady_clock import SteadyClock
from upcard.service.wire_models import Coded

FRESH_SECONDS = 2.0  # in which a result is not asked for again
LONGEST_WRITE = 5.0  # seconds

Problem = Literal["BOOK_NOT_WRITTEN", "DESK_STOPPED", "TABLES_STOPPED", "CLOCK_MOVED"]
_FAILING: tuple[Problem, ...] = ("BOOK_NOT_WRITTEN", "DESK_STOPPED")


class HealthReport(TypedDict):
    """`failing`: no command can be stored. `degraded`: some tables are stopped, or the machine's clock was moved."""

    status: Literal["ok", "degraded", "failing"]
    problems: list[Problem]
    tables_stopped: int


class HealthCheck:
    """Checks the service when somebody asks. Used by any thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._write: Future[None] | None = None
        self._fresh_until = 0.0

    def report(self) -> HealthReport:
        problems: list[Problem] = []
        if not self._desk.is_running:
            problems.append("DESK_STOPPED")
        if not self._is_written():
            problems.append("BOOK_NOT_WRITTEN")
        stopped = 0 if problems else len(stopped_tables(self._desk))
        if stopped:
            problems.append("TABLES_STOPPED")
        clock = self._desk.clock
        if isinstance(clock, SteadyClock) and clock.is_moved():
            problems.append("CLOCK_MOVED")
        failing = any(problem in _FAILING for problem in problems)
        status: Literal["ok", "degraded", "failing"] = "failing" if failing else "degraded" if problems else "ok"
        return {"status": status, "problems": problems, "tables_stopped": stopped}

    def _is_written(self) -> bool:
        try:
            self._latest_write().result(LONGEST_WRITE)
        except TooSlow:
            return False
        except Exception:  # whatever prevents a write
            return False
        return True

    def _latest_write(self) -> "Future[None]":
        """The last write, or a new one in a thread of its own if the last is too old."""
        with self._lock:
            write = self._write
            if write is not None and (not write.done() or time.monotonic() < self._fresh_until):
                return write
            write = self._write = Future()
            self._fresh_until = time.monotonic() + FRESH_SECONDS
            threading.Thread(
                target=_write_into, args=(self._desk.store, write), name="upcard-health", daemon=True
            ).start()
            return write


def stopped_tables(desk: Desk) -> dict[str, tuple[int, Coded]]:
    """Tables that this process found stopped, and that nobody has changed since: at which record, and why."""
    stopped = dict(desk.cache.stopped)
    if not stopped:
        return {}
    streams = schema.streams.c
    with desk.store.view() as unit:
        versions = {
            row.stream: row.version for row in unit.connection.execute(sa.select(streams.stream, streams.version))
        }
    return {
        name.partition(":")[2]: (version, why)
        for name, (version, why) in stopped.items()
        if versions.get(name) == version
    }


def _write_into(store: Store, write: "Future[None]") -> None:
    try:
        prove_write(store)
    except BaseException as error:
        write.set_exception(error)
    else:
        write.set_result(None)


def prove_write(store: Store) -> None:
    """Commits a write that changes nothing; raises if it does not reach the disk."""
    with store.transaction() as unit:
        if is_server(store.address):
            unit.connection.exec_driver_sql("SET LOCAL lock_timeout = '3s'")
            first = sa.select(sa.func.min(schema.streams.c.stream)).scalar_subquery()
            same = sa.update(schema.streams).values(due=schema.streams.c.due)
            unit.connection.execute(same.where(schema.streams.c.stream == first))
        else:  # SQLite does not write a row that stays the same, but it does write this number
            version = unit.connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            unit.connection.exec_driver_sql(f"PRAGMA user_version={int(version)}")
