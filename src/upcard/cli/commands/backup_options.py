"""`upcard backup`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Book, Json, Key


def backup(
    book: Book,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The backup to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Verify the backup completely; exit 1 if anything is wrong.")
    ] = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Back up a book, even while the service is running. The operator's key is not included: store it separately."""
    from upcard.cli.commands.backup_run import back_up

    if not back_up(book, file, force=force, check=check, key=key, as_json=as_json):
        raise typer.Exit(1)
