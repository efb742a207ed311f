"""Books to write in; every test that asks for `driver` or `new_book` runs on SQLite and on PostgreSQL."""

from collections.abc import Callable, Iterator

import pytest
from ledger.book_driver import MORNING, BookDriver
from support.empty_books import KEYRING, NewAddress, writing

from upcard.catalog import shipped
from upcard.ledger.book import Book, Clerk
from upcard.ledger.store import Store

NewBook = Callable[[], Book]


@pytest.fixture
def new_book(new_address: NewAddress) -> Iterator[NewBook]:
    """Empty books."""
    opened: list[Store] = []

    def book() -> Book:
        opened.append(Store.open(new_address(), KEYRING, lambda: MORNING))
        return Book(opened[-1], shipped())

    yield book
    for store in opened:
        store.close()


@pytest.fixture
def driver(new_book: NewBook) -> Iterator[BookDriver]:
    """A book written in one unit of work, as long as the test likes, and never kept."""
    book = new_book()
    with book.store.engine.connect() as connection, connection.begin() as transaction:
        yield BookDriver(book, clerk=Clerk(writing(connection), book.catalog))
        transaction.rollback()
