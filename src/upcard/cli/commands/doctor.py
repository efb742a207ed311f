"""`upcard doctor`: the options."""

import typer

from upcard.cli.options import Book, Json, Key


def doctor(book: Book, key: Key = None, as_json: Json = False) -> None:
    """Check the health of a book and its service, and say what to fix; exit 1 if anything is bad."""
    from upcard.cli.commands.doctor_view import show_health

    if not show_health(book, key, as_json=as_json):
        raise typer.Exit(1)
