"""Fills a demo table's free seats with bots on request; they play at a person's pace and leave on request.

Bots bet only after a guest has bet. One seat always stays free for another guest. Their commands are recorded like
anybody's; after a restart, seated bots are recognized by their names.
"""

import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

import structlog

from upcard.engine.awaiting import Wagers, awaiting
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.bots import Bot, BotCommand, role_of
from upcard.service.live_table import LiveTable
from upcard.service.pending import TableUpdate
from upcard.service.refusals import Refused
from upcard.service.running import Service
from upcard.strategy import usual

_log = structlog.get_logger("upcard.seat_filler")

_BOT_SUFFIX = " (bot)"  # people's names have no brackets
NAMES = tuple(
    f"{name}{_BOT_SUFFIX}" for name in ("Ada", "Blaise", "Clara", "Dov", "Emmy", "Felix", "Grace", "Hugo", "Ida")
)
ACTOR = "demo"
FREE_SEATS = 1
IDLE_SECONDS = 0.5  # between two checks of tables where nothing happens


def is_bot(player: str) -> bool:
    return player.endswith(_BOT_SUFFIX)


class SeatFiller:
    """All bots of a service, in one thread."""

    def __init__(self, service: Service, *, pace: float) -> None:
        self.service, self.pace = service, pace
        self._bots: dict[str, list[Bot]] = {}  # by table
        self._speeds: dict[str, float] = {}  # by table, where a player chose one
        self._acted: dict[str, float] = {}  # by table: when a bot last acted
        self._lock = threading.Lock()
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-seat-filler", daemon=True)

    def start(self) -> None:
        """Opens the bots' names at the cage, and takes over the bots that are already seated."""
        self.service.people(clock=None, cost=None).add_players(NAMES, actor=ACTOR)
        for table in self.service.queries.tables():
            with suppress(UpcardError):  # stopped: the floor has to reset it
                live = self.service.desk.live(table)
                bots = [_bot(player) for player in live.players if is_bot(player)]
                if bots:
                    self._bots[table] = bots
        self.service.desk.watchers.append(self._on_updates)
        self._thread.start()

    def stop(self) -> None:
        """Stops the thread; the bots stay seated until the next start."""
        self._stopped.set()
        self._wake.set()
        self._thread.join(5)

    def set_bots(self, table: str, bots: int, speed: float = 1.0) -> list[str]:
        """Sets the number of bots at a table, as far as there are seats, and how many times as fast as usual they play.
        They come and go between rounds."""
        live = self.service.desk.live(table)
        seated = [player for player in live.players if is_bot(player)]
        free = live.table.layout.spots - len(live.table.seats)
        names = (*seated, *(name for name in NAMES if name not in seated))
        most = max(0, min(bots, len(seated) + free - FREE_SEATS))
        with self._lock:
            seated_bots = {bot.player: bot for bot in self._bots.get(table, ())}
            self._speeds[table] = speed
            self._bots[table] = [seated_bots.get(name) or _bot(name) for name in names[:most]]
        self._wake.set()
        return list(names[:most])

    def _on_updates(self, updates: Sequence[TableUpdate]) -> None:
        if any(update.live.name in self._bots for update in updates):
            self._wake.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait(IDLE_SECONDS if self._bots else None)
            self._wake.clear()
            for table in tuple(self._bots):
                try:
                    if self._wait_for(table) <= 0:
                        self._act(table)
                except Refused as refused:
                    _log.info("a bot's command was refused", table=table, why=str(refused))
                except Exception as error:  # a stopped table or a database error: bots at other tables play on
                    _log.warning("the bots cannot play", table=table, why=str(error))
            soonest = min(map(self._wait_for, tuple(self._bots)), default=0.0)
            if soonest > 0:
                self._stopped.wait(soonest)
                self._wake.set()

    def _wait_for(self, table: str) -> float:
        """Seconds until a bot at the table may act again."""
        pace = self.pace / self._speeds.get(table, 1.0)
        return self._acted.get(table, -pace) + pace - time.monotonic()

    def _act(self, table: str) -> None:
        """Sends away bots that must leave; otherwise submits the first command that a bot has."""
        live = self.service.desk.live(table)
        with self._lock:
            bots = list(self._bots.get(table, ()))
        if live.table.round is None:
            guests = [player for player in live.players if not is_bot(player)]
            stay = {bot.player for bot in bots} if guests else set()
            for player in live.players:
                if is_bot(player) and player not in stay:
                    self._submit(s.Leave(table=table, player=player), player)
            if not stay:
                with self._lock:
                    self._bots.pop(table, None)
                return
        for bot in bots:
            command = self._next(live, bot)
            if command is not None:
                try:
                    self._submit(command, bot.player)
                except Refused:
                    bot.was_refused(command, live)
                    raise
                self._acted[table] = time.monotonic()
                self._wake.set()  # another bot may have a command
                return

    def _next(self, live: LiveTable, bot: Bot) -> BotCommand | None:
        if bot.player in live.absent:
            return s.Back(table=live.name, player=bot.player)
        if bot.player in live.players and not _guest_is_betting(live):
            return None
        return bot.next(live, lambda: self.service.queries.bankroll(bot.player))

    def _submit(self, command: s.Command, player: str) -> None:
        role = role_of(command) if isinstance(command, s.BuyIn) else "player"
        name = f"company-{secrets.token_hex(8)}"
        self.service.desk.submit(command, id=name, actor=player, role=role).result()


def _bot(player: str) -> Bot:
    return Bot(player, usual())


def _guest_is_betting(live: LiveTable) -> bool:
    """Whether a guest has bet in the round, or the betting is over."""
    state, terms = live.table.round, live.table.terms
    if state is None or terms is None:
        return False
    if isinstance(awaiting(state, terms), Wagers):
        return any(not is_bot(spot.player) for spot in state.spots)
    return True
