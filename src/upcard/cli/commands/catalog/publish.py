"""`upcard catalog publish`: a workspace becomes the next revision of a house's catalog."""

from typing import Annotated

import typer

from upcard.cli.commands.catalog.options import By, Note, Second
from upcard.cli.options import Book, Key


def publish(
    book: Book,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The workspace: a folder of catalog files.")],
    by: By,
    second: Second = "",
    note: Note = "",
    key: Key = None,
) -> None:
    """Publish a workspace in a book. Tables take it after their shoes; a layout in use needs a second person."""
    from pathlib import Path

    from upcard.catalog.workspace_files import files_in
    from upcard.cli.commands.catalog.publish_run import Publisher, publish_proposal
    from upcard.service.publishing import propose

    files = files_in(Path(folder))
    publisher = Publisher(book=book, key=key, by=by, second=second, note=note)
    publish_proposal(publisher, lambda desk: propose(desk, files))
