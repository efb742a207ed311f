"""The hub: tells every watcher of a table what happened there, record by record, each number once and in order.

Records come from this process's own desk, or from another's through the database. A watcher who is too far behind is
cut off: he comes back with his last number and gets what he missed.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from upcard.api.views import Json, choices_of, table_view
from upcard.service.asking import Moved
from upcard.service.live import Live
from upcard.service.queries import Queries
from upcard.units import Cents


class Watcher(Protocol):
    """One socket's ear at one table."""

    player: str | None

    def hear(self, number: int, text: str) -> None:
        """A record of the table."""


class Hub:
    """Who watches which table; lives on the event loop."""

    def __init__(self, queries: Queries, live_of: Callable[[str], Live]) -> None:
        self.queries, self.live_of = queries, live_of
        self.watchers: dict[str, set[Watcher]] = {}
        self.told: dict[str, int] = {}  # the last number told of each watched table
        self._catching: set[str] = set()

    def watch(self, table: str, watcher: Watcher) -> None:
        """From now on the watcher hears of every record after the snapshot he was sent."""
        self.watchers.setdefault(table, set()).add(watcher)

    def leave(self, table: str, watcher: Watcher) -> None:
        """And no longer."""
        ears = self.watchers.get(table)
        if ears is not None:
            ears.discard(watcher)
            if not ears:
                del self.watchers[table]
                self.told.pop(table, None)

    def moved(self, happened: Sequence[Moved]) -> None:
        """Tells records of this process's own desk."""
        for one in happened:
            table = one.live.name
            if table not in self.watchers:
                continue
            last = self.told.get(table)
            if last is None or last == one.live.version - 1:
                self._tell(one.live, one.events, one.bankrolls)
            elif last < one.live.version - 1:
                self.catch_up(table)

    def catch_up(self, table: str) -> None:
        """Tells what another process wrote; at most one catching up of a table at a time."""
        if table not in self.watchers or table in self._catching:
            return
        self._catching.add(table)
        asyncio.get_running_loop().create_task(self._caught_up(table))

    async def _caught_up(self, table: str) -> None:
        try:
            since = self.told.get(table)
            live, records = await asyncio.to_thread(self._read, table, since)
            for record in records:
                if record["number"] > self.told.get(table, 0):
                    last = record["number"] == live.version
                    self._tell_record(table, record, live if last else None)
        finally:
            self._catching.discard(table)

    def _read(self, table: str, since: int | None) -> tuple[Live, Sequence[Any]]:
        live = self.live_of(table)
        return live, self.queries.records(table, since=live.version - 1 if since is None else since)

    def _tell_record(self, table: str, record: Any, live: Live | None) -> None:
        if live is not None:
            self._tell(live, record["events"], {})
            return
        self.told[table] = record["number"]
        told = {"type": "events", "table": table, "number": record["number"], "events": record["events"]}
        text = json.dumps(told, separators=(",", ":"))
        for watcher in tuple(self.watchers.get(table, ())):
            watcher.hear(record["number"], text)

    def _tell(self, live: Live, events: Sequence[Json], bankrolls: dict[str, Cents]) -> None:
        self.told[live.name] = live.version
        head = json.dumps(
            {
                "type": "events",
                "table": live.name,
                "number": live.version,
                "events": list(events),
                "state": table_view(live),
            },
            separators=(",", ":"),
        )
        for watcher in tuple(self.watchers.get(live.name, ())):
            if watcher.player is None:
                watcher.hear(live.version, head)
            else:
                watcher.hear(live.version, f'{head[:-1]},"mine":{_text(mine(live, watcher.player, bankrolls))}}}')


def mine(live: Live, player: str, bankrolls: dict[str, Cents]) -> Json:
    """What only one player hears: his choices, and his money where it moved."""
    told: Json = {"choices": choices_of(live, player)}
    if player in bankrolls:
        told["bankroll"] = bankrolls[player]
    return told


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
