"""A book as text: every row of every table, one per line, in an order that does not depend on the database."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from upcard.ledger.migrations import upgrade
from upcard.ledger.store import Store

FIRST_FORM = "1.0001"
_NO_ROWS = ("alembic_version",)


def write_text(store: Store, path: Path) -> None:
    """Writes a book's rows to a file."""
    with store.view() as unit:
        tables = sa.MetaData()
        tables.reflect(unit.connection)
        lines = [
            json.dumps({"table": name, **row}, ensure_ascii=False)
            for name in sorted(tables.tables)
            if name not in _NO_ROWS
            for row in _rows(unit.connection, tables.tables[name])
        ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _rows(connection: sa.Connection, table: sa.Table) -> Iterable[dict[str, Any]]:
    rows = [dict(row) for row in connection.execute(sa.select(table)).mappings()]
    keys = [column.name for column in table.primary_key]
    return sorted(rows, key=lambda row: json.dumps([row[key] for key in keys]))


def read_text(path: Path, address: str, form: str = FIRST_FORM) -> None:
    """Makes a book of an earlier form out of a file, in an empty database, and brings it to today's form."""
    store = Store(address)
    upgrade(store.engine, form)
    tables = sa.MetaData()
    tables.reflect(store.engine)
    rows: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row.pop("table"), []).append(row)
    with store.engine.begin() as connection:
        for name, table_rows in rows.items():
            connection.execute(sa.insert(tables.tables[name]), table_rows)
    upgrade(store.engine)
    store.close()
