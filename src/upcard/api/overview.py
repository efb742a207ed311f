"""The overview: one line per table and per jackpot, and a stream of the lines that changed.

Changes are collected and sent together, so that a floor of hundreds of tables costs a listener one message per second,
not one per card. A line has its record number: a client that has a later line keeps it.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, TypeVar

import structlog

from upcard.api.messages import encode
from upcard.service import server_messages
from upcard.service.jackpot_models import JackpotLine
from upcard.service.live_table import LiveTable
from upcard.service.meters import Meters, without_staff_names
from upcard.service.pending import TableUpdate
from upcard.service.running import Service
from upcard.service.table_summaries import floor_line, floor_line_of, floor_lines, with_every_field
from upcard.service.wire_models import TableLine

_log = structlog.get_logger("upcard.overview")

SEND_SECONDS = 1.0  # between two messages
KEEP_ALIVE_SECONDS = 5.0  # without a change, after which an empty message is sent
JACKPOT_READ_SECONDS = 5.0  # after which jackpots are read again without a known change
_MOVE_METERS = ("wagers-cleared", "betting-closed", "round-over", "table-opened")

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
        self.send_seconds = SEND_SECONDS
        self._moved: dict[str, LiveTable] = {}
        self._elsewhere: set[str] = set()
        self._money_moved = False
        self._tables: dict[str, TableLine] = {}  # as they were sent last
        self._jackpots: dict[str, JackpotLine] = {}
        self._quiet = self._unread = 0.0

    # --- what happens ---------------------------------------------------------------------------------------------

    def updated(self, updates: Sequence[TableUpdate]) -> None:
        """Takes records of this process's desk."""
        if not self.listeners:
            return
        for update in updates:
            self._moved[update.live.name] = update.live
            self._money_moved = self._money_moved or any(event["event"] in _MOVE_METERS for event in update.events)

    def moved_elsewhere(self, tables: Collection[str]) -> None:
        """Takes tables that another process changed."""
        if self.listeners:
            self._elsewhere.update(tables)
            self._money_moved = True

    def house_moved(self) -> None:
        """A command to the house may have changed a jackpot."""
        self._money_moved = True

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

    def leave(self, listener: Listener) -> None:
        self.listeners.pop(listener, None)
        if not self.listeners:
            self._moved, self._elsewhere, self._tables, self._jackpots = {}, set(), {}, {}

    async def run(self) -> None:
        """Sends changes until cancelled."""
        while True:
            await asyncio.sleep(self.send_seconds)
            if self.listeners:
                try:
                    await self.send_changes()
                except Exception as error:  # the database may answer at the next try
                    _log.warning("the overview could not be sent", why=str(error))

    async def send_changes(self) -> None:
        """Sends the lines that changed; now and then an empty message, as a sign of life."""
        moved, self._moved = self._moved, {}
        elsewhere, self._elsewhere = self._elsewhere, set()
        lines = [
            floor_line_of(self.service, live) for name, live in moved.items() if name not in elsewhere
        ]  # those are read again
        if elsewhere:
            lines += await asyncio.to_thread(lambda: [floor_line(self.service, name) for name in sorted(elsewhere)])
        self._unread += self.send_seconds
        jackpots: list[JackpotLine] = []
        if self._money_moved or self._unread >= JACKPOT_READ_SECONDS:
            self._money_moved, self._unread = False, 0.0
            jackpots = await asyncio.to_thread(self.meters.rows)
        lines = _changed(self._tables, {line["table"]: line for line in lines})
        jackpots = _changed(self._jackpots, {line["jackpot"]: line for line in jackpots})
        self._quiet = 0.0 if lines or jackpots else self._quiet + self.send_seconds
        if self._quiet and self._quiet < KEEP_ALIVE_SECONDS:
            return
        self._quiet = 0.0
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
