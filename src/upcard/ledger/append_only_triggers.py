"""Looks for the triggers that keep tables append-only. A migration creates them, and nobody should remove them.

A trigger that was replaced, disabled or given a condition counts as missing.
"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from upcard.ledger import schema

_TRIGGER_TYPES = {"UPDATE": 1 | 2 | 16, "DELETE": 1 | 2 | 8}  # pg_trigger.tgtype: before the change, for each row
_ACTION = "BEGIN SELECT RAISE(ABORT, 'upcard/only-grows'); END"
_TRIGGERS = sa.text(
    "SELECT t.tgname, c.relname, t.tgtype, p.prosrc FROM pg_trigger t "
    "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid "
    "WHERE pg_table_is_visible(c.oid) AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NULL "
    "AND cardinality(t.tgattr::int2[]) = 0"
)


def missing_triggers(
    connection: sa.Connection, tables: Sequence[sa.Table] = schema.APPEND_ONLY
) -> Iterator[tuple[str, str]]:
    """Each table, and the change to it (UPDATE or DELETE) that the database no longer refuses."""
    present = _postgresql(connection) if connection.dialect.name == "postgresql" else _sqlite(connection, tables)
    for table in tables:
        for change in _TRIGGER_TYPES:
            if (table.name, change) not in present:
                yield table.name, change


def _sqlite(connection: sa.Connection, tables: Sequence[sa.Table]) -> set[tuple[str, str]]:
    texts = set(connection.scalars(sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger'")))
    return {
        (table.name, change)
        for table in tables
        for change in _TRIGGER_TYPES
        if f"CREATE TRIGGER {table.name}_no_{change.lower()} BEFORE {change} ON {table.name} {_ACTION}" in texts
    }


def _postgresql(connection: sa.Connection) -> set[tuple[str, str]]:
    return {
        (row.relname, change)
        for row in connection.execute(_TRIGGERS)
        for change, trigger_type in _TRIGGER_TYPES.items()
        if row.tgname == f"{row.relname}_no_{change.lower()}"
        and row.tgtype == trigger_type
        and row.prosrc.strip() == "BEGIN RAISE EXCEPTION 'upcard/only-grows'; END"
    }
