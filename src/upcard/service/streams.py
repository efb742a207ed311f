"""The streams of one transaction: their rows, locked in one order, moved on, and written back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard.ledger.bulk import Bulk
from upcard.ledger.journal import GENESIS
from upcard.service import schema

_COLUMNS = tuple(column.name for column in schema.streams.columns)
_HEAD = tuple(name for name in _COLUMNS if name != "snapshot")  # which is long, and seldom changes
_STREAMS, _HEADS = Bulk(schema.streams), Bulk(schema.streams, only=_HEAD)
_LOOK = sa.select(*(schema.streams.c[name] for name in _HEAD)).where(schema.streams.c.stream == sa.bindparam("name"))
_DROP = sa.delete(schema.streams).where(schema.streams.c.stream == sa.bindparam("name"))
_SNAPSHOT = sa.select(schema.streams.c.snapshot).where(schema.streams.c.stream == sa.bindparam("name"))


@dataclass
class Stream:
    """A stream's row, held."""

    stream: str
    version: int = 0
    hash: str = GENESIS
    snapshot_version: int = 0
    due: str | None = None
    refusals: int = 0
    refusals_hash: str = GENESIS
    changed: bool = False
    snapshot: str = ""  # where a new one is written

    @property
    def table(self) -> str:
        """The table whose stream this is."""
        return self.stream.partition(":")[2]


@dataclass(eq=False)
class Streams(dict[str, Stream]):
    """Streams by name."""

    _connection: sa.Connection
    _made: list[str] = field(default_factory=list)

    def hold(self, names: Sequence[str], founded: Sequence[str]) -> None:
        """Locks streams in one order; those that a command may found are made first."""
        if founded:
            self._make(founded)
        self.update((one.stream, one) for one in _STREAMS.hold(self._connection, names, Stream, _HEAD))

    def look(self, name: str) -> None:
        """Reads a stream without locking it."""
        row = self._connection.execute(_LOOK, {"name": name}).first()
        if row is not None:
            self[name] = Stream(*row)

    def stored_snapshot(self, name: str) -> str:
        """The snapshot that is stored."""
        return str(self._connection.execute(_SNAPSHOT, {"name": name}).scalar_one())

    def _make(self, names: Sequence[str]) -> None:
        """Rows to be held; what stays unused is taken away again, as if a refused command had never been asked."""
        insert = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        made = insert(schema.streams).on_conflict_do_nothing().returning(schema.streams.c.stream)
        empty = {"version": 0, "hash": GENESIS, "snapshot": "", "snapshot_version": 0}
        empty |= {"refusals": 0, "refusals_hash": GENESIS}
        for name in names:
            self._made += self._connection.scalars(made, {"stream": name, **empty})

    def flush(self) -> None:
        """Writes back what changed: a new record, or a refusal."""
        for name in self._made:
            if not self[name].changed:
                self._connection.execute(_DROP, {"name": name})
        changed = [one for one in self.values() if one.changed]
        heads = [{name: getattr(one, name) for name in _HEAD} for one in changed if not one.snapshot]
        _HEADS.update(self._connection, heads)
        whole = [{name: getattr(one, name) for name in _COLUMNS} for one in changed if one.snapshot]
        _STREAMS.update(self._connection, whole)
