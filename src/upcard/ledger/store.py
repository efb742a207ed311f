"""The store: one code path for SQLite and PostgreSQL, both checked at the start to keep what they have confirmed.

On SQLite a unit of work has the file for itself (BEGIN IMMEDIATE). On PostgreSQL it locks the chains it writes and then
the balances it moves, always in the same order; a balance that was never used gets its row first, since a row that is
not there cannot be locked.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from upcard.ledger import schema
from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.journal import Clock, instant_text, utc_now
from upcard.ledger.keyring import Keyring
from upcard.ledger.sealing_key import LAST_KEY, SealingKey, book_id, sealing_key
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest

BEFORE_FORMAT_1 = ("0001", "0002", "0003", "0004")
MADE_BEFORE = "was made before format 1 and cannot be opened: keep it for your records, and begin a new book"
_IN_THE_WAY = ("40001", "40P01")  # serialization failure, deadlock


class Store:
    """Where a book is kept."""

    def __init__(self, address: str, keyring: Keyring | None = None, clock: Clock = utc_now) -> None:
        self.address, self.keyring, self._clock = address, keyring, clock
        self._book = ""  # once it is known
        self._last_key: tuple[tuple[Any, ...], SealingKey] | None = None  # the last row of `keys`, and its key
        self.engine = _engine(address)
        # Writers of one process to one file queue here: SQLite itself lets them sleep and try, the longest 100 ms.
        self._pen: AbstractContextManager[Any] = nullcontext() if is_server(address) else threading.Lock()
        self._viewing: dict[str, Any] = {"upcard_view": True}
        if is_server(address):
            self._viewing |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

    @classmethod
    def open(cls, address: str, keyring: Keyring | None = None, clock: Clock = utc_now) -> "Store":
        """An existing book of today's form, to read, or with the operator's keys to write in; says in one sentence what
        is wrong with any other."""
        if not is_server(address) and not Path(address).is_file():
            raise BadRequest(f"there is no book {address}")
        store = cls(address, keyring, clock)
        wrong = store._why_not()
        if wrong:
            store.close()
            raise BadRequest(f"{shown(address)} {wrong}")
        return store

    def _why_not(self) -> str:
        """Why this is no book of today's form; empty: it is one."""
        try:
            found = self.revision()
        except SQLAlchemyError as wrong:
            return f"cannot be opened as a book: {_first_line(wrong)}"
        if found is None:
            return "is not a book"
        if found in BEFORE_FORMAT_1:
            return MADE_BEFORE
        if found != schema.HEAD:
            return f"is a book of form {found}, not {schema.HEAD}: upcard ledger migrate renews it"
        return ""

    @classmethod
    def create(cls, address: str, keyring: Keyring | None = None, clock: Clock = utc_now) -> "Store":
        """A new book, or an old one brought to today's form."""
        from alembic.util import CommandError  # Alembic is loaded for this only

        from upcard.ledger.migrations import upgrade

        if not is_server(address):
            _refuse_a_strangers(address)
        store = cls(address, keyring, clock)
        try:
            old = store.revision() in BEFORE_FORMAT_1
            if not old:
                upgrade(store.engine)
        except (SQLAlchemyError, CommandError) as wrong:
            store.close()
            raise BadRequest(f"{shown(address)} cannot be made a book: {_first_line(wrong)}") from None
        if old:
            store.close()
            raise BadRequest(f"{shown(address)} {MADE_BEFORE}")
        return store

    def revision(self) -> str | None:
        """The form of the book; None: it is none."""
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()

    @contextmanager
    def transaction(self) -> Iterator[Unit]:
        """A transaction on what stands beside the book; with the operator's key, so that rows can be sealed."""
        with self._pen, self.engine.begin() as connection:
            yield Unit(connection, *self._sealing(connection))

    @contextmanager
    def exclusive(self) -> Iterator[sa.Connection]:
        """A transaction while nobody else writes: those that write finish first, and the next see what it did."""
        with self._pen, self.engine.begin() as connection:
            if is_server(self.address):
                self._lock_keys(connection)
            yield connection

    def _lock_keys(self, connection: sa.Connection) -> None:
        """Not for long: while this waits for a check or a dump that reads the whole book, writers wait behind it."""
        connection.exec_driver_sql("SET LOCAL lock_timeout = '3s'")
        try:
            connection.exec_driver_sql("LOCK TABLE keys IN ACCESS EXCLUSIVE MODE")
        except OperationalError:
            raise BadRequest("the book is being checked or copied just now: try again when that is done") from None
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")

    @contextmanager
    def batch(self, memory: Memory) -> Iterator[BatchUnit]:
        """The transaction in which the book is written, in bulk at its end; `memory` learns of it once it is kept."""
        with self._pen, self.engine.begin() as connection:
            unit = BatchUnit(connection, *self._sealing(connection), memory)
            yield unit
            unit.flush()
        unit.remember()

    def _sealing(self, connection: sa.Connection) -> SealingKey:
        """The first thing a writer asks for: no lock is held yet that a rotation of the keys could wait for."""
        if self.keyring is None:
            raise BadRequest(f"{shown(self.address)} was opened without the operator's key, so nothing can be written")
        last, known = connection.exec_driver_sql(LAST_KEY).first(), self._last_key
        if last is None or known is None or known[0] != tuple(last):
            sealing = sealing_key(connection, self.keyring, instant_text(self._clock()))
            self._last_key = None if last is None else (tuple(last), sealing)  # until it is sure that it is kept
            return sealing
        return known[1]

    @contextmanager
    def view(self) -> Iterator[Unit]:
        """One consistent look at the whole book, which writes nothing."""
        with self.engine.connect().execution_options(**self._viewing) as connection, connection.begin():
            if not self._book and self.keyring is not None:  # without keys no seal is verified
                self._book = book_id(connection)
            yield Unit(connection, self._book)

    def close(self) -> None:
        """Lets go of all connections."""
        self.engine.dispose()


