"""The streams of one transaction: their rows are locked in one order, changed and written back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard.ledger.bulk import Bulk, SendAhead
from upcard.ledger.journal import GENESIS
from upcard.ledger.schema import Row
from upcard.service import schema
from upcard.service.high_water import Head

_COLUMNS = tuple(str(column.name) for column in schema.streams.columns)
_HEAD = tuple(name for name in _COLUMNS if name != "snapshot")  # it is long and seldom changes
_STREAMS, _HEADS = Bulk(schema.streams), Bulk(schema.streams, only=_HEAD)
_LOOK = sa.select(*(schema.streams.c[name] for name in _HEAD)).where(schema.streams.c.stream == sa.bindparam("name"))
_DROP = sa.delete(schema.streams).where(schema.streams.c.stream == sa.bindparam("name"))
_SNAPSHOT = sa.select(schema.streams.c.snapshot).where(schema.streams.c.stream == sa.bindparam("name"))


@dataclass
class Stream:
    """A stream's locked row."""

    stream: str
    version: int = 0
    hash: str = GENESIS
    snapshot_version: int = 0
    due: str | None = None
    refusals: int = 0
    refusals_hash: str = GENESIS
    changed: bool = False  # since it was read or written
    written: bool = False  # or sent to a server
    snapshot: str = ""  # a new one to write

    @property
    def table(self) -> str:
        return self.stream.partition(":")[2]


@dataclass(eq=False)
class Streams(dict[str, Stream]):
    """The transaction's streams, by name."""

    _connection: sa.Connection
    _made: list[str] = field(default_factory=list)

    def hold(self, names: Sequence[str], founded: Sequence[str]) -> None:
        """Locks streams in one order; inserts those that a command may create first."""
        if founded:
            self._make(founded)
        self.update((stream.stream, stream) for stream in _STREAMS.hold(self._connection, names, Stream, _HEAD))

    def look(self, name: str) -> None:
        """Reads a stream without locking it."""
        row = self._connection.execute(_LOOK, {"name": name}).first()
        if row is not None:
            self[name] = Stream(*row)

    def stored_snapshot(self, name: str) -> str:
        return str(self._connection.execute(_SNAPSHOT, {"name": name}).scalar_one())

    def _make(self, names: Sequence[str]) -> None:
        """Inserts rows so that they can be locked; those that stay unused are deleted again."""
        insert = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        statement = insert(schema.streams).on_conflict_do_nothing().returning(schema.streams.c.stream)
        empty = {"version": 0, "hash": GENESIS, "snapshot": "", "snapshot_version": 0}
        empty |= {"refusals": 0, "refusals_hash": GENESIS}
        for name in names:
            self._made += self._connection.scalars(statement, {"stream": name, **empty})

    def new_heads(self) -> Iterator[Head]:
        """The last record of each stream that got one."""
        return (
            Head(name, stream.version, stream.hash) for name, stream in self.items() if stream.changed or stream.written
        )

    def flush(self) -> None:
        """Writes changed rows back."""
        for name in self._made:
            if not (self[name].changed or self[name].written):
                self._connection.execute(_DROP, {"name": name})
        for bulk, rows in self._take_changed():
            bulk.update(self._connection, rows)

    def send(self, ahead: SendAhead) -> None:
        """Sends the rows changed so far to a server, which stores them meanwhile."""
        for bulk, rows in self._take_changed():
            ahead.update(bulk, rows)

    def _take_changed(self) -> tuple[tuple[Bulk, list[Row]], ...]:
        """The changed rows, without and with a new snapshot; from now on they count as written."""
        heads: list[Row] = []
        with_snapshots: list[Row] = []
        for stream in self.values():
            if stream.changed:
                row = vars(stream).copy()
                del row["changed"], row["written"]
                if not row["snapshot"]:
                    del row["snapshot"]
                (with_snapshots if stream.snapshot else heads).append(row)
                stream.changed, stream.written, stream.snapshot = False, True, ""
        return (_HEADS, heads), (_STREAMS, with_snapshots)
