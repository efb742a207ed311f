"""Notices between processes on one PostgreSQL: which tables and jackpots changed, and that a revision of the catalog
was published. A notice holds names only."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

import psycopg
import sqlalchemy as sa
import structlog

_log = structlog.get_logger("upcard.notices")

CHANNEL = "upcard"
_MAX_BYTES = 3500  # of tables, and of jackpots, per notice; PostgreSQL allows 8000
_RECONNECT_SECONDS = 0.2  # before a lost connection to the database is opened again
_NOTIFY = sa.text("SELECT pg_notify(:channel, :notice)")


class Notice(NamedTuple):
    """The tables and jackpots that a process changed."""

    process: str
    tables: Sequence[str]
    jackpots: Sequence[str]
    catalog: bool = False  # whether a revision of the house's catalog was published


def send_notices(connection: sa.Connection, notice: Notice) -> None:
    """Notifies other processes of what changed, when the transaction commits."""
    for text in _texts(notice):
        connection.execute(_NOTIFY, {"channel": CHANNEL, "notice": text})


def read_notice(payload: str) -> Notice:
    """A notice; empty if the payload is not ours."""
    try:
        process, tables, jackpots, *catalog = json.loads(payload)
        names = [str(table) for table in tables], [str(jackpot) for jackpot in jackpots]
        return Notice(str(process), *names, catalog=bool(catalog and catalog[0]))
    except (ValueError, TypeError):
        return Notice("", [], [])


def _texts(notice: Notice) -> Iterator[str]:
    none: list[str] = []
    if notice.catalog:
        yield json.dumps([notice.process, none, none, True])
    for tables, jackpots in zip_longest(_parts(notice.tables), _parts(notice.jackpots), fillvalue=none):
        yield json.dumps([notice.process, tables, jackpots])


def _parts(names: Sequence[str]) -> Iterator[list[str]]:
    """The names, as many at a time as fit into half a notice."""
    part: list[str] = []
    size = 0
    for name in names:
        length = len(json.dumps(name)) + 2
        if part and size + length > _MAX_BYTES:
            yield part
            part, size = [], 0
        part.append(name)
        size += length
    if part:
        yield part


class NoticeListener:
    """A thread that receives from PostgreSQL what other processes changed."""

    def __init__(
        self,
        address: str,
        process: str,
        *,
        moved: Callable[[Notice], object],
        missed: Callable[[], object],
    ) -> None:
        """Calls `moved` with what changed, and `missed` after a (re)connect, when notices may have been lost."""
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
                        for received in connection.notifies(timeout=0.5):
                            notice = read_notice(received.payload)
                            if notice.process != self._process:
                                self._moved(notice)
            except (psycopg.Error, RuntimeError) as error:
                if not self._stop.wait(_RECONNECT_SECONDS):
                    _log.warning("lost the connection for notices; reconnecting", why=str(error))
