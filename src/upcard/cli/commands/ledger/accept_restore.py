"""`upcard ledger accept-restore`: puts the checkpoints aside that a restored book no longer matches."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Checkpoints, Key


def accept_restore(
    book: Book,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Your name, for the log.")],
    key: Key = None,
    checkpoints: Checkpoints = None,
) -> None:
    """After an intended restore: put newer checkpoints aside, and log it. Nothing is deleted."""
    import secrets

    from upcard.cli.book_access import find_checkpoints, require_keyring
    from upcard.cli.output import counted, write_lines
    from upcard.ledger.journal import instant_text, utc_now
    from upcard.ledger.store import Store
    from upcard.people import People
    from upcard.problems import BadRequest
    from upcard.service.checkpoint_files import put_aside

    keyring = require_keyring(book, key)
    folder = find_checkpoints(checkpoints, keyring.path)
    if folder is None or not folder.is_dir():
        raise BadRequest("there is no folder of checkpoints: name it with --checkpoints")
    store = Store.open(book, keyring)
    try:
        with store.view() as unit:
            why = f"{by} accepted a restore of the book on {instant_text(utc_now())}"
            aside, moved = put_aside(folder, unit, keyring, why)
        if not moved:
            write_lines(f"The book matches every checkpoint in {folder}: nothing to do.")
            return
        people = People(store, clock=utc_now, entropy=secrets.token_bytes)
        people.accept_restore(by, checkpoints=len(moved), last=instant_text(moved[-1].at))
    finally:
        store.close()
    write_lines(f"{counted(len(moved), 'checkpoint')} put aside in {aside}; the people's log says so.")
