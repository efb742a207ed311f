"""Notices between processes on one PostgreSQL: which tables changed. A notice holds table names only, no events."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence

import psycopg
import sqlalchemy as sa
import structlog

_log = structlog.get_logger("upcard.notices")

CHANNEL = "upcard"
_MAX_BYTES = 7000  # per notice; PostgreSQL allows 8000
_RECONNECT_SECONDS = 0.2  # before a lost connection to the database is opened again
_NOTIFY = sa.text("SELECT pg_notify(:channel, :notice)")


def send_notices(connection: sa.Connection, process: str, tables: Sequence[str]) -> None:
    """Notifies other processes of changed tables when the transaction commits."""
    for notice in _notices(process, tables):
        connection.execute(_NOTIFY, {"channel": CHANNEL, "notice": notice})


def read_notice(payload: str) -> tuple[str, list[str]]:
    """The sending process and the tables of a notice; empty if the payload is not ours."""
    try:
        process, tables = json.loads(payload)
        return str(process), [str(table) for table in tables]
    except (ValueError, TypeError):
        return "", []


def _notices(process: str, tables: Sequence[str]) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for table in tables:
        if part and size + len(table.encode()) + 8 > _MAX_BYTES:
            yield json.dumps([process, part])
            part, size = [], 0
        part.append(table)
        size += len(json.dumps(table)) + 2
    if part:
        yield json.dumps([process, part])


class NoticeListener:
    """A thread that receives from PostgreSQL which tables other processes changed."""

    def __init__(
        self,
        address: str,
        process: str,
        *,
        moved: Callable[[Sequence[str]], object],
        missed: Callable[[], object],
    ) -> None:
        """Calls `moved` with the changed tables, and `missed` after a (re)connect, when notices may have been lost."""
        self._address, self._process, self._moved, self._missed = address, process, moved, missed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-listen", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
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
            except (psycopg.Error, RuntimeError) as error:
                if not self._stop.wait(_RECONNECT_SECONDS):
                    _log.warning("lost the connection for notices; reconnecting", why=str(error))
