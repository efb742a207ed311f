"""The store: the same code for SQLite and PostgreSQL. Each connection is checked to be durable: a commit survives.

On SQLite a writing transaction has the file to itself (BEGIN IMMEDIATE). On PostgreSQL it locks the chains it writes
and then the balances it changes, always in the same order. A new balance gets its row first, since a row that does
not exist cannot be locked.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, ProgrammingError, SQLAlchemyError

from upcard.ledger import schema
from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.book_file import connect_read_only, copy_before_migration, create_private, is_read_only
from upcard.ledger.bulk import SendAhead, wait_for_rows_sent_ahead
from upcard.ledger.journal import Clock, instant_text, utc_now
from upcard.ledger.keyring import Keyring
from upcard.ledger.sealing_key import LAST_KEY, SealingKey, book_id, sealing_key
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest

BEFORE_FORMAT_1 = ("0001", "0002", "0003", "0004")
MADE_BEFORE = "was made before format 1 and cannot be opened: keep it for your records, and start a new book"
_log = logging.getLogger(__name__)
LOG_PAGES = 4000  # of 4 KB, in SQLite's log before it is copied into the book: most are changed several times till then
CACHE_PAGES = 8000  # that SQLite keeps in memory per connection: more than a busy house changes in one transaction
_IN_THE_WAY = ("40001", "40P01")  # serialization failure, deadlock


class Store:
    """The database of one book."""

    def __init__(self, address: str, keyring: Keyring | None = None, clock: Clock = utc_now) -> None:
        self.address, self.keyring, self._clock = address, keyring, clock
        self._book = ""  # its id, once read
        self._last_key: tuple[tuple[Any, ...], SealingKey] | None = None  # the last row of `keys`, and its key
        self.read_only = not is_server(address) and is_read_only(Path(address))
        self.engine = _read_only_engine(Path(address)) if self.read_only else _engine(address)
        # Writers of one process to one file queue here: SQLite's own way is to sleep up to 100 ms and try again.
        self._write_lock: AbstractContextManager[Any] = nullcontext() if is_server(address) else threading.Lock()
        self._view_options: dict[str, Any] = {"upcard_view": True}
        if is_server(address):
            self._view_options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

    @classmethod
    def open(cls, address: str, keyring: Keyring | None = None, clock: Clock = utc_now) -> "Store":
        """Opens a book of today's schema, to read; with the operator's keys, also to write.

        Anything else is refused in one sentence.
        """
        if not is_server(address) and not Path(address).is_file():
            raise BadRequest(f"there is no book {address}")
        store = cls(address, keyring, clock)
        problem = store._why_not()
        if problem:
            store.close()
            raise BadRequest(f"{without_password(address)} {problem}")
        return store

    def _why_not(self) -> str:
        """Why this is not a book of today's schema; empty: it is one."""
        try:
            revision = self.revision()
        except SQLAlchemyError as error:
            return f"cannot be opened as a book: {_first_line(error)}"
        if revision is None:
            return "is not a book"
        if revision in BEFORE_FORMAT_1:
            return MADE_BEFORE
        if revision != schema.HEAD:
            return f"has schema {revision}, not {schema.HEAD}: run upcard ledger migrate"
        return ""

    @classmethod
    def create(
        cls, address: str, keyring: Keyring | None = None, clock: Clock = utc_now, *, on_a_server: bool = False
    ) -> "Store":
        """Creates a book, or migrates an old one to today's schema. A file is copied first; a book on a server, which
        only its own tools can copy, is migrated only with `on_a_server`."""
        from alembic.util import CommandError  # loaded only here, because Alembic is slow to load

        from upcard.ledger.migrations import upgrade

        if not is_server(address):
            refuse_foreign_database(address)
            with suppress(OSError):  # a file that exists, or a folder that does not: opening it says so
                create_private(Path(address))
        store = cls(address, keyring, clock)
        try:
            revision = store.revision()
            old = revision in BEFORE_FORMAT_1
            if not old:
                if revision not in (None, schema.HEAD):
                    store._prepare_migration(str(revision), on_a_server=on_a_server)
                upgrade(store.engine)
        except BadRequest:
            store.close()
            raise
        except (SQLAlchemyError, CommandError) as error:
            store.close()
            raise BadRequest(f"{without_password(address)} cannot be made into a book: {_first_line(error)}") from None
        if old:
            store.close()
            raise BadRequest(f"{without_password(address)} {MADE_BEFORE}")
        return store

    def _prepare_migration(self, revision: str, *, on_a_server: bool) -> None:
        if not is_server(self.address):
            copy = copy_before_migration(Path(self.address), revision, schema.HEAD)
            _log.warning("%s gets a new schema; it is kept as it was in %s", self.address, copy)
        elif not on_a_server:
            raise BadRequest(
                f"{without_password(self.address)} has schema {revision}, not {schema.HEAD}: "
                "back it up with pg_dump, then run upcard ledger migrate"
            )

    def revision(self) -> str | None:
        """The revision of the book's schema; None: this is not a book."""
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()

    @contextmanager
    def transaction(self) -> Iterator[Unit]:
        """A writing transaction on tables outside the journal; it needs the operator's key, to seal rows."""
        with self._write_lock, self.engine.begin() as connection:
            yield Unit(connection, *self._sealing(connection))

    @contextmanager
    def exclusive(self) -> Iterator[sa.Connection]:
        """A transaction while nobody else writes: running ones finish first, and later ones see its changes."""
        with self._write_lock, self.engine.begin() as connection:
            if is_server(self.address):
                self._lock_keys(connection)
            yield connection

    def _lock_keys(self, connection: sa.Connection) -> None:
        """Waits 3 seconds at most: while it waits for a check or a dump, all writers wait behind it."""
        connection.exec_driver_sql("SET LOCAL lock_timeout = '3s'")
        try:
            connection.exec_driver_sql("LOCK TABLE keys IN ACCESS EXCLUSIVE MODE")
        except OperationalError:
            raise BadRequest("the book is being checked or copied: try again when that is done") from None
        except ProgrammingError as error:
            raise BadRequest(f"{_first_line(error)}: do this as the role that owns the tables") from None
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")

    @contextmanager
    def batch(self, memory: Memory) -> Iterator[BatchUnit]:
        """The transaction in which the book is written, in bulk at its end; `memory` is updated after the commit."""
        with self._write_lock, self.engine.begin() as connection:
            ahead = SendAhead(connection) if connection.dialect.name == "postgresql" else None
            unit = BatchUnit(connection, *self._sealing(connection), memory, ahead)
            try:
                yield unit
            finally:
                if ahead is not None:
                    ahead.wait()
            unit.flush()
        unit.remember()

    def _sealing(self, connection: sa.Connection) -> SealingKey:
        """The key that seals now. A writer asks for it before it takes any lock that a key rotation would wait for."""
        if self.keyring is None:
            raise BadRequest(
                f"{without_password(self.address)} was opened without the operator's key, so nothing can be written"
            )
        last, cached = connection.exec_driver_sql(LAST_KEY).first(), self._last_key
        if last is None or cached is None or cached[0] != tuple(last):
            sealing = sealing_key(connection, self.keyring, instant_text(self._clock()))
            self._last_key = (
                None if last is None else (tuple(last), sealing)
            )  # a new first key may still be rolled back
            return sealing
        return cached[1]

    @contextmanager
    def view(self) -> Iterator[Unit]:
        """A consistent, read-only view of the whole book."""
        with self.engine.connect().execution_options(**self._view_options) as connection, connection.begin():
            if not self._book and self.keyring is not None:  # without keys no seal is verified
                self._book = book_id(connection)
            yield Unit(connection, self._book)

    def close(self) -> None:
        self.engine.dispose()


