"""`upcard jackpots`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, OutputOptions, expand_options


@expand_options
def jackpots(
    book: Book,
    name: Annotated[str | None, typer.Argument(metavar="JACKPOT", help="One jackpot, to see its history.")] = None,
    *,
    output: OutputOptions,
) -> None:
    """Show the jackpot meters in a book; with a name, every change of that jackpot's meters."""
    from upcard.cli.commands.jackpots_view import show_jackpots

    show_jackpots(book, name, output.form)
