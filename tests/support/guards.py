"""Sets the triggers of append-only tables aside, as somebody who owns the database can, and puts them back."""

import sqlalchemy as sa

from upcard.ledger import schema as book
from upcard.people import schema as people
from upcard.service import schema as service

APPEND_ONLY = (*book.APPEND_ONLY, *service.APPEND_ONLY, *people.APPEND_ONLY)


def set_guards_aside(connection: sa.Connection) -> list[str]:
    """Removes or disables every trigger; returns the statements that put them back."""
    if connection.dialect.name == "postgresql":
        for table in APPEND_ONLY:
            connection.execute(sa.text(f"ALTER TABLE {table.name} DISABLE TRIGGER USER"))
        return [f"ALTER TABLE {table.name} ENABLE TRIGGER USER" for table in APPEND_ONLY]
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    triggers = [(str(name), str(statement)) for name, statement in connection.exec_driver_sql(query)]
    for name, _ in triggers:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    return [statement for _, statement in triggers]


def put_guards_back(connection: sa.Connection, statements: list[str]) -> None:
    for statement in statements:
        connection.exec_driver_sql(statement)
