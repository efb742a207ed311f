"""The tables of one transaction: from the cache if it is current, otherwise replayed from records, or stopped."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from upcard.catalog.ruleset import Ruleset
from upcard.codes import Coded, CodedError
from upcard.ledger import rulesets
from upcard.ledger.journal import FLOOR, HOUSE
from upcard.problems import BadRequest
from upcard.service import schema
from upcard.service.live_table import LiveTable, table_from_snapshot
from upcard.service.new_rows import NewRows
from upcard.service.pending import Cache, Context
from upcard.service.records import check_hashes, replay_all
from upcard.service.refusals import RecordBroken, RecordProblem, ServiceRefusal, ServiceRefused
from upcard.service.shoe_keys import ShoeKeys
from upcard.service.streams import Stream, Streams

_log = logging.getLogger(__name__)

_RECORDS = (
    sa.select(schema.history).where(schema.history.c.stream == sa.bindparam("name")).order_by(schema.history.c.number)
)


@dataclass(eq=False)
class LiveTables(dict[str, LiveTable]):
    """The transaction's tables, by stream."""

    _cache: Cache
    _connection: sa.Connection
    _streams: Streams
    _keys: ShoeKeys

    def find(self, name: str) -> LiveTable | None:
        """A table's state; None if there is no table, or it is stopped."""
        if name in self:
            return self[name]
        stream = self._streams.get(name)
        if stream is None or name in (FLOOR, HOUSE) or not stream.version:
            return None
        stopped = self._cache.stopped
        if name in stopped and stopped[name][0] == stream.version:
            return None
        live = self._cache.lives.get(name)
        if live is None or live.version != stream.version:
            try:
                live = self._catch_up(stream, live)
            except sa.exc.SQLAlchemyError:
                raise  # a database error says nothing about the records
            except Exception as error:
                _log.error("%s is stopped: %s", name, error)
                self.stop(stream, _why_stopped(error))
                return None
            stopped.pop(name, None)
        self[name] = live
        return live

    def find_locked(self, names: Sequence[str]) -> dict[str, LiveTable]:
        """The states of tables whose rows are locked. A table that has fewer records than this process wrote is
        stopped: the database was restored meanwhile."""
        for name in names:
            live, stream = self._cache.lives.get(name), self._streams.get(name)
            if live is not None and stream is not None and live.version > stream.version:
                problem = RecordBroken(RecordProblem.WENT_BACK, known=live.version, count=stream.version)
                self.stop(stream, problem.coded)
        return {name: live for name in names if (live := self.find(name)) is not None}

    def stop(self, stream: Stream, why: Coded) -> None:
        """Stops a table whose records cannot be replayed, until the floor resets it."""
        self._cache.stopped[stream.stream] = (stream.version, why)
        self.pop(stream.stream, None)

    def stopped(self, name: str) -> ServiceRefused:
        """The refusal of commands at a stopped table."""
        why = self._cache.stopped[name][1]
        return ServiceRefused(ServiceRefusal.TABLE_STOPPED, table=name.partition(":")[2], why=why)

    def _catch_up(self, stream: Stream, live: LiveTable | None) -> LiveTable:
        """Replays the records since the cached state or the snapshot."""
        if live is None or not stream.snapshot_version <= live.version <= stream.version:
            live = self._from_snapshot(stream)
        version = live.version if live is not None else 0
        query = _RECORDS.where(schema.history.c.number >= version)
        records: Sequence[Mapping[str, Any]] = [
            row._asdict() for row in self._connection.execute(query, {"name": stream.stream})
        ]
        if version:
            before, records = records[:1], records[1:]
            if not before:
                raise RecordBroken(RecordProblem.RECORD_MISSING, number=version)
            last = check_hashes(records, before[0]["hash"])
        else:
            last = check_hashes(records)
        if last != stream.hash or version + len(records) != stream.version:
            raise RecordBroken(RecordProblem.RECORDS_INCOMPLETE, count=stream.version)
        replayed = replay_all(self.ruleset, self._keys.stored, live, records)
        if replayed is None:
            raise RecordBroken(RecordProblem.NO_RECORDS)
        return replayed

    def _from_snapshot(self, stream: Stream) -> LiveTable | None:
        if not stream.snapshot_version:
            return None
        written = self._streams.stored_snapshot(stream.stream)
        return table_from_snapshot(self.ruleset, self._keys.stored, stream.table, written, stream.snapshot_version)

    def ruleset(self, name: str) -> Ruleset:
        """Stored rules, by the hash that a record names."""
        try:
            ruleset_ = rulesets.find(self._connection, name)
        except ValueError:
            raise RecordBroken(RecordProblem.RULES_CHANGED, rules=name[:12]) from None
        except BadRequest:
            raise RecordBroken(RecordProblem.RULES_UNREADABLE, rules=name[:12]) from None
        if ruleset_ is None:
            raise RecordBroken(RecordProblem.RULES_MISSING, rules=name[:12])
        return ruleset_


def read_table(context: Context, connection: sa.Connection, name: str) -> LiveTable | None:
    """A table's current state without locking it; None if there is no such table."""
    streams = Streams(connection)
    streams.look(name)
    tables = LiveTables(context.cache, connection, streams, ShoeKeys(context, connection, NewRows()))
    live = tables.find(name)
    if live is None and name in context.cache.stopped:
        raise tables.stopped(name)
    return live


def _why_stopped(error: Exception) -> Coded:
    if isinstance(error, CodedError):
        return error.coded
    return RecordBroken(RecordProblem.UNREADABLE_RECORDS, error=type(error).__name__).coded
