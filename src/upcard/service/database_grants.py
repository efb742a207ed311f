"""What a PostgreSQL role needs to run the service on tables that another role owns.

It may add to append-only tables and read them, and no more: it cannot remove their triggers, truncate them or change
their rows, whatever happens to the service. The owner runs migrations and rotates keys.
"""

from collections.abc import Iterator

import sqlalchemy as sa

from upcard.ledger import schema as book
from upcard.people import schema as people
from upcard.service import schema

_DELETED_FROM = (people.invitations, people.sessions, people.tickets, people.sign_in_attempts)
_APPEND_ONLY = (*book.APPEND_ONLY, *schema.APPEND_ONLY, *people.APPEND_ONLY)
_VERSION = "alembic_version"  # the schema's


def grants(role: str, in_schema: str = "public") -> Iterator[str]:
    """The statements that the owner of the tables runs, in the book's database."""
    name = _quoted(role)
    yield f"GRANT USAGE ON SCHEMA {_quoted(in_schema)} TO {name};"
    yield f"GRANT SELECT ON {_VERSION} TO {name};"
    tables = [table for metadata in (book, schema, people) for table in metadata.metadata.sorted_tables]
    for rights in ("SELECT, INSERT", "SELECT, INSERT, UPDATE", "SELECT, INSERT, UPDATE, DELETE"):
        names = sorted(table.name for table in tables if _rights(table) == rights)
        yield f"GRANT {rights} ON {', '.join(names)} TO {name};"


def _rights(table: sa.Table) -> str:
    if table in _APPEND_ONLY:
        return "SELECT, INSERT"
    return "SELECT, INSERT, UPDATE, DELETE" if table in _DELETED_FROM else "SELECT, INSERT, UPDATE"


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
