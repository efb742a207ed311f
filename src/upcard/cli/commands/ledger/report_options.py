"""`upcard ledger report`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, OutputOptions, expand_options


@expand_options
def report(
    book: Book,
    day: Annotated[
        str | None, typer.Argument(metavar="DAY", help="A gaming day (default: the last one closed).")
    ] = None,
    *,
    output: OutputOptions,
) -> None:
    """Show a gaming day: each table's chips and win, each jackpot's meters, and the day's checkpoint."""
    from upcard.cli.commands.ledger.report_view import show_report

    show_report(book, day, output.form)
