"""`upcard backup`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json, Key


def backup(
    book: Book,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The copy.")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Run the whole check on the copy; exit 1 if it fails.")
    ] = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Copy a book, also while a service writes in it. The operator's key is not in the copy: keep it apart."""
    from upcard.cli.commands.backup_run import back_up

    if not back_up(book, file, force=force, check=check, key=key, as_json=as_json):
        raise typer.Exit(1)
