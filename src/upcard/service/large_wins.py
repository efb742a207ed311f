"""Rounds in which the house paid one player much. Only tables that finished a round since the last look are read."""

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import instant_text
from upcard.ledger.store import Store
from upcard.service import schema
from upcard.service.pending import TableUpdate

SHOWN_FOR = timedelta(hours=12)
MOST_ROUNDS = 20  # of a table, that are read at once


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeWin:
    """What one player was paid in one round, without jackpots."""

    table: str
    round: int
    player: str
    amount: int
    at: str


class LargeWins:
    """The large wins of the last hours. Any thread may say what changed; one at a time asks."""

    def __init__(self, store: Store, least: int) -> None:
        self._store, self._least = store, least
        self._lock = threading.Lock()  # never held while the book is read: the desk must not wait
        self._changed: set[str] | None = None  # tables to read; None: all
        self._last: dict[str, int] = {}  # by table: the last round that was read
        self._wins: list[LargeWin] = []

    def updated(self, updates: Sequence[TableUpdate]) -> None:
        """Takes records of this process."""
        finished = [
            update.live.name for update in updates if any(event["event"] == "round-over" for event in update.events)
        ]
        if finished:
            self.changed(finished)

    def changed(self, tables: Collection[str]) -> None:
        """These tables may have finished a round."""
        with self._lock:
            if self._changed is not None:
                self._changed.update(tables)

    def missed(self) -> None:
        """Any table may have finished a round."""
        with self._lock:
            self._changed = None

    def current(self, now: datetime) -> list[LargeWin]:
        """Those of the last hours, oldest first."""
        earliest = instant_text(now - SHOWN_FOR)
        with self._lock:
            changed, self._changed = self._changed, set()
        with self._store.view() as unit:
            for table in sorted(_all_tables(unit.connection) if changed is None else changed):
                self._read(unit.connection, table)
        self._wins = sorted((win for win in self._wins if win.at >= earliest), key=lambda win: win.at)
        return list(self._wins)

    def _read(self, connection: sa.Connection, table: str) -> None:
        rounds = schema.rounds.c
        query = sa.select(rounds.round, rounds.at, rounds.void, rounds.slips, rounds.format)
        unread = query.where(rounds.table_name == table, rounds.round > self._last.get(table, -1))
        for row in connection.execute(unread.order_by(rounds.round.desc()).limit(MOST_ROUNDS)):
            self._last[table] = max(self._last.get(table, -1), row.round)
            paid: Counter[str] = Counter()
            for slip in formats.read("slips", row.slips, row.format) if row.void is None else ():
                paid[slip["player"]] += slip["paid"]
            self._wins += [
                LargeWin(table=table, round=row.round, player=player, amount=amount, at=row.at)
                for player, amount in paid.items()
                if amount >= self._least
            ]


def _all_tables(connection: sa.Connection) -> list[str]:
    return [str(row[0]) for row in connection.execute(sa.select(schema.rounds.c.table_name).distinct())]
