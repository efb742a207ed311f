"""`upcard ledger migrate`: a book brought to today's form."""

from upcard.cli.options import Book


def migrate(book: Book) -> None:
    """Bring a book to today's form; an address without a book gets an empty one."""
    from upcard.cli.output import write_lines
    from upcard.ledger.store import Store

    store = Store.create(book)
    form = store.revision()
    store.close()
    write_lines(f"{book}: a book of form {form}")
