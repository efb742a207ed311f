"""A floor of bots: all tables of a run played side by side, until each has its rounds or somebody stops them."""

import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field

from upcard.cli.commands.bots import BotsOptions
from upcard.service import commands as s
from upcard.service.bots import Bot, Said, role_of
from upcard.service.live_table import LiveTable
from upcard.service.pending import Answer, TableUpdate
from upcard.service.refusals import Refused
from upcard.service.running import Service

MOST_REFUSALS = 20  # in a row at one table
PATIENCE = 0.05  # seconds, before bots look again whether it is their turn


@dataclass
class Seating:
    """A table, its bots, and how far they are."""

    table: str
    bots: Sequence[Bot]
    rounds: int = 0
    refusals: int = 0
    in_a_row: int = 0
    stuck: str = ""
    staked: int = 0
    back: int = 0


@dataclass
class Floor:
    """All tables, played side by side: whatever bots say at the same moment is kept with one commit."""

    service: Service
    options: BotsOptions
    seatings: list[Seating]
    lives: dict[str, LiveTable] = field(default_factory=dict)
    run: str = field(default_factory=lambda: secrets.token_hex(6))
    said: int = 0
    stopping: bool = False

    def play(self) -> Iterator[int]:
        """Plays until every table has its rounds, or the hands are over after a stop; tells rounds as they end."""
        self.service.desk.watchers.append(self._see)
        for seating in self.seatings:
            self.lives[seating.table] = self.service.desk.live(seating.table)
        while True:
            asked = [one for seating in self.seatings for one in self._say(seating)]
            if not asked:
                if not self._waits():
                    return
                time.sleep(PATIENCE)
                continue
            before = sum(seating.rounds for seating in self.seatings)
            for seating, bot, command, future in asked:
                self._hear(seating, bot, command, future)
            yield sum(seating.rounds for seating in self.seatings) - before
            if self.options.pace:
                time.sleep(self.options.pace)

    def _waits(self) -> bool:
        """Whether a round is on the felt in which the clock or somebody else has the next word."""
        played = [one.table for one in self.seatings if not one.stuck]
        running = [table for table in played if self.lives[table].table.round is not None]
        for table in running:
            self.lives[table] = self.service.desk.live(table)  # another process may have moved it
        return bool(running)

    def leave(self) -> None:
        """The bots get up, and keep their chips for another day; where they may not, they stay."""
        for seating in self.seatings:
            live = self.lives[seating.table]
            for bot in seating.bots:
                if bot.player in live.players and live.table.round is None:
                    with suppress(Refused):
                        self._ask(s.Leave(table=seating.table, player=bot.player), bot.player).result()

    def _see(self, moved: Sequence[TableUpdate]) -> None:
        for one in moved:
            self.lives[one.live.name] = one.live

    def _say(self, seating: Seating) -> Iterator[tuple[Seating, Bot, Said, "Future[Answer]"]]:
        live = self.lives[seating.table]
        over = seating.rounds >= self.options.rounds or self.stopping
        if seating.stuck or (over and live.table.round is None):
            return
        for bot in seating.bots:
            command = bot.next(live, lambda bot=bot: self.service.queries.bankroll(bot.player))  # type: ignore[misc]  # a default binds the loop's own value
            if command is not None:
                yield seating, bot, command, self._ask(command, bot.player)
            if isinstance(command, s.Seat):
                return  # the next one sees which spot is taken

    def _ask(self, command: Said, player: str) -> "Future[Answer]":
        self.said += 1
        return self.service.desk.ask(command, id=f"bots-{self.run}-{self.said}", actor=player, role=role_of(command))

    def _hear(self, seating: Seating, bot: Bot, command: Said, future: "Future[Answer]") -> None:
        try:
            answer = future.result()
        except Refused as refused:
            seating.refusals += 1
            seating.in_a_row += 1
            if seating.in_a_row == MOST_REFUSALS:
                seating.stuck = str(refused)
            bot.was_refused(command, self.lives[seating.table])
            return
        seating.in_a_row = 0
        for event in answer.events:
            if event["event"] == "slip":
                seating.staked += event["stake"]
                seating.back += event["paid"] + event["returned"]
            elif event["event"] == "round-over":
                seating.rounds += 1
