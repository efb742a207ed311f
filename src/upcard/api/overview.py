"""The overview: one line per table and per jackpot, and a stream of the lines that changed.

What happens after a quiet second is sent at once. What follows is collected and sent together, so that a floor of
hundreds of tables costs a listener one message per second, not one per card. A line has its record number: a client
that has a later line keeps it.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, TypeVar

import structlog

from upcard.api.messages import encode
from upcard.api.pacing import Pace
from upcard.service import server_messages
from upcard.service.jackpot_lines import JackpotLine
from upcard.service.live_table import LiveTable
from upcard.service.meters import Meters, without_staff_names
from upcard.service.pending import TableUpdate
from upcard.service.running import Service
from upcard.service.table_summaries import (
    felt_lines,
    floor_line,
    floor_line_of,
    floor_lines,
    with_every_field,
    with_felt,
)
from upcard.service.wire_models import TableLine

_log = structlog.get_logger("upcard.overview")

SEND_SECONDS = 1.0  # at least, between two messages
KEEP_ALIVE_SECONDS = 5.0  # without a change, after which jackpots are read again and a message is sent anyway

Line = TypeVar("Line", TableLine, JackpotLine)


class Listener(Protocol):
    """A socket."""

    def send(self, text: str) -> None:
        """Queues a text."""


class OverviewFeed:
    """The listeners, and the changes not sent yet; belongs to the event loop."""

    def __init__(self, service: Service) -> None:
        self.service, self.meters = service, Meters(service.desk.book)
        self.listeners: dict[Listener, bool] = {}  # and whether they get tables too
        self._felts: dict[Listener, frozenset[str]] = {}  # the tables that they have in view
        self.pace = Pace(SEND_SECONDS, KEEP_ALIVE_SECONDS)
        self._moved: dict[str, LiveTable] = {}
        self._elsewhere: set[str] = set()
        self._jackpots_moved = False
        self._tables: dict[str, TableLine] = {}  # as they were sent last
        self._jackpots: dict[str, JackpotLine] = {}
        self._sent_at = self._read_at = 0.0  # when something was sent last, and the jackpots were read

    # --- what happens ---------------------------------------------------------------------------------------------

    def updated(self, updates: Sequence[TableUpdate]) -> None:
        """Takes records of this process's desk."""
        if not self.listeners:
            return
        for update in updates:
            self._moved[update.live.name] = update.live
        self.pace.wake()

    def moved_elsewhere(self, tables: Collection[str]) -> None:
        """Takes tables that another process changed."""
        if self.listeners:
            self._elsewhere.update(tables)
            self.pace.wake()

    def jackpots_moved(self) -> None:
        """A jackpot changed, here or in another process."""
        if self.listeners:
            self._jackpots_moved = True
            self.pace.wake()

    # --- who listens ----------------------------------------------------------------------------------------------

    def whole(self) -> server_messages.Overview:
        """All lines, for HTTP."""
        lines = [with_every_field(line) for line in floor_lines(self.service)]
        return {"type": "overview", "tables": lines, "jackpots": self.meters.rows(), "whole": True}

    async def listen(self, listener: Listener, *, tables: bool) -> None:
        """Adds a listener; sends all lines first, then every change."""
        self.listeners[listener] = tables
        lines = await asyncio.to_thread(floor_lines, self.service) if tables else []
        jackpots = await asyncio.to_thread(self.meters.rows)
        self._tables = {line["table"]: line for line in lines} | self._tables
        self._jackpots = {line["jackpot"]: line for line in jackpots} | self._jackpots
        listener.send(_text(lines, jackpots if tables else without_staff_names(jackpots), whole=True))

    async def show_felts(self, listener: Listener, tables: Collection[str]) -> None:
        """Sends the lines of these tables with their felts, now and with every change, to a listener of tables."""
        if not self.listeners.get(listener):
            return
        known = [name for name in dict.fromkeys(tables) if name in self._tables]
        new = [name for name in known if name not in self._felts.get(listener, ())]
        self._felts[listener] = frozenset(known)
        lines = await asyncio.to_thread(felt_lines, self.service, new)
        self._tables.update({line["table"]: line for line in lines})
        if lines:
            listener.send(_text(lines, []))

    def leave(self, listener: Listener) -> None:
        self.listeners.pop(listener, None)
        self._felts.pop(listener, None)
        if not self.listeners:
            self._moved, self._elsewhere, self._tables, self._jackpots = {}, set(), {}, {}

    async def run(self) -> None:
        """Sends changes until cancelled."""
        while True:
            await self.pace.wait()
            if self.listeners:
                try:
                    await self.send_changes()
                except Exception as error:  # the database may answer at the next try
                    _log.warning("the overview could not be sent", why=str(error))

    async def send_changes(self) -> None:
        """Sends the lines that changed; now and then an empty message, as a sign of life."""
        moved, self._moved = self._moved, {}
        elsewhere, self._elsewhere = self._elsewhere, set()
        in_view = frozenset[str]().union(*self._felts.values())
        lines = [
            with_felt(line, live) if name in in_view else line
            for name, live in moved.items()
            if name not in elsewhere  # those are read again
            for line in [floor_line_of(self.service, live)]
        ]
        if elsewhere:
            others = sorted(elsewhere - in_view)
            lines += await asyncio.to_thread(lambda: [floor_line(self.service, name) for name in others])
            lines += await asyncio.to_thread(felt_lines, self.service, sorted(elsewhere & in_view))
        now = asyncio.get_running_loop().time()
        jackpots: list[JackpotLine] = []
        if self._jackpots_moved or now - self._read_at >= KEEP_ALIVE_SECONDS:
            self._jackpots_moved, self._read_at = False, now
            jackpots = await asyncio.to_thread(self.meters.rows)
        lines = _changed(self._tables, {line["table"]: line for line in lines})
        jackpots = _changed(self._jackpots, {line["jackpot"]: line for line in jackpots})
        if not (lines or jackpots) and now - self._sent_at < KEEP_ALIVE_SECONDS:
            return
        self._sent_at = now
        everything, meters = _text(lines, jackpots), _text([], without_staff_names(jackpots))
        for listener, hears_tables in tuple(self.listeners.items()):
            if hears_tables or jackpots or not lines:
                listener.send(everything if hears_tables else meters)


def _changed(sent: dict[str, Line], now: dict[str, Line]) -> list[Line]:
    """The lines with a visible change, which are remembered as sent."""
    changed = {
        name: line
        for name, line in now.items()
        if name not in sent or {**sent[name], "number": 0} != {**line, "number": 0}
    }
    sent.update(changed)
    return list(changed.values())


def _text(tables: list[TableLine], jackpots: Iterable[JackpotLine], *, whole: bool = False) -> str:
    message: server_messages.Overview = {"type": "overview", "tables": tables, "jackpots": list(jackpots)}
    if whole:
        message["whole"] = True
    return encode(message)
