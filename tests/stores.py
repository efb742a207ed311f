"""Empty books, on SQLite and on a real PostgreSQL: every test that asks for `new_address` runs on both."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from postgres import USER, postgres

from upcard.ledger.schema import metadata as book
from upcard.ledger.store import Store
from upcard.service.people.schema import metadata as people
from upcard.service.schema import metadata as service

NewAddress = Callable[[], str]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a book on a private server."""
    with postgres() as folder:
        address = f"postgresql://{USER}@/postgres?host={folder}"
        Store.create(address).close()
        yield address


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "empty.db"
    Store.create(str(path)).close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def new_address(request: pytest.FixtureRequest, tmp_path: Path) -> NewAddress:
    """Addresses of empty books; on the server it is one book, emptied each time."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("server")
        return lambda: emptied(address)
    empty: Path = request.getfixturevalue("empty_file")
    numbers = itertools.count(1)
    return lambda: str(shutil.copy(empty, tmp_path / f"{next(numbers)}.db"))


def emptied(address: str) -> str:
    """Only the master of a server can do this: the guards of the journal are set aside."""
    with psycopg.connect(address) as connection:
        connection.execute("SET session_replication_role = replica")
        for table in (*book.tables, *service.tables, *people.tables):
            connection.execute(f"DELETE FROM {table}")
    return address
