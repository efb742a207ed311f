"""`upcard doctor`: the options."""

import typer

from upcard.cli.options import Book, Checkpoints, Json, Key


def doctor(book: Book, key: Key = None, checkpoints: Checkpoints = None, as_json: Json = False) -> None:
    """Check the health of a book and its service, and say what to fix; exit 1 if anything is bad."""
    from upcard.cli.commands.doctor_view import show_health

    if not show_health(book, key, checkpoints, as_json=as_json):
        raise typer.Exit(1)
