"""The hub: tells every watcher of a table what happened there, record by record, each number once and in order.

Records come from this process's own desk, or from another's through the database. A watcher who is too far behind is
cut off: he comes back with his last number and gets what he missed.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import orjson
import structlog

from upcard.api.chips import Chips
from upcard.api.meters import Signs
from upcard.api.views import Json, choices_of, table_view
from upcard.problems import UpcardError
from upcard.service.live_table import LiveTable
from upcard.service.pending import TableUpdate
from upcard.service.queries import Queries
from upcard.units import Cents

_log = structlog.get_logger("upcard.hub")


class Watcher(Protocol):
    """One socket's ear at one table."""

    player: str | None

    def hear(self, number: int, text: str) -> None:
        """A record of the table."""

    def see(self, text: str) -> None:
        """Something that is shown, and has no number: chips, meters."""


class Hub:
    """Who watches which table; lives on the event loop."""

    def __init__(self, queries: Queries, live_of: Callable[[str], LiveTable]) -> None:
        self.queries, self.live_of = queries, live_of
        self.watchers: dict[str, set[Watcher]] = {}
        self.told: dict[str, int] = {}  # the last number told of each watched table
        self.chips = Chips(self._show)
        self.signs = Signs(queries.meters, lambda: self.watchers, self._show)
        self._catching: set[str] = set()
        self._again: set[str] = set()  # moved once more while it is caught up with
        self._tasks: set[asyncio.Task[None]] = set()

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
                self.chips.forget(table)

    def moved(self, happened: Sequence[TableUpdate]) -> None:
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
        if table in self._catching:
            self._again.add(table)  # it may have looked already: it looks once more
        elif table in self.watchers:
            self._catching.add(table)
            task = asyncio.get_running_loop().create_task(self._caught_up(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _caught_up(self, table: str) -> None:
        try:
            while table in self.watchers:
                self._again.discard(table)
                players = {ear.player for ear in self.watchers[table] if ear.player is not None}
                read = await asyncio.to_thread(self._read, table, self.told.get(table), players)
                if self._tell_records(*read) and table not in self._again:
                    return
        except UpcardError as wrong:  # a table that is stopped: whoever looks at it hears why
            _log.warning("nobody is told of a table", table=table, why=str(wrong))
        finally:
            self._catching.discard(table)
            self._again.discard(table)

    def _read(
        self, table: str, since: int | None, players: Collection[str]
    ) -> tuple[LiveTable, Sequence[Any], dict[str, Cents]]:
        live = self.live_of(table)
        records = self.queries.records(table, since=live.version - 1 if since is None else since)
        return live, records, {one: self.queries.bankroll(one) for one in players}

    def _tell_records(self, live: LiveTable, records: Sequence[Any], bankrolls: dict[str, Cents]) -> bool:
        """Tells each once; says whether that is all up to the table as it was read."""
        for record in records:
            number = record["number"]
            if number > live.version:
                break  # came after the table was read: its own notice is on its way
            if number <= self.told.get(live.name, 0):
                continue
            if number == live.version:
                self._tell(live, record["events"], bankrolls)
            else:
                self._tell_bare(live.name, number, record["events"])
        return self.told.get(live.name, 0) >= live.version or not records

    def _show(self, table: str, text: str) -> None:
        for watcher in tuple(self.watchers.get(table, ())):
            watcher.see(text)

    def _tell_bare(self, table: str, number: int, events: Sequence[Json]) -> None:
        """A record that others have followed already: nobody needs to know how the table stood then."""
        self._pass(table, number, events)
        text = _text({"type": "events", "table": table, "number": number, "events": events})
        for watcher in tuple(self.watchers.get(table, ())):
            watcher.hear(number, text)

    def _pass(self, table: str, number: int, events: Sequence[Json]) -> None:
        """Whoever wrote a record, what it changes is shown no longer."""
        self.told[table] = number
        self.chips.moved(table, events)
        self.signs.moved(table, events)

    def _tell(self, live: LiveTable, events: Sequence[Json], bankrolls: dict[str, Cents]) -> None:
        self._pass(live.name, live.version, events)
        told = {"type": "events", "table": live.name, "number": live.version, "events": list(events)}
        head = _text({**told, "state": table_view(live)})
        for watcher in tuple(self.watchers.get(live.name, ())):
            if watcher.player is None:
                watcher.hear(live.version, head)
            else:
                watcher.hear(live.version, f'{head[:-1]},"mine":{_text(mine(live, watcher.player, bankrolls))}}}')


def mine(live: LiveTable, player: str, bankrolls: dict[str, Cents]) -> Json:
    """What only one player hears: his choices, and his money where it moved."""
    told: Json = {"choices": choices_of(live, player)}
    if player in bankrolls:
        told["bankroll"] = bankrolls[player]
    return told


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()
