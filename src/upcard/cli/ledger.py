"""`upcard ledger`: its commands and options. Bodies import what they need when they run, so that --help stays quick."""

from typing import Annotated

import typer

app = typer.Typer(name="ledger", help="A book: checked, read, renewed.", add_completion=False)

Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book's file, or postgresql://...")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def check(
    book: Book,
    checkpoint: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A checkpoint kept outside; repeatable.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="FILE", help="The operator's key, to replay the shoes on the tables too.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make chains, balances, meters, rounds and tables again from raw records; name the first thing wrong (exit 1)."""
    from upcard.cli import books as view

    if not view.check(book, checkpoint or [], key, as_json=as_json):
        raise typer.Exit(1)


@app.command()
def statement(
    book: Book,
    account: Annotated[str, typer.Argument(help="An account, like player:Ann, tray:T1 or meter:LL.")],
    since: Annotated[str | None, typer.Option(metavar="DAY", help="From this gaming day on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Up to this gaming day.")] = None,
    as_json: Json = False,
) -> None:
    """An account line by line: opening, every movement with its reason, closing."""
    from upcard.cli import books as view

    view.statement(book, account, since, until, as_json=as_json)


@app.command()
def report(
    book: Book,
    day: Annotated[str | None, typer.Argument(metavar="[DAY]", help="A gaming day; left out: the last closed.")] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the day's checkpoint, to keep it outside.")
    ] = None,
    as_json: Json = False,
) -> None:
    """A gaming day: each table's chips and win, each jackpot's meters, and the checkpoint it was closed with."""
    from upcard.cli import books as view

    view.report(book, day, checkpoint, as_json=as_json)


@app.command()
def migrate(book: Book) -> None:
    """Bring a book to today's form; an address without a book gets an empty one."""
    from upcard.cli import books as view

    view.migrate(book)
