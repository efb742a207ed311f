"""Books to write in; every test that asks for `desk` or `new_book` runs on SQLite and on PostgreSQL."""

from collections.abc import Callable, Iterator

import pytest
from ledger.desk import Desk
from stores import NewAddress

from upcard.catalog import shipped
from upcard.ledger.book import Book, Clerk
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit

NewBook = Callable[[], Book]


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
