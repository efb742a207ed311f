"""Chips in circles that are not bet yet: shown to everybody at the table, never recorded.

However fast players move them, a table gets at most a few messages per second, each with all chips as they are now.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from upcard.api.messages import encode
from upcard.service.server_messages import ChipsShown, PlacedChips
from upcard.service.wire_models import EventSent

SEND_SECONDS = 0.15  # between two messages to one table

_CLEARING_EVENTS = frozenset(("betting-closed", "round-over", "table-closed"))


class Chips:
    """The chips at watched tables; belongs to the event loop."""

    def __init__(self, send: Callable[[str, str], None]) -> None:
        self._send = send  # sends a text to everybody at a table
        self.lying: dict[str, dict[int, PlacedChips]] = {}
        self._due: dict[str, asyncio.TimerHandle] = {}

    def put(self, table: str, spot: int, player: str, stakes: Mapping[str, int]) -> None:
        """Sets the chips at a spot; empty stakes remove them."""
        lying = self.lying.setdefault(table, {})
        if stakes:
            lying[spot] = {"player": player, "stakes": dict(stakes)}
        elif lying.pop(spot, None) is None:
            return
        self._schedule(table)

    def record_sent(self, table: str, events: Iterable[EventSent]) -> None:
        """Removes chips that were bet, left behind or too late; clients do the same on the event."""
        lying = self.lying.get(table)
        if not lying:
            return
        for event in events:
            if event["event"] in _CLEARING_EVENTS:
                lying.clear()
            elif event["event"] in ("wager-placed", "spot-left"):
                lying.pop(event["spot"], None)

    def remove_player(self, player: str) -> None:
        """Removes a player's chips everywhere."""
        for table, lying in self.lying.items():
            spots = [spot for spot, chips in lying.items() if chips["player"] == player]
            for spot in spots:
                del lying[spot]
            if spots:
                self._schedule(table)

    def forget(self, table: str) -> None:
        """Forgets the chips of a table that nobody watches."""
        self.lying.pop(table, None)

    def message(self, table: str) -> str | None:
        """The chips at a table, for a new watcher; None if there are none."""
        return self._text(table) if self.lying.get(table) else None

    def _schedule(self, table: str) -> None:
        if table not in self._due:
            self._due[table] = asyncio.get_running_loop().call_later(SEND_SECONDS, self._send_now, table)

    def _send_now(self, table: str) -> None:
        del self._due[table]
        self._send(table, self._text(table))
        if not self.lying.get(table):
            self.lying.pop(table, None)

    def _text(self, table: str) -> str:
        spots = {str(spot): chips for spot, chips in sorted(self.lying.get(table, {}).items())}
        message: ChipsShown = {"type": "chips", "table": table, "spots": spots}
        return encode(message)
