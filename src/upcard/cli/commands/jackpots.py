"""`upcard jackpots`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json


def jackpots(
    book: Book,
    name: Annotated[str | None, typer.Argument(metavar="[JACKPOT]", help="One jackpot, with its history.")] = None,
    as_json: Json = False,
) -> None:
    """The meters of a book's jackpots; of one, every movement from its opening to now."""
    from upcard.cli.commands.jackpots_view import show_jackpots

    show_jackpots(book, name, as_json=as_json)
