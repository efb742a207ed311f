"""`upcard ledger statement`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json


def statement(
    book: Book,
    account: Annotated[str, typer.Argument(help="An account, like player:Ann, tray:T1 or meter:LL.")],
    since: Annotated[str | None, typer.Option(metavar="DAY", help="From this gaming day on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Up to this gaming day.")] = None,
    as_json: Json = False,
) -> None:
    """An account line by line: opening, every movement with its reason, closing."""
    from upcard.cli.commands.ledger.statement_view import show_statement

    show_statement(book, account, since, until, as_json=as_json)
