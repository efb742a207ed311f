"""Creates databases for the benchmarks and measures their contents: rows, bytes, bytes of indexes.

On PostgreSQL, bytes written are those of its log (WAL), which every commit waits for; pages written later are not
counted. On SQLite they are everything its process writes: its log, and the pages copied back from it.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psycopg

from bench.process_stats import family_cpu_seconds, written_bytes

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.postgres_server import USER, postgres

Kind = Literal["sqlite", "postgresql"]
KINDS: tuple[Kind, ...] = ("sqlite", "postgresql")

_ON_SQLITE = """SELECT tbl_name, sum(pgsize) FILTER (WHERE type = 'table'), sum(pgsize) FILTER (WHERE type = 'index')
    FROM sqlite_master JOIN dbstat USING (name) GROUP BY tbl_name"""
_ON_POSTGRESQL = "SELECT relname, pg_table_size(relid), pg_indexes_size(relid) FROM pg_stat_user_tables"


@dataclass(frozen=True)
class Size:
    """Rows and bytes of one database table."""

    rows: int = 0
    data: int = 0
    indexes: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(self.rows + other.rows, self.data + other.data, self.indexes + other.indexes)

    def __sub__(self, other: "Size") -> "Size":
        return Size(self.rows - other.rows, self.data - other.data, self.indexes - other.indexes)

    @property
    def bytes(self) -> int:
        """With the indexes."""
        return self.data + self.indexes


@dataclass
class Database:
    """A folder or server for new databases."""

    kind: Kind
    folder: Path
    server: int = 0  # the process of PostgreSQL

    def new(self, name: str) -> str:
        """The address of an empty database."""
        if self.kind == "sqlite":
            return str(self.folder / f"{name}.db")
        with psycopg.connect(host=str(self.folder), user=USER, dbname="postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def cpu_seconds(self) -> float:
        """Processor time of the database's own processes; SQLite has none."""
        return family_cpu_seconds(self.server) if self.server else 0.0

    def written(self) -> int:
        """Bytes written so far, by the server or (SQLite) by this process."""
        if self.kind == "sqlite":
            return written_bytes()
        with psycopg.connect(host=str(self.folder), user=USER, dbname="postgres") as connection:
            row = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchone()
        assert row is not None
        return int(row[0])


@contextmanager
def database(kind: Kind) -> Iterator[Database]:
    """A folder for SQLite files, or a private PostgreSQL server."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield Database(kind, Path(folder))
        return
    with postgres() as folder:
        process = (Path(folder) / "data" / "postmaster.pid").read_text().split()[0]
        yield Database(kind, Path(folder), int(process))


def sizes(address: str) -> dict[str, Size]:
    """The size of each table. The space of replaced rows counts too, until the database reuses it."""
    if address.startswith("postgresql://"):
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("VACUUM")
            return {
                name: Size(_count(connection.execute(f"SELECT count(*) FROM {name}").fetchone()), data, indexes)
                for name, data, indexes in connection.execute(_ON_POSTGRESQL).fetchall()
            }
    with closing(sqlite3.connect(address)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return {
            name: Size(_count(file.execute(f"SELECT count(*) FROM {name}").fetchone()), data or 0, indexes or 0)
            for name, data, indexes in file.execute(_ON_SQLITE).fetchall()
            if not name.startswith("sqlite_")
        }


def growth(before: Mapping[str, Size], after: Mapping[str, Size]) -> dict[str, Size]:
    return {name: now - before.get(name, Size()) for name, now in after.items()}


def total(of: Mapping[str, Size]) -> Size:
    return sum(of.values(), Size())


def _count(row: tuple[int] | None) -> int:
    assert row is not None
    return row[0]
