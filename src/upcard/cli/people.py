"""`upcard people`: its commands and options. Bodies import what they need when they run, so that --help stays quick."""

from typing import Annotated

import typer

app = typer.Typer(name="people", help="The people of a house: who they are and what they may do.", add_completion=False)

Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book's file, or postgresql://...")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A person's name.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who of the floor asks; his password is read.")]
Key = Annotated[str | None, typer.Option("--key", metavar="FILE", help="The operator's key; else BOOK.key.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def everybody(book: Book, as_json: Json = False) -> None:
    """Everybody, with roles."""
    from upcard.cli import staff as view

    view.everybody(book, as_json=as_json)


@app.command("set-up")
def set_up(book: Book, key: Key = None) -> None:
    """A one-time token for the first account of the floor, good for a day; an earlier one is no longer good."""
    from upcard.cli import staff as view

    view.set_up(book, key)


@app.command()
def invite(
    book: Book,
    name: Name,
    by: By,
    role: Annotated[list[str], typer.Option("--role", help="A role, like dealer; repeatable.")],
    key: Key = None,
) -> None:
    """A one-time token with which a new person comes in and chooses a password."""
    from upcard.cli import staff as view

    view.invite(book, name, role, by, key)


@app.command()
def disable(book: Book, name: Name, by: By, key: Key = None) -> None:
    """Nobody comes in under this name any more, and who is in is out."""
    from upcard.cli import staff as view

    view.disable(book, name, by, key)


@app.command("way-back")
def account_recovery(
    book: Book,
    name: Name,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who of the floor asks; without it, the operator.")
    ] = "",
    key: Key = None,
) -> None:
    """A one-time token for somebody who lost his password or authenticator, good for an hour."""
    from upcard.cli import staff as view

    view.account_recovery(book, name, by, key)
