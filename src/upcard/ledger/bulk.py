"""Reads and writes many rows in few statements, in the way that is fastest on each database.

SQLite's driver is fast with many small statements. PostgreSQL gets all rows as one JSON text, and parses it with the
types of the table.
"""

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

import sqlalchemy as sa

from upcard.ledger.schema import Row

_text = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode

T = TypeVar("T")


class Bulk:
    """Prepared statements on one table, or on some of its columns."""

    def __init__(self, table: sa.Table, key_name: str = "", only: Sequence[str] = ()) -> None:
        names = [column.name for column in table.columns if not only or column.name in only]
        columns = [f'"{name}"' for name in names]
        key = f'"{key_name}"' if key_name else columns[0]  # the column rows are found by
        others = [column for column in columns if column != key]
        named, new = ", ".join(columns), f"json_populate_recordset(null::{table.name}, %s::json)"
        marks = ", ".join(f":{name}" for name in names)
        self._insert = {
            "sqlite": f"INSERT INTO {table.name} ({named}) VALUES ({marks})",
            "postgresql": f"INSERT INTO {table.name} ({named}) SELECT {named} FROM {new}",
        }
        self._update = {
            "sqlite": f"UPDATE {table.name} SET "
            f"{', '.join(f'{column} = :{column.strip(chr(34))}' for column in others)}"
            f" WHERE {key} = :{key.strip(chr(34))}",
            "postgresql": f"UPDATE {table.name} SET {', '.join(f'{column} = new.{column}' for column in others)}"
            f" FROM {new} AS new WHERE {table.name}.{key} = new.{key}",
        }
        self._where = {
            "sqlite": f"WHERE {key} IN (SELECT value FROM json_each(?)) ORDER BY {key}",
            # In Python's sort order, whatever the server's collation is.
            "postgresql": f"WHERE {key} IN (SELECT json_array_elements_text(%s::json))"
            f' ORDER BY {key} COLLATE "C" FOR UPDATE OF {table.name}',
        }
        find = f"SELECT {named} FROM {table.name} WHERE {key} IN"
        self._find = {
            "sqlite": f"{find} (SELECT value FROM json_each(?))",
            "postgresql": f"{find} (SELECT json_array_elements_text(%s::json))",
        }
        self._from = f"FROM {table.name}"

    def insert(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        if rows:
            name = connection.dialect.name
            connection.exec_driver_sql(self._insert[name], (_text(rows),) if name == "postgresql" else list(rows))

    def update(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Overwrites the rows with the same key."""
        if rows:
            name = connection.dialect.name
            connection.exec_driver_sql(self._update[name], (_text(rows),) if name == "postgresql" else list(rows))

    def find(self, connection: sa.Connection, keys: Sequence[str]) -> list[Row]:
        """The rows with these keys."""
        result = connection.exec_driver_sql(self._find[connection.dialect.name], (_text(keys),))
        return [row._asdict() for row in result.all()]

    def hold(
        self, connection: sa.Connection, keys: Sequence[str], kind: Callable[..., T], columns: Sequence[str]
    ) -> list[T]:
        """Locks the rows with these keys, in order, and makes a value of some of their columns."""
        named = ", ".join(f'"{name}"' for name in columns)
        statement = f"SELECT {named} {self._from} {self._where[connection.dialect.name]}"
        return [kind(*row) for row in connection.exec_driver_sql(statement, (_text(keys),)).all()]
