"""The overview: every table in one line, every jackpot in another, over one stream of the lines that changed.

Lines are gathered for a moment and told together, so that a floor of hundreds of tables costs a listener one message a
second and not one for every card. A line carries its number: whoever has a later one already keeps it.
"""

import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import structlog

from upcard.api.views import Json
from upcard.codes import CodedError
from upcard.service.live_table import LiveTable
from upcard.service.meters import Meters
from upcard.service.pending import TableUpdate
from upcard.service.refusals import Refused
from upcard.service.rules_in_force import rules_notice
from upcard.service.running import Service

_log = structlog.get_logger("upcard.overview")

EVERY = 1.0  # seconds between two messages
STILL_HERE = 5.0  # seconds without a change after which an empty one is told
LOOK_AGAIN = 5.0  # seconds after which jackpots are read even if nothing was heard of them


class Listener(Protocol):
    """A socket."""

    def send(self, text: str) -> None:
        """Sends soon."""


class Overview:
    """Who listens, and what they have not been told yet; lives on the event loop."""

    def __init__(self, service: Service) -> None:
        self.service, self.meters = service, Meters(service.desk.book)
        self.listeners: dict[Listener, bool] = {}  # and whether they hear of tables too
        self._moved: dict[str, LiveTable] = {}
        self._elsewhere: set[str] = set()
        self._money_moved = False
        self._told: dict[str, Json] = {}
        self.every = EVERY
        self._quiet = self._unread = 0.0

    # --- what happens ---------------------------------------------------------------------------------------------

    def moved(self, happened: Sequence[TableUpdate]) -> None:
        """Records of this process's own desk."""
        if not self.listeners:
            return
        for one in happened:
            self._moved[one.live.name] = one.live
            self._money_moved = self._money_moved or any(_moves_meters(event) for event in one.events)

    def elsewhere(self, tables: Iterable[str]) -> None:
        """Tables that another process has moved."""
        if self.listeners:
            self._elsewhere |= set(tables)
            self._money_moved = True

    def house_moved(self) -> None:
        """Something was asked of the house: a jackpot was verified, paid, posted."""
        self._money_moved = True

    # --- who listens ----------------------------------------------------------------------------------------------

    async def listen(self, listener: Listener, *, tables: bool) -> None:
        """From now on; first everything as it stands."""
        self.listeners[listener] = tables
        rows = await asyncio.to_thread(self.all_tables) if tables else []
        jackpots = await asyncio.to_thread(self.meters.rows)
        for kind, told in (("table", rows), ("jackpot", jackpots)):
            for row in told:
                self._told.setdefault(f"{kind} {row[kind]}", row)
        listener.send(_text(rows, jackpots if tables else nameless(jackpots), whole=True))

    def leave(self, listener: Listener) -> None:
        """And no longer."""
        self.listeners.pop(listener, None)
        if not self.listeners:
            self._moved, self._elsewhere, self._told = {}, set(), {}

    async def run(self) -> None:
        """Tells what changed, again and again."""
        while True:
            await asyncio.sleep(self.every)
            if self.listeners:
                try:
                    await self._tell()
                except Exception as wrong:  # a database that gives no answer now is asked again
                    _log.warning("the overview could not be told", why=str(wrong))

    async def _tell(self) -> None:
        moved, self._moved = self._moved, {}
        elsewhere, self._elsewhere = self._elsewhere, set()
        rows = [self._line(live) for name, live in moved.items() if name not in elsewhere]  # those are read anew
        if elsewhere:
            rows += await asyncio.to_thread(lambda: [self._row(name) for name in sorted(elsewhere)])
        self._unread += self.every
        jackpots: list[Json] = []
        if self._money_moved or self._unread >= LOOK_AGAIN:
            self._money_moved, self._unread = False, 0.0
            jackpots = await asyncio.to_thread(self.meters.rows)
        self._say(self._news("table", rows), self._news("jackpot", jackpots))

    def _news(self, kind: str, rows: Iterable[Json]) -> list[Json]:
        """The lines that are not as they were told last."""
        changed = [row for row in rows if _content(self._told.get(f"{kind} {row[kind]}")) != _content(row)]
        self._told |= {f"{kind} {row[kind]}": row for row in changed}
        return changed

    def _say(self, rows: list[Json], jackpots: list[Json]) -> None:
        self._quiet = 0.0 if rows or jackpots else self._quiet + self.every
        if self._quiet and self._quiet < STILL_HERE:
            return
        self._quiet = 0.0
        everything, meters = _text(rows, jackpots), _text([], nameless(jackpots))
        for listener, hears_tables in tuple(self.listeners.items()):
            if hears_tables or jackpots or not rows:
                listener.send(everything if hears_tables else meters)

    def all_tables(self) -> list[Json]:
        """Every table, by name."""
        return [self._row(name) for name in self.service.queries.tables()]

    def _row(self, name: str) -> Json:
        try:
            return self._line(self.service.desk.live(name))
        except (Refused, CodedError) as wrong:  # a stopped table is shown as such, among the others
            return {"table": name, "number": 0, "stopped": wrong.coded}

    def _line(self, live: LiveTable) -> Json:
        return {**table_row(live), "rules_notice": rules_notice(self.service.desk.context, live)}


def table_row(live: LiveTable) -> Json:
    """A table in one line."""
    table, state = live.table, live.table.round
    return {
        "table": live.name,
        "number": live.version,
        "layout": live.layout,
        "rules": live.rules.hash,
        "game": table.layout.game,
        "open": live.opened and not table.closed,
        "counted": not live.opened,
        "closing": table.closing,
        "by_hand": table.dealt_by_hand,
        "shuffler": table.next_shuffler,
        "posted_minimum": table.posted_minimum,
        "spots": table.layout.spots,
        "seats": {str(spot): player for spot, player in sorted(table.seats.items())},
        "absent": sorted(live.absent),
        "flat": sorted(table.flat_bettors),
        "round": live.round,
        "phase": "" if state is None else state.phase.value,
        "staked": 0 if state is None else sum(sum(spot.wagers.values()) for spot in state.spots),
        "shoe": live.shoe,
        "shoe_cards": 0 if table.shoe_over else table.shoe_cards,
        "last_round": not table.shoe_over and table.cut_card < 0,
    }


def nameless(jackpots: Iterable[Json]) -> list[Json]:
    """Jackpots as a display and the guests hear of them: who of the house locked or verified a win is the house's."""
    unsigned = {"locked_by": "", "verified_by": ""}
    return [{**row, "waiting": [{**win, **unsigned} for win in row["waiting"]]} for row in jackpots]


def _content(row: Json | None) -> Json | None:
    """A line without its number: a record that changed nothing one could see is no news."""
    return None if row is None else {name: value for name, value in row.items() if name != "number"}


def _moves_meters(event: Json) -> bool:
    return event["event"] in ("betting-closed", "round-over", "table-opened")


def _text(tables: Sequence[Any], jackpots: Sequence[Any], *, whole: bool = False) -> str:
    told: Json = {"type": "overview", "tables": tables, "jackpots": jackpots}
    return json.dumps({**told, "whole": True} if whole else told, separators=(",", ":"))
