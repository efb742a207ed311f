"""`upcard ledger`: its commands and options. Bodies import what they need when they run, so that --help stays quick."""

from typing import Annotated

import typer

app = typer.Typer(name="ledger", help="A book: checked, read, renewed.", add_completion=False)

Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book's file, or postgresql://...")]
Key = Annotated[str | None, typer.Option(metavar="FILE", help="The operator's key; else BOOK.key, if it is there.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def check(
    book: Book,
    checkpoint: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A checkpoint kept outside; repeatable.")
    ] = None,
    public_key: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="The operator's public key, or its file, to verify checkpoints; repeatable."),
    ] = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Recompute and verify everything from raw records; name the first thing wrong (exit 1).

    With the operator's key all seals are verified and the shoes on the tables replayed; without it the output says
    what was not verified."""
    from upcard.cli import books as view

    if not view.check(book, checkpoint or [], public_key or [], key, as_json=as_json):
        raise typer.Exit(1)


@app.command()
def checkpoint(
    book: Book,
    key: Key = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Write it to this file.")] = None,
) -> None:
    """Sign the last row of every chain: rows cut off or written again later no longer lead to it."""
    from upcard.cli import books as view

    view.write_checkpoint(book, key, out)


@app.command("public-key")
def public_key(book: Book, key: Key = None) -> None:
    """Print the public key with which an auditor verifies checkpoints."""
    from upcard.cli import books as view

    view.show_public_key(book, key)


@app.command("rotate-key")
def rotate_key(
    book: Book,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who does it, for the log.")],
    key: Key = None,
    lost: Annotated[bool, typer.Option("--lost", help="The old key is lost for good: begin with another.")] = False,
) -> None:
    """Seal the book with a new key from now on; both keys seal the change, and the old one stays in the key file."""
    from upcard.cli import books as view

    view.rotate(book, key, by, lost=lost)


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
    as_json: Json = False,
) -> None:
    """A gaming day: each table's chips and win, each jackpot's meters, and the checkpoint it was closed with."""
    from upcard.cli import books as view

    view.report(book, day, as_json=as_json)


@app.command()
def migrate(book: Book) -> None:
    """Bring a book to today's form; an address without a book gets an empty one."""
    from upcard.cli import books as view

    view.migrate(book)
