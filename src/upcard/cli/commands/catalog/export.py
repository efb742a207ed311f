"""`upcard catalog export`: the files of a revision, as a folder."""

from typing import Annotated

import typer

from upcard.cli.options import Book


def export(
    book: Book,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    revision: Annotated[
        int | None, typer.Option("--revision", metavar="NUMBER", min=1, help="By default the newest.")
    ] = None,
) -> None:
    """Write the files of a revision into a folder, to edit and publish them again."""
    from pathlib import Path

    from upcard.cli.book_access import open_book
    from upcard.cli.output import counted, write_lines
    from upcard.problems import BadRequest
    from upcard.service.catalog_changes import files_of, published

    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadRequest(f"{folder} exists already; choose a new or empty folder")
    with open_book(book) as unit:
        revisions = published(unit)
        if not revisions:
            raise BadRequest("nothing was published in this book yet")
        number = revisions[0].number if revision is None else revision
        files = files_of(unit, number)
    for path, text in files.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text, encoding="utf-8", newline="")
    write_lines(f"Revision {number}: {counted(len(files), 'file')} in {folder}")
