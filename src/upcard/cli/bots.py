"""`upcard bots`: tables played by bots through a service of its own, in a book that is sound afterwards."""

import gc
import secrets
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from upcard.catalog import shipped
from upcard.catalog.layout import Layout
from upcard.cli.output import counted, write_json, write_lines
from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.asking import Answer, Moved
from upcard.service.bots import Bot
from upcard.service.desk import utc_now
from upcard.service.live import Live
from upcard.service.refusals import Refused
from upcard.service.running import Service, serving
from upcard.strategy import Chart, load, usual
from upcard.units import dollars

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

ACTOR = "bots"
TRAY = 100_000_000
MOST_REFUSALS = 20  # in a row at one table


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the user asked for."""

    layout: str
    tables: int
    named: tuple[str, ...]  # tables that are there already
    players: int
    rounds: int  # at each table
    pace: float
    chart: str
    key: Path | None


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
    wish: Wish
    seatings: list[Seating]
    lives: dict[str, Live] = field(default_factory=dict)
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
                return
            before = sum(seating.rounds for seating in self.seatings)
            for seating, bot, command, future in asked:
                self._hear(seating, bot, command, future)
            yield sum(seating.rounds for seating in self.seatings) - before
            if self.wish.pace:
                time.sleep(self.wish.pace)

    def leave(self) -> None:
        """The bots get up, and keep their chips for another day."""
        for seating in self.seatings:
            live = self.lives[seating.table]
            for bot in seating.bots:
                if bot.player in live.players and live.table.round is None:
                    self._ask(s.Leave(table=seating.table, player=bot.player), bot.player).result()

    def _see(self, moved: Sequence[Moved]) -> None:
        for one in moved:
            self.lives[one.live.name] = one.live

    def _say(self, seating: Seating) -> Iterator[tuple[Seating, Bot, s.ByPlayers, "Future[Answer]"]]:
        live = self.lives[seating.table]
        over = seating.rounds >= self.wish.rounds or self.stopping
        if seating.stuck or (over and live.table.round is None):
            return
        for bot in seating.bots:
            command = bot.next(live, lambda bot=bot: self.service.queries.bankroll(bot.player))  # type: ignore[misc]
            if command is not None:
                yield seating, bot, command, self._ask(command, bot.player)
            if isinstance(command, s.Seat):
                return  # the next one sees which spot is taken

    def _ask(self, command: s.ByPlayers, player: str) -> "Future[Answer]":
        self.said += 1
        return self.service.desk.ask(command, id=f"bots-{self.run}-{self.said}", actor=player, role="player")

    def _hear(self, seating: Seating, bot: Bot, command: s.ByPlayers, future: "Future[Answer]") -> None:
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


def show(book: str, wish: Wish, *, as_json: bool) -> bool:
    """Plays, and tells what was done; False: a table could not go on."""
    layout = shipped().layout(wish.layout)
    _check(wish, layout)
    chart = _chart(wish.chart, layout)
    gc.enable()  # this may run for hours
    started = time.monotonic()
    with serving(book, key=wish.key) as service:
        _house_opens(service)
        tables = [_open(service, name, layout, wish) for name in _names(wish)]
        floor = Floor(service, wish, [_seating(one, chart, wish) for one in tables])
        with _stopping(floor), _bar(wish, watched=not as_json) as (bar, task):
            for ended in floor.play():
                bar.update(task, advance=ended)
        floor.leave()
    _tell(floor, time.monotonic() - started, as_json=as_json)
    return not any(seating.stuck for seating in floor.seatings)


def _check(wish: Wish, layout: Layout) -> None:
    if not 1 <= wish.players <= layout.spots:
        raise BadRequest(f"--players: {layout.slug} has spots for 1 to {layout.spots}, not {wish.players}")
    if not 1 <= wish.tables <= 1000:
        raise BadRequest(f"--tables: 1 to 1000, not {wish.tables}")
    if wish.rounds < 1:
        raise BadRequest(f"--rounds: at least 1, not {wish.rounds}")
    if not 0 <= wish.pace <= 3600:
        raise BadRequest(f"--pace: 0 to 3600 seconds, not {wish.pace:g}")


def _chart(name: str, layout: Layout) -> Chart:
    """A chart by file; `usual`; or `best`, computed from the layout's rules, which takes seconds."""
    if name == "usual":
        return usual()
    if name != "best":
        return load(Path(name))
    from upcard.odds.main.jit import must_compile, note_compiled
    from upcard.odds.main.rules import from_game
    from upcard.odds.main.shoe import full_shoe
    from upcard.odds.main.solve import solve

    if must_compile("kernel"):
        print("upcard: compiling once, which takes some 20 seconds; later runs start at once", file=sys.stderr)
    rules = layout.rules.over(shipped().game(layout.game).rules)
    found = solve(full_shoe(layout.decks), from_game(rules)).best_chart.chart(f"The best chart of {layout.slug}.")
    note_compiled("kernel")
    return found


