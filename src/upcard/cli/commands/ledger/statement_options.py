"""`upcard ledger statement`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json


def statement(
    book: Book,
    account: Annotated[
        str, typer.Argument(metavar="ACCOUNT", help="An account, such as player:Ann, tray:T1 or meter:LL.")
    ],
    since: Annotated[str | None, typer.Option(metavar="DAY", help="First gaming day, such as 2026-03-08.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Last gaming day.")] = None,
    as_json: Json = False,
) -> None:
    """Show an account line by line: opening balance, every movement with its reason, closing balance."""
    from upcard.cli.commands.ledger.statement_view import show_statement

    show_statement(book, account, since, until, as_json=as_json)
