"""The lobby: one line per table, and a stream of the lines that changed."""

import asyncio
from collections.abc import Collection, Iterable

import structlog

from upcard.api.messages import encode
from upcard.api.overview import Listener
from upcard.api.pacing import Pace
from upcard.service import server_messages
from upcard.service.running import Service
from upcard.service.table_summaries import list_tables, lobby_lines
from upcard.service.wire_models import TableShort

_log = structlog.get_logger("upcard.lobby")

LEAST_SECONDS, MOST_SECONDS = 1.0, 10.0  # between two reads


class LobbyFeed:
    """The listeners, and the tables and jackpots that changed since the last message; belongs to the event loop."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.listeners: set[Listener] = set()
        self.pace = Pace(LEAST_SECONDS, MOST_SECONDS)
        self._tables: set[str] = set()
        self._jackpots: set[str] = set()
        self._all = False
        self._sent: dict[str, TableShort] = {}

    def moved(self, *, tables: Iterable[str] = (), jackpots: Iterable[str] = ()) -> None:
        """Takes tables and jackpots that changed, here or elsewhere."""
        if self.listeners:
            self._tables.update(tables)
            self._jackpots.update(jackpots)
            self.pace.wake()

    def missed(self) -> None:
        """Changes may have been missed: all lines are read again."""
        self._all = True
        self.pace.wake()

    async def listen(self, listener: Listener) -> None:
        """Adds a listener; sends all lines first, then every change."""
        self.listeners.add(listener)
        lines = await asyncio.to_thread(list_tables, self.service)
        self._sent = {line["table"]: line for line in lines} | self._sent
        listener.send(_text(lines, whole=True))

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        if not self.listeners:
            self._tables, self._jackpots, self._sent = set(), set(), {}

    async def run(self) -> None:
        """Sends changes until cancelled."""
        while True:
            self._all = not await self.pace.wait() or self._all
            if self.listeners:
                try:
                    await self.send_changes()
                except Exception as error:  # the database may answer at the next try
                    _log.warning("the lobby could not be sent", why=str(error))

    async def send_changes(self) -> None:
        """Sends the lines that changed."""
        tables, self._tables = self._tables, set()
        jackpots, self._jackpots = self._jackpots, set()
        everything, self._all = self._all, False
        if everything:
            lines = await asyncio.to_thread(list_tables, self.service)
        else:
            lines = await asyncio.to_thread(self._lines, tables, jackpots)
        changed = [line for line in lines if self._sent.get(line["table"]) != line]
        self._sent.update((line["table"], line) for line in changed)
        if changed:
            text = _text(changed)
            for listener in tuple(self.listeners):
                listener.send(text)

    def _lines(self, tables: Collection[str], jackpots: Collection[str]) -> list[TableShort]:
        linked = self.service.queries.linked_tables(jackpots) if jackpots else set()
        return lobby_lines(self.service, sorted({*tables, *linked}))


def _text(lines: list[TableShort], *, whole: bool = False) -> str:
    message: server_messages.Lobby = {"type": "lobby", "tables": lines}
    if whole:
        message["whole"] = True
    return encode(message)
