"""The meters on the jackpot signs: told when somebody comes to a table, and whenever they have moved since.

A table is looked at again soon after a wager for its jackpot was dealt or settled, at it or at one linked with it.
What moves elsewhere, or by the house's own hand, is seen at the next of the slow looks.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping

import structlog

from upcard.api.messages import encode
from upcard.service.server_messages import MetersShown
from upcard.service.wire_models import EventSent

_log = structlog.get_logger("upcard.meters")

OFTEN, SELDOM = 1.0, 10.0  # seconds between two looks: where a jackpot was played for, and everywhere else

Sign = Mapping[str, tuple[str, Mapping[str, int]]]  # wager -> its jackpot, and the cents on each of its meters
Read = Callable[[Collection[str]], Mapping[str, Sign]]


class Signs:
    """What the signs of watched tables show; lives on the event loop."""

    def __init__(self, read: Read, watched: Callable[[], Collection[str]], send: Callable[[str, str], None]) -> None:
        self._read, self._watched, self._send = read, watched, send
        self.shown: dict[str, Sign] = {}
        self._played: set[str] = set()  # tables with a wager for a jackpot on the felt
        self._moved: set[str] = set()

    def record_sent(self, table: str, events: Iterable[EventSent]) -> None:
        """Meters move with the deal, and with what is won."""
        sign = self.shown.get(table)
        if not sign:
            return
        for event in events:
            if event["event"] == "wager-placed" and event["wager"] in sign:
                self._played.add(table)
            elif event["event"] in ("betting-closed", "round-over") and table in self._played:
                self._moved.add(table)
                if event["event"] == "round-over":
                    self._played.discard(table)

    async def message(self, table: str) -> str | None:
        """The meters of a table, for somebody who comes; None: it has none."""
        if table not in self.shown:
            self.shown |= await asyncio.to_thread(self._read, [table])
        sign = self.shown.get(table)
        return _text(table, sign) if sign else None

    async def run(self) -> None:
        """Looks again and again, and tells what has changed."""
        looks = 0
        while True:
            await asyncio.sleep(OFTEN)
            looks += 1
            try:
                await self._look(everywhere=looks % round(SELDOM / OFTEN) == 0)
            except Exception as wrong:  # a database that gives no answer now is asked again
                _log.warning("meters could not be read", why=str(wrong))

    async def _look(self, *, everywhere: bool) -> None:
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
    shown: MetersShown = {"type": "meters", "table": table, "meters": meters}
    return encode(shown)
