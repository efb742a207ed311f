"""`upcard ledger public-key`: the key that verifies checkpoints."""

from upcard.cli.options import Book, Key


def public_key(book: Book, key: Key = None) -> None:
    """Print the public key that auditors use to verify checkpoints."""
    from upcard.cli.book_access import open_book, require_keyring
    from upcard.cli.output import write_lines
    from upcard.ledger.sealing_key import last_row
    from upcard.problems import BadRequest

    keyring = require_keyring(book, key)
    with open_book(book) as unit:
        row = last_row(unit.connection)
    if row is None or keyring.find(row["id"]) is None:
        raise BadRequest("the key file does not hold this book's current key: name the right file with --key")
    write_lines(row["public_key"])
