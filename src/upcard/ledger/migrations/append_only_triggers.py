"""Triggers that keep records append-only: the database itself refuses to change or delete what was written."""

from collections.abc import Sequence

import sqlalchemy as sa

APPEND_ONLY = (  # of format 1
    "entries",
    "transfers",
    "movements",
    "rules",
    "keys",
    "history",
    "refusals",
    "rounds",
    "player_rounds",
    "people_log",
)


def add_triggers(connection: sa.Connection, tables: Sequence[str] = APPEND_ONLY) -> None:
    """Forbids UPDATE and DELETE on append-only tables."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            sa.text(
                "CREATE FUNCTION only_grows() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'upcard/only-grows'; END $$"
            )
        )
    for table in tables:
        forbid_changes(connection, table)


def forbid_changes(connection: sa.Connection, table: str) -> None:
    """Forbids UPDATE and DELETE on one more table; the function that PostgreSQL needs exists already."""
    for change in ("UPDATE", "DELETE"):
        name = f"{table}_no_{change.lower()}"
        if connection.dialect.name == "postgresql":
            action = "FOR EACH ROW EXECUTE FUNCTION only_grows()"
        else:
            action = "BEGIN SELECT RAISE(ABORT, 'upcard/only-grows'); END"
        connection.execute(sa.text(f"CREATE TRIGGER {name} BEFORE {change} ON {table} {action}"))


def forbid_replacing(connection: sa.Connection, table: str, keys: Sequence[str]) -> None:
    """Forbids INSERT OR REPLACE on SQLite and TRUNCATE on PostgreSQL, which fire no trigger for a change of a row.

    `keys` are the keys of the table, each as the names of its columns: a new row may share none of them with another.
    Without keys, SQLite guards nothing: the check finds a replaced row.
    """
    if connection.dialect.name == "postgresql":
        statement = (
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION only_grows()"
        )
    elif not keys:
        return
    else:
        taken = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE {' AND '.join(f'{name} = NEW.{name}' for name in key.split())})"
            for key in ("rowid", *keys)
        )
        statement = (
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN {taken} BEGIN SELECT RAISE(ABORT, 'upcard/only-grows'); END"
        )
    connection.execute(sa.text(statement))


def drop_triggers(connection: sa.Connection, tables: Sequence[str] = APPEND_ONLY) -> None:
    """Removes the triggers, for a migration that must."""
    for table in tables:
        for change in ("update", "delete"):
            on = f" ON {table}" if connection.dialect.name == "postgresql" else ""
            connection.execute(sa.text(f"DROP TRIGGER {table}_no_{change}{on}"))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("DROP FUNCTION only_grows()"))
