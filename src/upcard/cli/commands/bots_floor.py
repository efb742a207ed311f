"""A floor of bots: all tables of a run played side by side, until each has its rounds or somebody stops them."""

import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field

from upcard.cli.commands.bots_options import BotsOptions
from upcard.service import commands as s
from upcard.service.bots import Bot, BotCommand, role_of
from upcard.service.live_table import LiveTable
from upcard.service.pending import Answer, TableUpdate
from upcard.service.refusals import Refused
from upcard.service.running import Service
from upcard.service.wire_models import EventSent

MOST_REFUSALS = 20  # in a row at one table
POLL_SECONDS = 0.05  # seconds, before bots look again whether it is their turn


@dataclass
class BotTable:
    """A table, its bots and their progress."""

    table: str
    bots: Sequence[Bot]
    rounds: int = 0
    refusals: int = 0
    in_a_row: int = 0
    stuck: str = ""
    staked: int = 0
    returned: int = 0
    slips: list[EventSent] = field(default_factory=list)  # of the round in progress

    def end_round(self, *, void: bool) -> None:
        """Counts a round; the slips of a void one were reversed."""
        for slip in () if void else self.slips:
            self.staked += slip["stake"]
            self.returned += slip["paid"] + slip["returned"]
        self.rounds, self.slips = self.rounds + 1, []


@dataclass
class BotFloor:
    """All tables, played side by side: commands that bots send at the same moment share one commit."""

    service: Service
    options: BotsOptions
    bot_tables: list[BotTable]
    lives: dict[str, LiveTable] = field(default_factory=dict)
    run: str = field(default_factory=lambda: secrets.token_hex(6))
    commands_sent: int = 0
    stopping: bool = False

    def play(self) -> Iterator[int]:
        """Plays until every table has its rounds, or after a stop until the hands end; yields rounds ended."""
        self.service.desk.watchers.append(self._take_updates)
        for bot_table in self.bot_tables:
            self.lives[bot_table.table] = self.service.desk.live(bot_table.table)
        while True:
            sent = [command for bot_table in self.bot_tables for command in self._send_next(bot_table)]
            if not sent:
                if not self._round_is_running():
                    return
                time.sleep(POLL_SECONDS)
                continue
            before = sum(bot_table.rounds for bot_table in self.bot_tables)
            for bot_table, bot, command, future in sent:
                self._take_answer(bot_table, bot, command, future)
            yield sum(bot_table.rounds for bot_table in self.bot_tables) - before
            if self.options.pace:
                time.sleep(self.options.pace)

    def _round_is_running(self) -> bool:
        """Whether a round is waiting for a timer or for another player."""
        played = [bot_table.table for bot_table in self.bot_tables if not bot_table.stuck]
        running = [table for table in played if self.lives[table].table.round is not None]
        for table in running:
            self.lives[table] = self.service.desk.live(table)  # another process may have moved it
        return bool(running)

    def leave(self) -> None:
        """The bots leave their seats and keep their chips; where a bot may not leave, it stays."""
        for bot_table in self.bot_tables:
            live = self.lives[bot_table.table]
            for bot in bot_table.bots:
                if bot.player in live.players and live.table.round is None:
                    with suppress(Refused):
                        self._send(s.Leave(table=bot_table.table, player=bot.player), bot.player).result()

    def _take_updates(self, updates: Sequence[TableUpdate]) -> None:
        for update in updates:
            self.lives[update.live.name] = update.live

    def _send_next(self, bot_table: BotTable) -> Iterator[tuple[BotTable, Bot, BotCommand, "Future[Answer]"]]:
        live = self.lives[bot_table.table]
        over = bot_table.rounds >= self.options.rounds or self.stopping
        if bot_table.stuck or (over and live.table.round is None):
            return
        for bot in bot_table.bots:
            command = bot.next(live, lambda bot=bot: self.service.queries.bankroll(bot.player))  # type: ignore[misc]  # a default binds the loop's own value
            if command is not None:
                yield bot_table, bot, command, self._send(command, bot.player)
            if isinstance(command, s.Seat):
                return  # the next one sees which spot is taken

    def _send(self, command: BotCommand, player: str) -> "Future[Answer]":
        self.commands_sent += 1
        return self.service.desk.ask(
            command, id=f"bots-{self.run}-{self.commands_sent}", actor=player, role=role_of(command)
        )

    def _take_answer(self, bot_table: BotTable, bot: Bot, command: BotCommand, future: "Future[Answer]") -> None:
        try:
            answer = future.result()
        except Refused as refused:
            bot_table.refusals += 1
            bot_table.in_a_row += 1
            if bot_table.in_a_row == MOST_REFUSALS:
                bot_table.stuck = str(refused)
            bot.was_refused(command, self.lives[bot_table.table])
            return
        bot_table.in_a_row = 0
        for event in answer.events:
            if event["event"] == "slip":
                bot_table.slips.append(event)
            elif event["event"] == "round-over":
                bot_table.end_round(void=event["void"] is not None)