def _house_opens(service: Service) -> None:
    """A book without hours gets some: UTC from six in the morning."""
    with service.desk.book.look() as clerk:
        if clerk.house().hours:
            return
    hours = Hours(since=utc_now().date(), zone="UTC", start=6)
    service.desk.do(s.House(request=SetHours(hours=hours)), id=f"hours-{secrets.token_hex(6)}", actor=ACTOR)
    print("upcard: the house had no hours: its gaming days begin at 06:00 UTC", file=sys.stderr)


def _names(wish: Wish) -> tuple[str, ...]:
    return wish.named or tuple(f"{wish.layout}-{number}" for number in range(1, wish.tables + 1))


def _open(service: Service, name: str, layout: Layout, wish: Wish) -> str:
    """A table that is there is used as it is; others open with a full tray and jackpots of their own."""
    if name in service.queries.tables():
        live = service.desk.live(name)
        if live.layout != layout.slug:
            raise BadRequest(f"{name} is a table of {live.layout}, not of {layout.slug}: name it with --layout")
        return name
    if wish.named:
        raise BadRequest(f"there is no table {name!r} in this book; without --table the bots open their own")
    jackpots = {one.wager: f"{name} {one.wager}"[:80].strip() for one in layout.jackpot}
    opening = s.OpenTable(table=name, layout=layout.slug, tray=TRAY, jackpots=jackpots)
    service.desk.do(opening, id=f"open-{name}-{secrets.token_hex(6)}", actor=ACTOR)
    return name


def _seating(table: str, chart: Chart, wish: Wish) -> Seating:
    return Seating(table, [Bot(f"{table} bot {number}", chart) for number in range(1, wish.players + 1)])


@contextmanager
def _stopping(floor: Floor) -> Iterator[None]:
    """Ctrl-C: the hands on the felt are played to their end; a second one ends at once."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        if floor.stopping:
            raise KeyboardInterrupt
        floor.stopping = True

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(wish: Wish, *, watched: bool) -> Iterator[tuple["Progress", "TaskID"]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:.0f} rounds/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate())
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, transient=True, disable=not (watched and terminal.is_terminal)) as bar:
        yield bar, bar.add_task("rounds", total=wish.rounds * len(_names(wish)))


def _tell(floor: Floor, seconds: float, *, as_json: bool) -> None:
    rounds = sum(one.rounds for one in floor.seatings)
    staked, back = sum(one.staked for one in floor.seatings), sum(one.back for one in floor.seatings)
    refusals = sum(one.refusals for one in floor.seatings)
    if as_json:
        told = {
            "tables": [
                {
                    "table": one.table,
                    "players": [bot.player for bot in one.bots],
                    "rounds": one.rounds,
                    "staked": one.staked,
                    "back": one.back,
                    "refusals": one.refusals,
                    "stuck": one.stuck or None,
                }
                for one in floor.seatings
            ],
            "rounds": rounds,
            "commands": floor.said,
            "seconds": round(seconds, 3),
            "stopped": floor.stopping,
        }
        write_json(told)
        return
    write_lines(
        f"{counted(rounds, 'round')} at {counted(len(floor.seatings), 'table')}, {counted(floor.said, 'command')} in "
        f"{seconds:.1f} s{', stopped after the hand' if floor.stopping else ''}",
        f"Staked {dollars(staked)}, given back {dollars(back)}; {counted(refusals, 'refusal')}",
        *(f"{one.table} could not go on: {one.stuck}" for one in floor.seatings if one.stuck),
    )
