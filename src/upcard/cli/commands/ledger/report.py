"""`upcard ledger report`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json


def report(
    book: Book,
    day: Annotated[str | None, typer.Argument(metavar="[DAY]", help="A gaming day; left out: the last closed.")] = None,
    as_json: Json = False,
) -> None:
    """A gaming day: each table's chips and win, each jackpot's meters, and the checkpoint it was closed with."""
    from upcard.cli.commands.ledger.report_view import show_report

    show_report(book, day, as_json=as_json)