def is_server(address: str) -> bool:
    """Whether an address names a database server, not a file."""
    return address.startswith(("postgresql://", "postgres://", "postgresql+psycopg://"))


def refuse_foreign_database(path: str) -> None:
    """Leaves another program's database alone. It is read-only here, since opening a book writes to it."""
    if not Path(path).is_file():
        return
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise BadRequest(f"{path} cannot be made into a book: {_first_line(error)}") from None
    if tables and "alembic_version" not in tables:
        raise BadRequest(f"{path} is a database of another program, not a book: nothing was changed")


def _engine(address: str) -> sa.Engine:
    if is_server(address):
        try:
            url = sa.make_url(address).set(drivername="postgresql+psycopg")
        except (SQLAlchemyError, ValueError):
            raise BadRequest(f"{without_password(address)} is not an address like postgresql://host/book") from None
        engine = sa.create_engine(
            url, isolation_level="READ COMMITTED", hide_parameters=True
        )  # parameters may be secret
        event.listen(engine, "connect", _check_postgresql)
        event.listen(engine, "before_cursor_execute", wait_for_rows_sent_ahead)
        return engine
    url = sa.URL.create("sqlite", database=address)
    engine = sa.create_engine(url, connect_args={"timeout": 60}, pool_size=16, max_overflow=48, hide_parameters=True)
    event.listen(engine, "connect", _check_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _read_only_engine(book: Path) -> sa.Engine:
    engine = sa.create_engine("sqlite://", creator=lambda: connect_read_only(book), poolclass=sa.QueuePool)
    event.listen(engine, "connect", _without_own_transactions)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _without_own_transactions(connection: Any, _record: object) -> None:
    connection.isolation_level = None


def _check_sqlite(connection: Any, _record: object) -> None:
    """Sets WAL and FULL, so that a commit survives a power cut, and checks that they hold."""
    connection.isolation_level = None  # we begin transactions ourselves, for writing at once
    for name, setting, value in (("journal_mode", "WAL", "wal"), ("synchronous", "FULL", 2), ("foreign_keys", "ON", 1)):
        connection.execute(f"PRAGMA {name}={setting}")
        (actual,) = connection.execute(f"PRAGMA {name}").fetchone()
        if actual != value:
            connection.close()
            raise BadRequest(f"this SQLite has {name}={actual}, but the book needs {setting}")
    connection.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
    connection.execute(f"PRAGMA cache_size={CACHE_PAGES}")


def _begin_sqlite(connection: sa.Connection) -> None:
    viewing = connection.get_execution_options().get("upcard_view", False)
    connection.exec_driver_sql("BEGIN" if viewing else "BEGIN IMMEDIATE")


def _check_postgresql(connection: Any, _record: object) -> None:
    """Checks that a commit is on disk before it is confirmed."""
    for name, accepted in (("synchronous_commit", ("on", "remote_apply")), ("fsync", ("on",))):
        (actual,) = connection.execute(f"SHOW {name}").fetchone()
        if actual not in accepted:
            connection.close()
            raise BadRequest(f"this PostgreSQL has {name}={actual}, but the book needs {accepted[0]}")
    connection.rollback()


def is_write_conflict(error: DBAPIError) -> bool:
    """Whether another writer caused the error, so that trying again makes sense."""
    return isinstance(error, IntegrityError) or getattr(error.orig, "sqlstate", "") in _IN_THE_WAY


def without_password(address: str) -> str:
    """An address without its password."""
    if not is_server(address):
        return address
    try:
        return sa.make_url(address).render_as_string(hide_password=True)
    except (SQLAlchemyError, ValueError):
        return "this address"


def _first_line(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
