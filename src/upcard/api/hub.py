"""The hub: sends every watcher of a table its records, each once and in order.

Records come from this process's desk, or from another process through the database. A watcher that falls too far behind
is disconnected; it reconnects with its last number and gets what it missed.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import structlog

from upcard.api.chips import Chips
from upcard.api.lobby import LobbyFeed
from upcard.api.messages import encode
from upcard.api.meters import Signs
from upcard.api.metrics import ROUNDS
from upcard.api.overview import OverviewFeed
from upcard.problems import UpcardError
from upcard.service.live_table import LiveTable
from upcard.service.pending import TableUpdate
from upcard.service.query_models import RecordSent
from upcard.service.running import Service
from upcard.service.server_messages import Events
from upcard.service.views import player_view, table_view
from upcard.service.wire_models import EventSent
from upcard.units import Cents

_log = structlog.get_logger("upcard.hub")


class Watcher(Protocol):
    """One socket's subscription to one table."""

    player: str | None

    def send_record(self, number: int, text: str) -> None:
        """Sends a record of the table."""

    def send_shown(self, text: str) -> None:
        """Sends something without a record number: chips or meters."""


class Hub:
    """Who watches which table; belongs to the event loop."""

    def __init__(self, service: Service, overview: OverviewFeed, lobby: LobbyFeed) -> None:
        self.service, self.overview, self.lobby = service, overview, lobby
        self.watchers: dict[str, set[Watcher]] = {}
        self.last_sent: dict[str, int] = {}  # the number of the last record of each watched table
        self.chips = Chips(self._show)
        self.signs = Signs(service.queries, lambda: self.watchers, self._show)
        self._catching: set[str] = set()
        self._again: set[str] = set()  # changed again while being caught up
        self._tasks: set[asyncio.Task[None]] = set()

    def watch(self, table: str, watcher: Watcher) -> None:
        """From now on the watcher gets every record after the snapshot it was sent."""
        self.watchers.setdefault(table, set()).add(watcher)

    def leave(self, table: str, watcher: Watcher) -> None:
        watchers = self.watchers.get(table)
        if watchers is not None:
            watchers.discard(watcher)
            if not watchers:
                del self.watchers[table]
                self.last_sent.pop(table, None)
                self.chips.forget(table)

    def updated(self, updates: Sequence[TableUpdate]) -> None:
        """Sends records of this process's desk."""
        ROUNDS.inc(sum(event["event"] == "round-over" for update in updates for event in update.events))
        for update in updates:
            table, number = update.live.name, update.live.version
            if table not in self.watchers:
                continue
            last = self.last_sent.get(table)
            if last is None or last == number - 1:
                self._send_record(table, number, update.events, update.live, update.bankrolls)
            elif last < number - 1:
                self._catch_up(table)
        if self.overview.listeners:
            self.overview.updated(updates)
        if self.lobby.listeners:
            self.lobby.moved(tables=[update.live.name for update in updates])

    def moved_elsewhere(self, tables: Collection[str]) -> None:
        """Sends the records that another process wrote."""
        for table in tables:
            self._catch_up(table)
        self.overview.moved_elsewhere(tables)
        self.lobby.moved(tables=tables)

    def jackpots_moved(self, jackpots: Collection[str]) -> None:
        """Sends jackpots that changed, here or in another process."""
        self.signs.moved(jackpots)
        self.overview.jackpots_moved()
        self.lobby.moved(jackpots=jackpots)

    def missed(self) -> None:
        """Notices of other processes may have been lost: everything is read again."""
        self.moved_elsewhere(tuple(self.watchers))
        self.signs.missed()
        self.overview.jackpots_moved()
        self.lobby.missed()

    def _catch_up(self, table: str) -> None:
        """Starts catching up, at most once per table at a time."""
        if table in self._catching:
            self._again.add(table)  # it may have read already: it reads once more
        elif table in self.watchers:
            self._catching.add(table)
            task = asyncio.get_running_loop().create_task(self._caught_up(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _caught_up(self, table: str) -> None:
        try:
            while table in self.watchers:
                self._again.discard(table)
                players = {watcher.player for watcher in self.watchers[table] if watcher.player is not None}
                read = await asyncio.to_thread(self._read, table, self.last_sent.get(table), players)
                if self._send_records(*read) and table not in self._again:
                    return
        except UpcardError as error:  # a stopped table: a client that opens it is told why
            _log.warning("table updates are paused", table=table, why=str(error))
        finally:
            self._catching.discard(table)
            self._again.discard(table)

    def _read(
        self, table: str, since: int | None, players: Collection[str]
    ) -> tuple[LiveTable, Sequence[RecordSent], Mapping[str, Cents]]:
        live, queries = self.service.desk.live(table), self.service.queries
        records = queries.records(table, since=live.version - 1 if since is None else since)
        return live, records, {player: queries.bankroll(player) for player in players}

    def _send_records(self, live: LiveTable, records: Sequence[RecordSent], bankrolls: Mapping[str, Cents]) -> bool:
        """Sends each record once, the newest with the table's state; returns whether the watchers are up to date."""
        for record in records:
            number = record["number"]
            if number > live.version:
                break  # written after the table was read; it has its own notice
            if number > self.last_sent.get(live.name, 0):
                newest = live if number == live.version else None
                self._send_record(live.name, number, record["events"], newest, bankrolls)
        return self.last_sent.get(live.name, 0) >= live.version or not records

    def _send_record(
        self,
        table: str,
        number: int,
        events: Sequence[EventSent],
        live: LiveTable | None,
        bankrolls: Mapping[str, Cents],
    ) -> None:
        """Sends one record to every watcher; `live` is None for a record that is not the newest."""
        self.last_sent[table] = number
        if table in self.chips.lying:
            self.chips.record_sent(table, events)
        message: Events = {"type": "events", "table": table, "number": number, "events": list(events)}
        if live is not None:
            message["state"] = table_view(live)
        text = encode(message)
        for watcher in tuple(self.watchers.get(table, ())):
            if live is None or watcher.player is None:
                watcher.send_record(number, text)
            else:
                own_view = player_view(live, watcher.player, bankrolls.get(watcher.player))
                watcher.send_record(number, f'{text[:-1]},"mine":{encode(own_view)}}}')

    def _show(self, table: str, text: str) -> None:
        for watcher in tuple(self.watchers.get(table, ())):
            watcher.send_shown(text)
