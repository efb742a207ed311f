"""Stored files of the house's catalog: each set of files once, under the hash of its text. Rows are only added."""

from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard import formats
from upcard.catalog.ruleset import hash_of
from upcard.catalog.workspace_files import Files, read_files, written_files
from upcard.ledger import schema
from upcard.ledger.chains import request_of
from upcard.ledger.journal import HOUSE
from upcard.ledger.requests import PublishCatalog

_W, _E = schema.workspaces.c, schema.entries.c
_FIND = sa.select(_W.text, _W.format).where(_W.hash == sa.bindparam("hash"))
_PUBLISHED = (
    sa.select(_E.format, _E.at, _E.actor, _E.request, _E.command)
    .where(_E.chain == HOUSE, _E.request.like('%"order":"publish-catalog"%'))
    .order_by(_E.number)
)


class Revision(NamedTuple):
    """A published revision of the house's catalog."""

    number: int
    content: str  # the hash of its files
    at: str
    actor: str
    note: str
    restores: int  # the earlier revision whose files these are; 0: none
    command: str  # the id under which it was published


def find(connection: sa.Connection, content: str) -> Files | None:
    """The files with this hash; None: this book does not have them. ValueError where the text was changed."""
    row = connection.execute(_FIND, {"hash": content}).first()
    if row is None:
        return None
    if hash_of(row.text) != content:
        raise ValueError(f"the stored files {content[:12]} were changed")
    return read_files(row.text, row.format)


def keep(connection: sa.Connection, files: Files) -> str:
    """Stores files, unless they are stored already; returns their hash."""
    text = written_files(files)
    content = hash_of(text)
    row = {"hash": content, "format": formats.FORMAT, "text": text}
    if not is_kept(connection, content):  # looked up first: a guard refuses a row that is there
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        connection.execute(insert(schema.workspaces).on_conflict_do_nothing(), row)
    return content


def is_kept(connection: sa.Connection, content: str) -> bool:
    """Whether this book has the files with this hash."""
    return connection.execute(_FIND, {"hash": content}).first() is not None


def revisions(connection: sa.Connection) -> Iterator[Revision]:
    """Every revision that was published, the first one first."""
    for row in connection.execute(_PUBLISHED):
        request = request_of(HOUSE, row.request, row.format)
        if isinstance(request, PublishCatalog):
            yield Revision(
                number=request.revision,
                content=request.content,
                at=row.at,
                actor=row.actor,
                note=request.note,
                restores=request.restores,
                command=row.command,
            )