def is_server(address: str) -> bool:
    """Whether an address is a database server's, not a file's."""
    return address.startswith(("postgresql://", "postgres://", "postgresql+psycopg://"))


def _refuse_a_strangers(path: str) -> None:
    """A database of somebody else's is left as it is; looked at without writing, since opening it as a book writes."""
    if not Path(path).is_file():
        return
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as wrong:
        raise BadRequest(f"{path} cannot be made a book: {_first_line(wrong)}") from None
    if tables and "alembic_version" not in tables:
        raise BadRequest(f"{path} is a database of something else, not a book: it is left as it is")


def _engine(address: str) -> sa.Engine:
    if is_server(address):
        try:
            url = sa.make_url(address).set(drivername="postgresql+psycopg")
        except (SQLAlchemyError, ValueError):
            raise BadRequest(f"{shown(address)} is not an address like postgresql://host/book") from None
        engine = sa.create_engine(url, isolation_level="READ COMMITTED", hide_parameters=True)  # they may be secret
        event.listen(engine, "connect", _check_postgresql)
        return engine
    url = sa.URL.create("sqlite", database=address)
    engine = sa.create_engine(url, connect_args={"timeout": 60}, pool_size=16, max_overflow=48, hide_parameters=True)
    event.listen(engine, "connect", _check_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _check_sqlite(connection: Any, _record: object) -> None:
    """WAL and FULL: what is committed survives a power cut; set, and then looked at."""
    connection.isolation_level = None  # transactions are begun by us, at once for writing
    for name, wanted, value in (("journal_mode", "WAL", "wal"), ("synchronous", "FULL", 2), ("foreign_keys", "ON", 1)):
        connection.execute(f"PRAGMA {name}={wanted}")
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != value:
            connection.close()
            raise BadRequest(f"this SQLite keeps {name}={found} where the book needs {wanted}")


def _begin_sqlite(connection: sa.Connection) -> None:
    viewing = connection.get_execution_options().get("upcard_view", False)
    connection.exec_driver_sql("BEGIN" if viewing else "BEGIN IMMEDIATE")


def _check_postgresql(connection: Any, _record: object) -> None:
    """A commit that is confirmed must be on the disk."""
    for name, wanted in (("synchronous_commit", ("on", "remote_apply")), ("fsync", ("on",))):
        (found,) = connection.execute(f"SHOW {name}").fetchone()
        if found not in wanted:
            connection.close()
            raise BadRequest(f"this PostgreSQL has {name}={found} where the book needs {wanted[0]}")
    connection.rollback()


def in_the_way(wrong: DBAPIError) -> bool:
    """Whether another writer was the trouble, and not the work itself."""
    return isinstance(wrong, IntegrityError) or getattr(wrong.orig, "sqlstate", "") in _IN_THE_WAY


def shown(address: str) -> str:
    """An address without its password."""
    if not is_server(address):
        return address
    try:
        return sa.make_url(address).render_as_string(hide_password=True)
    except (SQLAlchemyError, ValueError):
        return "this address"


def _first_line(wrong: Exception) -> str:
    cause = wrong.orig if isinstance(wrong, DBAPIError) else wrong
    return str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
