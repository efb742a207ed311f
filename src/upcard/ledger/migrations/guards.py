"""Triggers that keep the journal append-only: the database itself refuses to change or delete what was written."""

import sqlalchemy as sa

JOURNAL = ("entries", "transfers", "movements")


def add_guards(connection: sa.Connection) -> None:
    """Forbids UPDATE and DELETE on the journal's tables."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            sa.text(
                "CREATE FUNCTION journal_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'the journal only grows'; END $$"
            )
        )
    for table in JOURNAL:
        for change in ("UPDATE", "DELETE"):
            name = f"{table}_no_{change.lower()}"
            if connection.dialect.name == "postgresql":
                action = "FOR EACH ROW EXECUTE FUNCTION journal_only_grows()"
            else:
                action = "BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END"
            connection.execute(sa.text(f"CREATE TRIGGER {name} BEFORE {change} ON {table} {action}"))


def drop_guards(connection: sa.Connection) -> None:
    """Takes the triggers away again, for a migration that must."""
    for table in JOURNAL:
        for change in ("update", "delete"):
            on = f" ON {table}" if connection.dialect.name == "postgresql" else ""
            connection.execute(sa.text(f"DROP TRIGGER {table}_no_{change}{on}"))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("DROP FUNCTION journal_only_grows()"))
