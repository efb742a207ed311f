"""SeatFiller at a table: bots that take the free seats when somebody asks, play at a person's pace, and go when asked.

They wager once somebody else has: a table of bots alone plays nothing. One seat always stays free for another guest.
What they do is in the records like anybody's; after a restart those who sit there are found again by their names.
"""

import secrets
import threading
from collections.abc import Sequence
from contextlib import suppress

import structlog

from upcard.engine.awaiting import Wagers, awaiting
from upcard.service import commands as s
from upcard.service.bots import Bot, Said, role_of
from upcard.service.live_table import LiveTable
from upcard.service.pending import TableUpdate
from upcard.service.refusals import Refused
from upcard.service.running import Service
from upcard.strategy import usual

_log = structlog.get_logger("upcard.company")

_MARK = " (bot)"  # no person's name has brackets
NAMES = tuple(f"{name}{_MARK}" for name in ("Ada", "Blaise", "Clara", "Dov", "Emmy", "Felix", "Grace", "Hugo", "Ida"))
KEPT_FREE = 1
IDLE = 0.5  # seconds between two looks at tables where nothing happens


def is_bot(player: str) -> bool:
    """Whether this is one of the company."""
    return player.endswith(_MARK)


class SeatFiller:
    """All bots of a service, in one thread."""

    def __init__(self, service: Service, *, pace: float) -> None:
        self.service, self.pace = service, pace
        self._bots: dict[str, list[Bot]] = {}  # by table
        self._lock = threading.Lock()
        self._wake, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-company", daemon=True)

    def start(self) -> None:
        """Those who sit at tables already play on."""
        for table in self.service.queries.tables():
            with suppress(Refused):
                live = self.service.desk.live(table)
                found = [_bot(player) for player in live.players if is_bot(player)]
                if found:
                    self._bots[table] = found
        self.service.desk.watchers.append(self._see)
        self._thread.start()

    def stop(self) -> None:
        """They stay where they sit, for the next start."""
        self._over.set()
        self._wake.set()
        self._thread.join(5)

    def wanted(self, table: str, bots: int) -> list[str]:
        """So many bots at a table, as far as there are seats; they come and go between rounds. Tells who they are."""
        live = self.service.desk.live(table)
        seated = [player for player in live.players if is_bot(player)]
        free = live.table.layout.spots - len(live.table.seats)
        names = (*seated, *(name for name in NAMES if name not in seated))
        most = max(0, min(bots, len(seated) + free - KEPT_FREE))
        with self._lock:
            known = {bot.player: bot for bot in self._bots.get(table, ())}
            self._bots[table] = [known.get(name) or _bot(name) for name in names[:most]]
        self._wake.set()
        return list(names[:most])

    def _see(self, moved: Sequence[TableUpdate]) -> None:
        if any(one.live.name in self._bots for one in moved):
            self._wake.set()

    def _run(self) -> None:
        while not self._over.is_set():
            self._wake.wait(IDLE if self._bots else None)
            self._wake.clear()
            for table in tuple(self._bots):
                try:
                    self._turn(table)
                except Refused as refused:
                    _log.info("a bot was refused", table=table, why=str(refused))
                except Exception as wrong:  # a table that is stopped, a database that rests: the others play on
                    _log.warning("the company cannot play", table=table, why=str(wrong))
            self._over.wait(self.pace)

    def _turn(self, table: str) -> None:
        """One thing is said at a table: by somebody who has to go, else by the first who has something to say."""
        live = self.service.desk.live(table)
        with self._lock:
            bots = list(self._bots.get(table, ()))
        if live.table.round is None:
            guests = [player for player in live.players if not is_bot(player)]
            stay = {bot.player for bot in bots} if guests else set()
            for player in live.players:
                if is_bot(player) and player not in stay:
                    self._ask(s.Leave(table=table, player=player), player)
            if not stay:
                with self._lock:
                    self._bots.pop(table, None)
                return
        for bot in bots:
            said = self._next(live, bot)
            if said is not None:
                try:
                    self._ask(said, bot.player)
                except Refused:
                    bot.was_refused(said, live)
                    raise
                self._wake.set()  # there may be more to say
                return

    def _next(self, live: LiveTable, bot: Bot) -> Said | None:
        if bot.player in live.absent:
            return s.Back(table=live.name, player=bot.player)
        if bot.player in live.players and not _somebody_bets(live):
            return None
        return bot.next(live, lambda: self.service.queries.bankroll(bot.player))

    def _ask(self, command: s.Command, player: str) -> None:
        role = role_of(command) if isinstance(command, s.BuyIn) else "player"
        name = f"company-{secrets.token_hex(8)}"
        self.service.desk.submit(command, id=name, actor=player, role=role).result()


def _bot(player: str) -> Bot:
    return Bot(player, usual())


def _somebody_bets(live: LiveTable) -> bool:
    """Whether a round runs that one of the guests has begun, or that the bots themselves are in."""
    state, terms = live.table.round, live.table.terms
    if state is None or terms is None:
        return False
    if isinstance(awaiting(state, terms), Wagers):
        return any(not is_bot(spot.player) for spot in state.spots)
    return True
