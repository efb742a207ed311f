"""The jackpot signs of watched tables: sent to a new watcher of a table, and whenever they change.

A sign is read again as soon as its jackpot changed, here or in another process: a wager moved a meter, the house posted
a value or suspended the jackpot. All signs are read again now and then, in case a change was missed.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping

import structlog

from upcard.api.messages import encode
from upcard.api.pacing import Pace
from upcard.service.jackpot_signs import JackpotSign, JackpotSigns, signs_sent
from upcard.service.queries import Queries
from upcard.service.server_messages import MetersShown

_log = structlog.get_logger("upcard.meters")

LEAST_SECONDS, MOST_SECONDS = 0.25, 10.0  # between two reads


class Signs:
    """The signs of watched tables; belongs to the event loop."""

    def __init__(
        self, queries: Queries, watched: Callable[[], Collection[str]], send: Callable[[str, str], None]
    ) -> None:
        self._queries, self._watched, self._send = queries, watched, send
        self.shown: dict[str, JackpotSigns] = {}
        self._moved: set[str] = set()  # jackpots
        self._pace = Pace(LEAST_SECONDS, MOST_SECONDS)
        self._all_read_at = 0.0

    def moved(self, jackpots: Iterable[str]) -> None:
        """Takes jackpots that changed."""
        self._moved.update(jackpots)
        self._pace.wake()

    def missed(self) -> None:
        """Changes may have been missed: all signs are read again."""
        self._all_read_at = 0.0
        self._pace.wake()

    async def message(self, table: str) -> str | None:
        """A table's signs, for a new watcher; None if it has none."""
        if table not in self.shown:
            self.shown |= await asyncio.to_thread(self._queries.signs, [table])
        signs = self.shown.get(table)
        return _text(table, signs) if signs else None

    async def run(self) -> None:
        """Reads signs and sends changes until cancelled."""
        while True:
            await self._pace.wait()
            try:
                await self._read_and_send()
            except Exception as error:  # the database may answer at the next try
                _log.warning("jackpot signs could not be read", why=str(error))

    async def _read_and_send(self) -> None:
        watched, now = set(self._watched()), asyncio.get_running_loop().time()
        self.shown = {table: signs for table, signs in self.shown.items() if table in watched}
        tables = [table for table, signs in self.shown.items() if signs]
        moved, self._moved = self._moved, set()
        signs_now: Mapping[str, JackpotSigns]
        if now - self._all_read_at >= MOST_SECONDS:
            signs_now = await asyncio.to_thread(self._queries.signs, tables)
            self._all_read_at = now
        else:
            jackpots = moved & {sign.jackpot for table in tables for sign in self.shown[table].values()}
            read = await asyncio.to_thread(self._queries.jackpot_signs, jackpots) if jackpots else {}
            signs_now = {table: _with(self.shown[table], read) for table in tables}
        for table, signs in signs_now.items():
            if table in self.shown and signs != self.shown[table]:
                self.shown[table] = signs
                self._send(table, _text(table, signs))


def _with(signs: JackpotSigns, read: Mapping[str, JackpotSign]) -> JackpotSigns:
    """Signs with the jackpots that were read again."""
    return {wager: read.get(sign.jackpot, sign) for wager, sign in signs.items()}


def _text(table: str, signs: JackpotSigns) -> str:
    message: MetersShown = {"type": "meters", "table": table, **signs_sent(signs)}
    return encode(message)
