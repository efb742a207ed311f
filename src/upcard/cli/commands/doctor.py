"""`upcard doctor`: the options."""

import typer

from upcard.cli.options import Book, Json, Key


def doctor(book: Book, key: Key = None, as_json: Json = False) -> None:
    """Look a book and its service over: settings, guards, clock, disk, key, tables; exit 1 when something is bad."""
    from upcard.cli.commands.doctor_view import show_health

    if not show_health(book, key, as_json=as_json):
        raise typer.Exit(1)
