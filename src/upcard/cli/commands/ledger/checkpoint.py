"""`upcard ledger checkpoint`: a signed checkpoint of the whole book."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Key


def checkpoint(
    book: Book,
    key: Key = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Write the checkpoint to this file.")] = None,
) -> None:
    """Sign the current end of every chain, so that rows deleted or rewritten later are detected."""
    import json
    from pathlib import Path

    from upcard.cli.book_access import open_book, require_keyring
    from upcard.cli.output import write_json, write_lines
    from upcard.ledger.journal import instant_text, utc_now
    from upcard.service.checkpoint import checkpoint as sign_checkpoint

    keyring = require_keyring(book, key)
    with open_book(book) as unit:
        signed = sign_checkpoint(unit, keyring, instant_text(utc_now()))
    if out is None:
        write_json(signed)
        return
    Path(out).write_text(json.dumps(signed, indent=2) + "\n", encoding="utf-8")
    write_lines(f"{out}: {sum(map(len, signed['heads'].values()))} chains, signed with key {signed['key']}")
