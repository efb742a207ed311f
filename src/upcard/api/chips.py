"""Chips that lie in circles and are not handed in yet: shown to everybody at the table, and never booked.

However fast players move them, a table is told a few times a second at most, and then how all of them lie now.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from upcard.api.messages import encode
from upcard.service.server_messages import ChipsShown, PlacedChips
from upcard.service.wire_models import EventSent

PAUSE = 0.15  # seconds between two messages of one table

_OVER = frozenset(("betting-closed", "round-over", "table-closed"))


class Chips:
    """What lies at the tables somebody watches; lives on the event loop."""

    def __init__(self, send: Callable[[str, str], None]) -> None:
        self._send = send  # a text to everybody at a table
        self.lying: dict[str, dict[int, PlacedChips]] = {}
        self._due: dict[str, asyncio.TimerHandle] = {}

    def put(self, table: str, spot: int, player: str, stakes: Mapping[str, int]) -> None:
        """How the chips before a spot lie now; nothing: they were taken back."""
        lying = self.lying.setdefault(table, {})
        if stakes:
            lying[spot] = {"player": player, "stakes": dict(stakes)}
        elif lying.pop(spot, None) is None:
            return
        self._soon(table)

    def record_sent(self, table: str, events: Iterable[EventSent]) -> None:
        """What is handed in, given up or too late lies there no longer; whoever hears the event knows it too."""
        lying = self.lying.get(table)
        if not lying:
            return
        for event in events:
            if event["event"] in _OVER:
                lying.clear()
            elif event["event"] in ("wager-placed", "spot-left"):
                lying.pop(event["spot"], None)

    def gone(self, player: str) -> None:
        """Nobody holds his chips any more."""
        for table, lying in self.lying.items():
            own = [spot for spot, chips in lying.items() if chips["player"] == player]
            for spot in own:
                del lying[spot]
            if own:
                self._soon(table)

    def forget(self, table: str) -> None:
        """Nobody looks any more, so nobody hears what becomes of them either."""
        self.lying.pop(table, None)

    def message(self, table: str) -> str | None:
        """How the chips lie, for somebody who comes; None: there are none."""
        return self._text(table) if self.lying.get(table) else None

    def _soon(self, table: str) -> None:
        if table not in self._due:
            self._due[table] = asyncio.get_running_loop().call_later(PAUSE, self._now, table)

    def _now(self, table: str) -> None:
        del self._due[table]
        self._send(table, self._text(table))
        if not self.lying.get(table):
            self.lying.pop(table, None)

    def _text(self, table: str) -> str:
        spots = {str(spot): chips for spot, chips in sorted(self.lying.get(table, {}).items())}
        shown: ChipsShown = {"type": "chips", "table": table, "spots": spots}
        return encode(shown)
