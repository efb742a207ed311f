"""What one transaction of the desk has read and locked: its tables, caught up with, and the keys of their shoes."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard.cards.shoe import KEY_BYTES, commitment
from upcard.catalog.ruleset import Ruleset
from upcard.codes import Coded, CodedError
from upcard.ledger import rulesets
from upcard.ledger.accounts import Kind
from upcard.ledger.batch_unit import BatchUnit
from upcard.ledger.book import Clerk
from upcard.ledger.bulk import Bulk
from upcard.ledger.chains import state_of
from upcard.ledger.journal import GENESIS, HOUSE, jackpot_chain, table_chain
from upcard.ledger.outcome import account
from upcard.ledger.record import Record
from upcard.ledger.tables import TableState
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import LiveTable, restored
from upcard.service.pending import Context, PendingCommand
from upcard.service.records import check_hashes, replay_all
from upcard.service.refusals import RecordBroken, RecordProblem, ServiceRefusal, ServiceRefused

_log = logging.getLogger(__name__)

_MAY_DEAL = (  # or end a hand
    s.Deal
    | s.Ready
    | s.Timeout
    | s.Leave
    | s.Away
    | s.SitOut
    | s.Hit
    | s.Stay
    | s.Double
    | s.Split
    | s.Surrender
    | s.Insure
    | s.DeclineInsurance
    | s.EvenMoney
    | s.Settle
    | s.Void
)

_STREAM = tuple(column.name for column in schema.streams.columns)
_HEAD = tuple(name for name in _STREAM if name != "snapshot")  # which is long, and seldom changes


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

    def row(self) -> dict[str, Any]:
        """As it is written."""
        return {name: getattr(self, name) for name in (_STREAM if self.snapshot else _HEAD)}


@dataclass
class Rows:
    """What will be written in bulk."""

    history: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[dict[str, Any]] = field(default_factory=list)
    shoes: list[dict[str, Any]] = field(default_factory=list)
    begun: list[dict[str, Any]] = field(default_factory=list)
    revealed: list[dict[str, Any]] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    player_rounds: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lists(self) -> tuple[list[dict[str, Any]], ...]:
        """All of them."""
        return self.history, self.refusals, self.shoes, self.begun, self.revealed, self.rounds, self.player_rounds


class Held:
    """The tables of one transaction, and the rows it is going to write."""

    def __init__(self, means: Context, clerk: Clerk) -> None:
        self.means, self.clerk = means, clerk
        self.connection = clerk.unit.connection
        self.streams: dict[str, Stream] = {}
        self.lives: dict[str, LiveTable] = {}
        self.keys: dict[tuple[str, int], bytes] = {}
        self.known: dict[str, Mapping[str, Any]] = {}  # what was done or refused already, by id
        self.rows = Rows()
        self.made: list[str] = []  # streams

    # --- holding --------------------------------------------------------------------------------------------------

    def hold(self, batch: Sequence[PendingCommand]) -> None:
        """Locks the streams of a batch in one order, then what their money needs, and looks for ids known already."""
        names = sorted({asked.stream for asked in batch})
        self._create(sorted({asked.stream for asked in batch if _founds(asked.command)}))
        self.streams = {row[0]: Stream(*row) for row in STREAMS.hold(self.connection, names, *_HEAD)}
        ids = [asked.id for asked in batch]
        # Two processes may have refused and done different things under one id at once: what was done counts.
        self.known = {row.id: row._asdict() for bulk in (REFUSALS, HISTORY) for row in bulk.find(self.connection, ids)}
        lives = {name: live for name in names if (live := self._live(name)) is not None}
        self._gather(lives, [asked.command for asked in batch if asked.stream in lives])

    def look(self, stream: str) -> LiveTable | None:
        """A table, read only."""
        self.streams = {row.stream: Stream(**row._asdict()) for row in HEADS.find(self.connection, [stream])}
        live = self._live(stream)
        if live is None and stream in self.means.cache.stopped:
            raise self._stopped(stream)
        return live

    def _create(self, names: Sequence[str]) -> None:
        """Rows to be held; what stays unused is taken away again, as if a refused command had never been asked."""
        insert = postgresql.insert if self.connection.dialect.name == "postgresql" else sqlite.insert
        made = insert(schema.streams).on_conflict_do_nothing().returning(schema.streams.c.stream)
        empty = {"version": 0, "hash": GENESIS, "snapshot": "", "snapshot_version": 0}
        empty |= {"refusals": 0, "refusals_hash": GENESIS}
        for name in names:
            self.made += self.connection.scalars(made, {"stream": name, **empty})

    def _gather(self, lives: Mapping[str, LiveTable], commands: Sequence[s.Command]) -> None:
        """Locks the chains and balances these commands will probably move, in the common order: two processes that
        came to the same jackpots or players in two orders would wait for each other until the server noticed.

        Players whose money never moved have no row to be locked: the server notices those, once."""
        unit = self.clerk.unit
        if not isinstance(unit, BatchUnit):
            return
        unit.hold(lives)
        players = {player for live in lives.values() for player in live.players}
        players |= {one.player for one in commands if isinstance(one, s.OfPlayer)}
        accounts = [account(kind, live.name) for live in lives.values() for kind in (Kind.STAKES, Kind.WIN)]
        accounts += [account(Kind.PLAYER, player) for player in players]
        unit.hold(self._jackpots(commands), accounts)

    def _jackpots(self, commands: Sequence[s.Command]) -> set[str]:
        """The chains of jackpots whose hands may begin or end."""
        tables = {one.table for one in commands if isinstance(one, s.OfTable) and isinstance(one, _MAY_DEAL)}
        chains = [chain for table in tables if (chain := self.clerk.unit.chain(table_chain(table)))]
        states = [state for chain in chains if isinstance(state := state_of(chain), TableState)]
        return {jackpot_chain(name) for state in states for name in state.links.values()}

    # --- tables and keys ------------------------------------------------------------------------------------------

    def _live(self, stream: str) -> LiveTable | None:
        """A table as its row tells, out of memory where that is as far; None: it has none, or is stopped."""
        if stream in self.lives:
            return self.lives[stream]
        row = self.streams.get(stream)
        if row is None or stream == HOUSE or not row.version:
            return None
        cache = self.means.cache
        live = cache.lives.get(stream)
        if stream in cache.stopped and cache.stopped[stream][0] == row.version:
            return None
        if live is None or live.version != row.version:
            try:
                live = self._caught_up(row, live)
            except sa.exc.SQLAlchemyError:
                raise  # a disk that gives no answer says nothing about the records
            except Exception as wrong:
                _log.error("%s is stopped: %s", stream, wrong)
                cache.stopped[stream] = (row.version, _why_stopped(wrong))
                return None
            cache.stopped.pop(stream, None)
        self.lives[stream] = live
        return live

    def _stopped(self, stream: str) -> ServiceRefused:
        why = self.means.cache.stopped[stream][1]
        return ServiceRefused(ServiceRefusal.TABLE_STOPPED, table=stream.partition(":")[2], why=why)

    def _caught_up(self, row: Stream, live: LiveTable | None) -> LiveTable:
        """Out of the snapshot, or what we knew, and the records since."""
        if live is None or not row.snapshot_version <= live.version <= row.version:
            table = row.stream.partition(":")[2]
            live = self._restored(table, row)
        known = live.version if live is not None else 0
        query = _RECORDS.where(schema.history.c.number >= known)
        records: Sequence[Mapping[str, Any]] = [
            one._asdict() for one in self.connection.execute(query, {"name": row.stream})
        ]
        if known:
            before, records = records[:1], records[1:]
            if not before:
                raise RecordBroken(RecordProblem.RECORD_MISSING, number=known)
            last = check_hashes(records, before[0]["hash"])
        else:
            last = check_hashes(records)
        if last != row.hash or known + len(records) != row.version:
            raise RecordBroken(RecordProblem.RECORDS_INCOMPLETE, count=row.version)
        found = replay_all(self._ruleset, self._kept_key, live, records)
        if found is None:
            raise RecordBroken(RecordProblem.NO_RECORDS)
        return found

    def _restored(self, table: str, row: Stream) -> LiveTable | None:
        if not row.snapshot_version:
            return None
        written = self.connection.execute(_SNAPSHOT, {"name": row.stream}).scalar_one()
        return restored(self._ruleset, self._kept_key, table, written, row.snapshot_version)

    def _ruleset(self, name: str) -> Ruleset:
        """The rules of a hash, which records speak of."""
        try:
            found = rulesets.find(self.connection, name)
        except ValueError:
            raise RecordBroken(RecordProblem.RULES_CHANGED, rules=name[:12]) from None
        except BadRequest:
            raise RecordBroken(RecordProblem.RULES_UNREADABLE, rules=name[:12]) from None
        if found is None:
            raise RecordBroken(RecordProblem.RULES_MISSING, rules=name[:12])
        return found

    def _key(self, table: str, number: int) -> bytes:
        """The key of a shoe: known, encrypted in the database, or drawn now."""
        key = self._found_key(table, number)
        if key is None:
            key = self.means.entropy(KEY_BYTES)
            encrypted = self.means.keyring.encrypt(key, _owner(table, number))
            told = {"table_name": table, "number": number, "commitment": commitment(key), "encrypted_key": encrypted}
            self.rows.shoes.append({**told, "key": None, "rules": None})
            self.keys[table, number] = key
        return key

    def _kept_key(self, table: str, number: int) -> bytes:
        """The key of a shoe that records speak of: one that is lost is not made up."""
        key = self._found_key(table, number)
        if key is None:
            raise RecordBroken(RecordProblem.SHOE_KEY_MISSING, shoe=number)
        return key

    def _found_key(self, table: str, number: int) -> bytes | None:
        place = (table, number)
        if place in self.keys:
            return self.keys[place]
        last = self.means.cache.keys.get(table)
        if last is not None and last[0] == number:
            return last[1]
        row = self.connection.execute(_SHOE, {"name": table, "number": number}).first()
        if row is None:
            return None
        try:
            key = (
                bytes.fromhex(row.key)
                if row.key
                else self.means.keyring.decrypt(row.encrypted_key, _owner(table, number))
            )
        except BadRequest:
            raise RecordBroken(RecordProblem.SHOE_KEY_UNREADABLE, shoe=number) from None
        self.keys[place] = key
        return key


def _owner(table: str, number: int) -> str:
    return f"shoe {number} of {table}"


def _founds(command: Record) -> bool:
    return isinstance(command, s.OpenTable | s.House | s.OpenJackpot)


def _why_stopped(wrong: Exception) -> Coded:
    if isinstance(wrong, CodedError):
        return wrong.coded
    return RecordBroken(RecordProblem.UNREADABLE_RECORDS, error=type(wrong).__name__).coded


HISTORY, REFUSALS = Bulk(schema.history, "id"), Bulk(schema.refusals)
STREAMS, SHOES, ROUNDS, PLAYER_ROUNDS = (
    Bulk(table) for table in (schema.streams, schema.shoes, schema.rounds, schema.player_rounds)
)
HEADS = Bulk(schema.streams, only=_HEAD)
_SNAPSHOT = sa.select(schema.streams.c.snapshot).where(schema.streams.c.stream == sa.bindparam("name"))
_RECORDS = (
    sa.select(schema.history).where(schema.history.c.stream == sa.bindparam("name")).order_by(schema.history.c.number)
)
_SHOE = sa.select(schema.shoes).where(
    schema.shoes.c.table_name == sa.bindparam("name"), schema.shoes.c.number == sa.bindparam("number")
)
