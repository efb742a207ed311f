"""Empty books, on SQLite and on a real PostgreSQL: every test that asks for `new_address` runs on both."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import sqlalchemy as sa
from support.postgres_server import USER, postgres

from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.keyring import Keyring
from upcard.ledger.schema import metadata as book
from upcard.ledger.sealing_key import sealing_key
from upcard.ledger.store import Store
from upcard.people.schema import metadata as people
from upcard.service.schema import metadata as service

NewAddress = Callable[[], str]
KEYRING = Keyring([bytes(32)])  # the operator's key of every test book that names no other


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a book on a private server."""
    with postgres() as folder:
        address = f"postgresql://{USER}@/postgres?host={folder}"
        Store.create(address).close()
        yield address
        _cleaner(address).close()


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "empty.db"
    Store.create(str(path)).close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def new_address(request: pytest.FixtureRequest, tmp_path: Path) -> NewAddress:
    """Addresses of empty books; on the server this is one book, emptied each time."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("server")
        return lambda: emptied(address)
    empty: Path = request.getfixturevalue("empty_file")
    numbers = itertools.count(1)
    return lambda: str(shutil.copy(empty, tmp_path / f"{next(numbers)}.db"))


def writing(connection: sa.Connection) -> BatchUnit:
    """A unit of work on a connection that the test opened."""
    sealing = sealing_key(connection, KEYRING, "2026-01-01T00:00:00.000000Z")
    return BatchUnit(connection, *sealing, Memory())


def write_key(path: Path, *keys: bytes) -> Path:
    """Writes a file of operator's keys; without `keys`, the key of `KEYRING`."""
    path.write_text("".join(f"{key.hex()}\n" for key in keys or (bytes(32),)))
    path.chmod(0o600)
    return path


def emptied(address: str) -> str:
    """Empties a book; only a superuser can, since the journal's triggers must be disabled."""
    with _cleaner(address).transaction():
        for table in (*book.tables, *service.tables, *people.tables):
            _cleaner(address).execute(f"DELETE FROM {table}")
    return address


@cache
def _cleaner(address: str) -> "psycopg.Connection[psycopg.rows.TupleRow]":
    """One connection for all emptying: the server takes longer to plan these statements than to run them."""
    connection = psycopg.connect(address, autocommit=True, prepare_threshold=0)
    connection.execute("SET session_replication_role = replica")
    return connection


@pytest.fixture(params=["sqlite", "postgresql"])
def blank_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewAddress]:
    """Addresses of databases with nothing in them, not even a book."""
    numbers = itertools.count(1)
    if request.param == "sqlite":
        yield lambda: str(tmp_path / f"blank-{next(numbers)}.db")
        return
    with ExitStack() as databases:
        yield lambda: databases.enter_context(blank_database(request.getfixturevalue("server")))


@contextmanager
def blank_database(server: str) -> Iterator[str]:
    """The address of a new, blank database on a server."""
    name = f"blank_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
