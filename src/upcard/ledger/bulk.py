"""Reads and writes many rows in few statements, in the way that is fastest on each database.

SQLite's driver is fast with many small statements. PostgreSQL gets all rows as one JSON text, and parses it with the
types of the table.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar, cast

import orjson
import sqlalchemy as sa

from upcard.ledger.schema import Row

if TYPE_CHECKING:
    from psycopg import Connection, Pipeline

T = TypeVar("T")
AnyRow = TypeVar("AnyRow", bound=Row)
_AHEAD = "upcard_send_ahead"  # in the info of a connection


class Bulk:
    """Prepared statements on one table, or on some of its columns."""

    def __init__(self, table: sa.Table, key_name: str = "", only: Sequence[str] = ()) -> None:
        names = [column.name for column in table.columns if not only or column.name in only]
        columns = [f'"{name}"' for name in names]
        key = f'"{key_name}"' if key_name else columns[0]  # the column rows are found by
        others = [column for column in columns if column != key]
        named, new = ", ".join(columns), f"json_populate_recordset(null::{table.name}, %s::json)"
        key_at = columns.index(key)
        key_last = [*names[:key_at], *names[key_at + 1 :], names[key_at]]
        self._new_cells, self._changed_cells = itemgetter(*names), itemgetter(*key_last)
        marks = ", ".join("?" * len(names))
        self._insert = f"INSERT INTO {table.name} ({named}) VALUES ({marks})"
        self.insert_on_server = f"INSERT INTO {table.name} ({named}) SELECT {named} FROM {new}"
        self._update = f"UPDATE {table.name} SET {', '.join(f'{column} = ?' for column in others)} WHERE {key} = ?"
        self.update_on_server = (
            f"UPDATE {table.name} SET {', '.join(f'{column} = new.{column}' for column in others)}"
            f" FROM {new} AS new WHERE {table.name}.{key} = new.{key}"
        )
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
        if rows and connection.dialect.name == "postgresql":
            connection.exec_driver_sql(self.insert_on_server, (orjson.dumps(rows).decode(),))
        elif rows:
            connection.exec_driver_sql(self._insert, list(map(self._new_cells, rows)))

    def update(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Overwrites the rows with the same key."""
        if rows and connection.dialect.name == "postgresql":
            connection.exec_driver_sql(self.update_on_server, (orjson.dumps(rows).decode(),))
        elif rows:
            connection.exec_driver_sql(self._update, list(map(self._changed_cells, rows)))

    def find(self, connection: sa.Connection, keys: Sequence[str]) -> list[Row]:
        """The rows with these keys."""
        result = connection.exec_driver_sql(self._find[connection.dialect.name], (orjson.dumps(keys).decode(),))
        return [row._asdict() for row in result.all()]

    def hold(
        self, connection: sa.Connection, keys: Sequence[str], kind: Callable[..., T], columns: Sequence[str]
    ) -> list[T]:
        """Locks the rows with these keys, in order, and makes a value of some of their columns."""
        named = ", ".join(f'"{name}"' for name in columns)
        statement = f"SELECT {named} {self._from} {self._where[connection.dialect.name]}"
        return [kind(*row) for row in connection.exec_driver_sql(statement, (orjson.dumps(keys).decode(),)).all()]


class SendAhead:
    """Sends new and changed rows to PostgreSQL without waiting for it: it stores them while the next commands are
    carried out. Any other statement of the transaction waits for them first."""

    def __init__(self, connection: sa.Connection) -> None:
        self._driver: Connection = cast("Connection", connection.connection.driver_connection)
        self._pipeline: AbstractContextManager[Pipeline] | None = None
        connection.info[_AHEAD] = self

    def insert(self, bulk: Bulk, rows: list[AnyRow]) -> None:
        """Sends new rows, and removes them from the list."""
        self._send(bulk.insert_on_server, rows)
        rows.clear()

    def update(self, bulk: Bulk, rows: Sequence[Row]) -> None:
        """Sends changed rows, which must be locked."""
        self._send(bulk.update_on_server, rows)

    def _send(self, statement: str, rows: Sequence[Row]) -> None:
        if not rows:
            return
        if self._pipeline is None:
            self._pipeline = self._driver.pipeline()
            self._pipeline.__enter__()
        self._driver.execute(statement.encode(), (orjson.dumps(rows).decode(),))

    def wait(self) -> None:
        """Waits until everything is stored; raises the error of what could not be."""
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is None:
            return
        import psycopg  # loaded already: this is its connection

        try:
            pipeline.__exit__(None, None, None)
        except psycopg.Error as error:
            raise sa.exc.DBAPIError.instance("", {}, error, psycopg.Error) from error


def wait_for_rows_sent_ahead(connection: sa.Connection, *_statement: object) -> None:
    """Called before each statement on PostgreSQL."""
    ahead = connection.info.get(_AHEAD)
    if ahead is not None:
        ahead.wait()
