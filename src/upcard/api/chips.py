"""Chips that lie in circles and are not handed in yet: shown to everybody at the table, and never booked.

However fast players move them, a table is told a few times a second at most, and then how all of them lie now.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from upcard.engine import Terms
from upcard.engine.amounts import stake_range
from upcard.engine.round import Phase
from upcard.pit.terms import derive
from upcard.service.live_table import LiveTable
from upcard.units import Cents

PAUSE = 0.15  # seconds between two messages of one table

Stakes = Mapping[str, int]
_OVER = frozenset(("betting-closed", "round-over", "table-closed"))


def fits_limits(live: LiveTable, player: str, spot: int, stakes: Stakes) -> bool:
    """Whether a player may put these chips before his spot now: his own circles, within their limits."""
    state = live.table.round
    if live.table.seats.get(spot) != player or (state is not None and state.phase is not Phase.BETTING):
        return False
    terms = live.table.terms or derive(live.table)
    placed = {name: Cents(amount) for name, amount in stakes.items()}
    known = all(name in terms.wagers and (terms.wagers[name].equals or name) in placed for name in placed)
    return known and all(_fits(terms, name, placed) for name in placed)


def _fits(terms: Terms, name: str, placed: Mapping[str, Cents]) -> bool:
    """A stack that grows may still be below the least."""
    allowed = stake_range(terms, terms.wagers[name], placed)
    return placed[name] in allowed.only or 0 < placed[name] <= allowed.most


class Chips:
    """What lies at the tables somebody watches; lives on the event loop."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._lying: dict[str, dict[int, tuple[str, Stakes]]] = {}
        self._due: dict[str, asyncio.TimerHandle] = {}

    def put(self, table: str, spot: int, player: str, stakes: Stakes) -> None:
        """How the chips before a spot lie now; nothing: they were taken back."""
        lying = self._lying.setdefault(table, {})
        if stakes:
            lying[spot] = (player, dict(stakes))
        elif lying.pop(spot, None) is None:
            return
        self._soon(table)

    def moved(self, table: str, events: Iterable[Mapping[str, Any]]) -> None:
        """What is handed in, given up or too late lies there no longer; whoever hears the event knows it too."""
        lying = self._lying.get(table)
        if not lying:
            return
        for event in events:
            if event["event"] in _OVER:
                lying.clear()
            elif event["event"] in ("wager-placed", "spot-left"):
                lying.pop(event["spot"], None)

    def gone(self, player: str) -> None:
        """Nobody holds his chips any more."""
        for table, lying in self._lying.items():
            own = [spot for spot, (owner, _) in lying.items() if owner == player]
            for spot in own:
                del lying[spot]
            if own:
                self._soon(table)

    def forget(self, table: str) -> None:
        """Nobody looks any more, so nobody hears what becomes of them either."""
        self._lying.pop(table, None)

    def message(self, table: str) -> str | None:
        """How the chips lie, for somebody who comes; None: there are none."""
        return self._text(table) if self._lying.get(table) else None

    def _soon(self, table: str) -> None:
        if table not in self._due:
            self._due[table] = asyncio.get_running_loop().call_later(PAUSE, self._now, table)

    def _now(self, table: str) -> None:
        del self._due[table]
        self._tell(table, self._text(table))
        if not self._lying.get(table):
            self._lying.pop(table, None)

    def _text(self, table: str) -> str:
        spots = {
            str(spot): {"player": player, "stakes": stakes}
            for spot, (player, stakes) in sorted(self._lying.get(table, {}).items())
        }
        return json.dumps({"type": "chips", "table": table, "spots": spots}, separators=(",", ":"))
