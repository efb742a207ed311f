"""`upcard restore`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Json, Key


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A copy made by upcard backup.")],
    book: Annotated[str, typer.Argument(metavar="BOOK", help="Where the book belongs.")],
    force: Annotated[
        bool, typer.Option("--force", help="Put it in the place of a book, which is kept as BOOK.before.")
    ] = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Check a copy and make it the book again; a copy that is not sound changes nothing."""
    from upcard.cli.commands.restore_run import restore_book

    restore_book(file, book, force=force, key=key, as_json=as_json)
