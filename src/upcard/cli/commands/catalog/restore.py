"""`upcard catalog restore`: an earlier revision's files are published again."""

from upcard.cli.commands.catalog.options import By, Note, Revision, Second
from upcard.cli.options import Book, Key


def restore(book: Book, revision: Revision, by: By, second: Second = "", note: Note = "", key: Key = None) -> None:
    """Publish the files of an earlier revision again, as the next revision."""
    from upcard.cli.commands.catalog.publish_run import Publisher, publish_proposal
    from upcard.service.publishing import propose_restoring

    publisher = Publisher(book=book, key=key, by=by, second=second, note=note, restores=revision)
    publish_proposal(publisher, lambda desk: propose_restoring(desk, revision))
