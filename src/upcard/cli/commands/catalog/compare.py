"""`upcard catalog compare`: how two revisions differ, file by file."""

from typing import Annotated

import typer

from upcard.cli.commands.catalog.options import Revision
from upcard.cli.options import Book, Json


def compare(
    book: Book,
    before: Revision,
    after: Annotated[
        int | None, typer.Argument(metavar="REVISION", min=0, help="Another revision; by default the newest.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how two revisions differ, file by file."""
    from upcard.cli.book_access import open_book
    from upcard.cli.output import write_json, write_lines, write_plain
    from upcard.service import catalog_changes

    with open_book(book) as unit:
        revisions = catalog_changes.published(unit)
        newest = revisions[0].number if revisions else 0
        last = newest if after is None else after
        changes = catalog_changes.compare(catalog_changes.files_of(unit, before), catalog_changes.files_of(unit, last))
    if as_json:
        write_json(changes)
        return
    if not changes:
        write_lines(f"Revisions {before} and {last} have the same files.")
    for change in changes:
        write_plain(f"{change['path']}: {change['change']}", *change["diff"].splitlines(), "")
