"""`upcard ledger check`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json, Key


def check(
    book: Book,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="A checkpoint that was kept outside the book, or a folder of them; repeatable."
        ),
    ] = None,
    public_key: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY", help="The operator's public key, or a file with it, to verify checkpoints; repeatable."
        ),
    ] = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Recompute and verify everything in a book; report the first thing wrong (exit 1).

    With the operator's key, all seals are verified and live shoes are replayed; without it, the output says what was
    not verified."""
    from upcard.cli.commands.ledger.check_run import show_ledger_check

    if not show_ledger_check(book, checkpoint or [], public_key or [], key, as_json=as_json):
        raise typer.Exit(1)
