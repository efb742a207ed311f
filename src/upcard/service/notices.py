"""Notices between processes on one PostgreSQL: which tables have moved. A notice carries names only, never events."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence

import psycopg
import sqlalchemy as sa
import structlog

_log = structlog.get_logger("upcard.notices")

CHANNEL = "upcard"
_MOST_BYTES = 7000  # of a notice; PostgreSQL takes 8000
_LISTEN_AGAIN = 0.2  # seconds before a lost connection to the database is made anew
_NOTIFY = sa.text("SELECT pg_notify(:channel, :told)")


def send_notices(connection: sa.Connection, process: str, tables: Sequence[str]) -> None:
    """With the commit, other processes hear of these tables."""
    for told in _notices(process, tables):
        connection.execute(_NOTIFY, {"channel": CHANNEL, "told": told})


def read_notice(told: str) -> tuple[str, list[str]]:
    """Who sent a notice, and of which tables; nobody and none where it is not one of ours."""
    try:
        process, tables = json.loads(told)
        return str(process), [str(table) for table in tables]
    except (ValueError, TypeError):
        return "", []


def _notices(process: str, tables: Sequence[str]) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for table in tables:
        if part and size + len(table.encode()) + 8 > _MOST_BYTES:
            yield json.dumps([process, part])
            part, size = [], 0
        part.append(table)
        size += len(json.dumps(table)) + 2
    if part:
        yield json.dumps([process, part])


class Listening:
    """Hears from PostgreSQL which tables other processes have moved, in a thread of its own."""

    def __init__(
        self,
        address: str,
        process: str,
        *,
        moved: Callable[[Sequence[str]], object],
        missed: Callable[[], object],
    ) -> None:
        """`moved` is called with the tables, `missed` whenever there may have been notices that nobody heard."""
        self._address, self._process, self._moved, self._missed = address, process, moved, missed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-listen", daemon=True)

    def start(self) -> None:
        """Begins to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listens no longer."""
        self._stop.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._missed()
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=0.5):
                            process, tables = read_notice(notice.payload)
                            if process != self._process:
                                self._moved(tables)
            except (psycopg.Error, RuntimeError) as wrong:
                if not self._stop.wait(_LISTEN_AGAIN):
                    _log.warning("listening again", why=str(wrong))
