"""The meters on the jackpot signs: sent to a new watcher of a table, and whenever they change.

A table's meters are read again soon after a wager for its jackpot was dealt or settled, at it or at a linked table.
Changes made elsewhere, or by the house, are seen at the next slow read.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping

import structlog

from upcard.api.messages import encode
from upcard.service.server_messages import MetersShown
from upcard.service.wire_models import EventSent

_log = structlog.get_logger("upcard.meters")

FAST_SECONDS, SLOW_SECONDS = 1.0, 10.0  # between two reads: where a jackpot was played for, and everywhere else

_MOVE_METERS = ("wagers-cleared", "betting-closed", "round-over")  # a change may have waited for a wager
Sign = Mapping[str, tuple[str, Mapping[str, int]]]  # by wager: its jackpot, and the cents on each meter
Read = Callable[[Collection[str]], Mapping[str, Sign]]


class Signs:
    """The meters of watched tables; belongs to the event loop."""

    def __init__(self, read: Read, watched: Callable[[], Collection[str]], send: Callable[[str, str], None]) -> None:
        self._read, self._watched, self._send = read, watched, send
        self.shown: dict[str, Sign] = {}
        self._played: set[str] = set()  # tables with a wager for a jackpot on the felt
        self._moved: set[str] = set()

    def record_sent(self, table: str, events: Iterable[EventSent]) -> None:
        """Notes tables whose meters may have changed with the deal or a win."""
        sign = self.shown.get(table)
        if not sign:
            return
        for event in events:
            if event["event"] == "wager-placed" and event["wager"] in sign:
                self._played.add(table)
            elif event["event"] in _MOVE_METERS and table in self._played:
                self._moved.add(table)
                if event["event"] == "round-over":
                    self._played.discard(table)

    async def message(self, table: str) -> str | None:
        """A table's meters, for a new watcher; None if it has none."""
        if table not in self.shown:
            self.shown |= await asyncio.to_thread(self._read, [table])
        sign = self.shown.get(table)
        return _text(table, sign) if sign else None

    async def run(self) -> None:
        """Reads meters and sends changes until cancelled."""
        count = 0
        while True:
            await asyncio.sleep(FAST_SECONDS)
            count += 1
            try:
                await self._read_and_send(everywhere=count % round(SLOW_SECONDS / FAST_SECONDS) == 0)
            except Exception as error:  # the database may answer at the next try
                _log.warning("meters could not be read", why=str(error))

    async def _read_and_send(self, *, everywhere: bool) -> None:
        watched = set(self._watched())
        self.shown = {table: sign for table, sign in self.shown.items() if table in watched}
        moved, self._moved = self._moved & watched, set()
        jackpots = {jackpot for table in moved for jackpot, _ in self.shown[table].values()}
        tables = [
            table
            for table, sign in self.shown.items()
            if sign and (everywhere or any(jackpot in jackpots for jackpot, _ in sign.values()))
        ]
        if not tables:
            return
        for table, sign in (await asyncio.to_thread(self._read, tables)).items():
            if sign != self.shown.get(table):
                self.shown[table] = sign
                self._send(table, _text(table, sign))


def _text(table: str, sign: Sign) -> str:
    meters = {wager: dict(meters) for wager, (_, meters) in sign.items()}
    message: MetersShown = {"type": "meters", "table": table, "meters": meters}
    return encode(message)
