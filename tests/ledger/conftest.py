"""Books to write in, on SQLite and on a real PostgreSQL; every test that asks for `desk` or `new_book` runs on both."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from ledger.desk import Desk
from postgres import USER, postgres

from upcard.catalog import shipped
from upcard.ledger.book import Book, Clerk
from upcard.ledger.schema import metadata
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit

NewAddress = Callable[[], str]
NewBook = Callable[[], Book]


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
        for table in metadata.tables:
            connection.execute(f"DELETE FROM {table}")
    return address


@pytest.fixture
def new_book(new_address: NewAddress) -> Iterator[NewBook]:
    """Empty books."""
    opened: list[Store] = []

    def book() -> Book:
        opened.append(Store.open(new_address()))
        return Book(opened[-1], shipped())

    yield book
    for store in opened:
        store.close()


@pytest.fixture
def desk(new_book: NewBook) -> Iterator[Desk]:
    """A book written in one unit of work, as long as the test likes, and never kept."""
    book = new_book()
    with book.store.engine.connect() as connection, connection.begin() as transaction:
        yield Desk(book, clerk=Clerk(Unit(connection), book.catalog))
        transaction.rollback()
