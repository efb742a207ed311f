"""`upcard restore`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Checkpoints, Json, Key


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file made by upcard backup.")],
    book: Annotated[str, typer.Argument(metavar="BOOK", help="Where to put the book.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing book and keep it as BOOK.before.")
    ] = False,
    key: Key = None,
    checkpoints: Checkpoints = None,
    as_json: Json = False,
) -> None:
    """Verify a backup and put it in place as the book; a damaged backup changes nothing."""
    from upcard.cli.commands.restore_run import restore_book

    restore_book(file, book, force=force, key=key, checkpoints=checkpoints, as_json=as_json)
