"""Looks for the triggers that keep tables append-only. Migrations create them, and nobody should remove them.

A trigger that was replaced, disabled or given a condition counts as missing. Any other trigger or rule on a table of
the book is foreign: it could change what is written on its way in.
"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from upcard.ledger import schema

_TRIGGER_TYPES = {  # pg_trigger.tgtype: before the change, for each row or for the statement
    "UPDATE": 1 | 2 | 16,
    "DELETE": 1 | 2 | 8,
    "TRUNCATE": 2 | 32,
}
_UNGUARDED = ("transfers", "REPLACE")  # see migration 0002
_ACTION = "BEGIN SELECT RAISE(ABORT, 'upcard/only-grows'); END"
_TRIGGERS = sa.text(
    "SELECT t.tgname, c.relname, t.tgtype, p.prosrc, "
    "t.tgenabled IN ('O', 'A') AND t.tgqual IS NULL AND cardinality(t.tgattr::int2[]) = 0 AS whole "
    "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid "
    "WHERE pg_table_is_visible(c.oid) AND NOT t.tgisinternal"
)
_RULES = sa.text(
    "SELECT r.rulename, c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class "
    "WHERE pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p') ORDER BY r.rulename"
)


def missing_triggers(
    connection: sa.Connection, tables: Sequence[sa.Table] = schema.APPEND_ONLY
) -> Iterator[tuple[str, str]]:
    """Each table, and the change to it (UPDATE, DELETE, REPLACE or TRUNCATE) that the database no longer refuses."""
    on_a_server = connection.dialect.name == "postgresql"
    present = _postgresql(connection) if on_a_server else _sqlite(connection, tables)
    for table in tables:
        for change in ("UPDATE", "DELETE", "TRUNCATE" if on_a_server else "REPLACE"):
            if (table.name, change) not in present and (table.name, change) != _UNGUARDED:
                yield table.name, change


def foreign_triggers(connection: sa.Connection, append_only: Sequence[sa.Table]) -> Iterator[str]:
    """What else acts when somebody writes in the book, in words: triggers and rules that are not the book's own."""
    own = {(table.name, name) for table in append_only for name in _names(table.name)}
    if connection.dialect.name != "postgresql":
        query = "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        for table, name in connection.exec_driver_sql(query):
            if (table, name) not in own:
                yield f"a trigger {name} on {table}"
        return
    for row in sorted(connection.execute(_TRIGGERS), key=lambda row: str(row.tgname)):
        if (row.relname, row.tgname) not in own:
            yield f"a trigger {row.tgname} on {row.relname}"
    for row in connection.execute(_RULES):
        yield f"a rule {row.rulename} on {row.relname}"
    role = connection.exec_driver_sql("SHOW session_replication_role").scalar()
    if role != "origin":
        yield f"a setting session_replication_role={role}, which disables triggers"


def _names(table: str) -> Iterator[str]:
    return (f"{table}_no_{change}" for change in ("update", "delete", "replace", "truncate"))


def _sqlite(connection: sa.Connection, tables: Sequence[sa.Table]) -> set[tuple[str, str]]:
    texts = set(connection.scalars(sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger'")))
    return {(table.name, change) for table in tables for change, text in _texts(table) if text in texts}


def _texts(table: sa.Table) -> Iterator[tuple[str, str]]:
    """The statements that created the triggers of a table, by what each refuses."""
    name = table.name
    for change in ("UPDATE", "DELETE"):
        yield change, f"CREATE TRIGGER {name}_no_{change.lower()} BEFORE {change} ON {name} {_ACTION}"
    taken = " OR ".join(
        f"EXISTS (SELECT 1 FROM {name} WHERE {' AND '.join(f'{column} = NEW.{column}' for column in key)})"
        for key in (("rowid",), *_keys(table))
    )
    yield "REPLACE", f"CREATE TRIGGER {name}_no_replace BEFORE INSERT ON {name} WHEN {taken} {_ACTION}"


def _keys(table: sa.Table) -> list[tuple[str, ...]]:
    """The primary key first, then the others in the order of their columns."""
    constraints = (constraint for constraint in table.constraints if isinstance(constraint, sa.UniqueConstraint))
    unique = [tuple(constraint.columns.keys()) for constraint in constraints]
    order = table.columns.keys()
    others = sorted(unique, key=lambda key: [order.index(column) for column in key])
    return [tuple(table.primary_key.columns.keys()), *others]


def _postgresql(connection: sa.Connection) -> set[tuple[str, str]]:
    return {
        (row.relname, change)
        for row in connection.execute(_TRIGGERS)
        for change, trigger_type in _TRIGGER_TYPES.items()
        if row.tgname == f"{row.relname}_no_{change.lower()}"
        and row.whole
        and row.tgtype == trigger_type
        and row.prosrc.strip() == "BEGIN RAISE EXCEPTION 'upcard/only-grows'; END"
    }
