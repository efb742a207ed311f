"""`upcard catalog list`: every revision of a house's catalog."""

from typing import TYPE_CHECKING

from upcard.cli.options import Book, Json

if TYPE_CHECKING:
    from upcard.cli.output import Cell


def list_revisions(book: Book, as_json: Json = False) -> None:
    """List the revisions that were published, the newest first."""
    from upcard.cli.book_access import open_book
    from upcard.cli.output import counted, write_json, write_table
    from upcard.service.catalog_changes import published

    with open_book(book) as unit:
        revisions = published(unit)
    if as_json:
        names = {"number": "revision", "actor": "by"}
        write_json([{names.get(k, k): v for k, v in revision._asdict().items()} for revision in revisions])
        return
    rows: list[dict[str, Cell]] = [
        {
            "revision": revision.number,
            "published": revision.at[:16].replace("T", " "),
            "by": revision.actor,
            "files": revision.content[:12],
            "note": revision.note or (f"restores revision {revision.restores}" if revision.restores else ""),
        }
        for revision in revisions
    ]
    write_table(counted(len(rows), "revision"), rows, right=("revision",))
