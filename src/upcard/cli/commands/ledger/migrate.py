"""`upcard ledger migrate`: a book brought to the current format."""

from upcard.cli.options import Book


def migrate(book: Book) -> None:
    """Upgrade a book to the current format, or create an empty one. A book file is copied first."""
    from upcard.cli.output import write_lines
    from upcard.ledger.store import Store

    store = Store.create(book, on_a_server=True)
    form = store.revision()
    store.close()
    write_lines(f"{book}: format {form}")
