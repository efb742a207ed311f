"""`upcard ledger rotate-key`: a new operator's key for a book."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Key


def rotate_key(
    book: Book,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Your name, for the log.")],
    key: Key = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="The old key is lost for good: start over with a new one.")
    ] = False,
) -> None:
    """Seal the book with a new operator's key from now on; the old key stays in the key file."""
    from pathlib import Path

    from upcard.cli.book_access import require_keyring
    from upcard.cli.output import write_lines
    from upcard.ledger.journal import utc_now
    from upcard.ledger.store import Store, without_password
    from upcard.service.key_rotation import rotate_key as rotate
    from upcard.service.running import keyring_beside

    path = None if key is None else Path(key)
    keyring = keyring_beside(book, path, replaced=True) if lost else require_keyring(book, key)
    store = Store.open(book, keyring)
    try:
        new = rotate(store, utc_now(), by, lost=lost)
    finally:
        store.close()
    write_lines(f"Key {new['number']}, {new['id']}, now seals {without_password(book)}; it is in {keyring.path}.")
    if lost:
        write_lines("Nothing sealed with the lost key can be verified any more: review upcard people list.")
        write_lines("Shoes in play were encrypted with it: reset the tables that are stopped.")
        write_lines("So were everybody's authenticators: send each person with one the link that upcard people recover")
        write_lines("prints; they set up a new one with it.")
    else:
        write_lines("Keep the old key in the file: it verifies older records.")
    write_lines(f"Give auditors the new public key: {new['public_key']}")
