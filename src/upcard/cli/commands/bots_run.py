"""`upcard bots`: tables played by bots through a service of its own, in a book that is sound afterwards."""

import gc
import secrets
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from upcard.catalog import shipped
from upcard.catalog.layout import Layout
from upcard.cli.commands.bots import BotsOptions
from upcard.cli.commands.bots_floor import Floor, Seating
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.output import Form, counted, write_json, write_lines
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import utc_now
from upcard.ledger.requests import SetHours
from upcard.odds.main.rules import from_game
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.bots import Bot
from upcard.service.running import Service, serving
from upcard.sim.charts import chart_named, is_cached
from upcard.strategy import Chart
from upcard.units import dollars

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

ACTOR = "bots"
TRAY = 100_000_000


def run_bots(book: str, options: BotsOptions, *, as_json: bool) -> bool:
    """Plays, and tells what was done; False: a table could not go on."""
    layout = shipped().layout(options.layout)
    _check(options, layout)
    chart = _chart(options.chart, layout)
    gc.enable()  # this may run for hours
    started = time.monotonic()
    key = None if options.key is None else Path(options.key)
    with serving(book, key=key) as service:
        _house_opens(service)
        tables = [_open(service, name, layout, options) for name in _names(options)]
        floor = Floor(service, options, [_seating(one, chart, options) for one in tables])
        with _stopping(floor), _bar(options, watched=not as_json) as (bar, task):
            for ended in floor.play():
                bar.update(task, advance=ended)
        floor.leave()
    _tell(floor, time.monotonic() - started, as_json=as_json)
    return not any(seating.stuck for seating in floor.seatings)


def _check(options: BotsOptions, layout: Layout) -> None:
    if not 1 <= options.players <= layout.spots:
        raise BadRequest(f"--players must be between 1 and {layout.spots} at {layout.slug}, not {options.players}")
    if not 1 <= options.tables <= 1000:
        raise BadRequest(f"--tables must be between 1 and 1000, not {options.tables}")
    if options.rounds < 1:
        raise BadRequest(f"--rounds must be at least 1, not {options.rounds}")
    if not 0 <= options.pace <= 3600:
        raise BadRequest(f"--pace must be between 0 and 3600 seconds, not {options.pace:g}")


def _chart(name: str, layout: Layout) -> Chart:
    """A chart by file; `usual`; or `best`, computed from the layout's rules, which takes seconds."""
    rules = from_game(layout.rules.over(shipped().game(layout.game).rules))
    if not is_cached(name, rules, layout.decks):
        announce_compiling(Form.PEOPLE, "kernel")
    return chart_named(name, rules, layout.decks)


def _house_opens(service: Service) -> None:
    """A book without hours gets some: UTC from six in the morning."""
    with service.desk.book.look() as clerk:
        if clerk.house().hours:
            return
    hours = Hours(since=utc_now().date(), zone="UTC", start=6)
    service.desk.do(s.House(request=SetHours(hours=hours)), id=f"hours-{secrets.token_hex(6)}", actor=ACTOR)
    print("upcard: the house had no hours; its gaming days now start at 06:00 UTC", file=sys.stderr)


def _names(options: BotsOptions) -> list[str]:
    return options.table or [f"{options.layout}-{number}" for number in range(1, options.tables + 1)]


def _open(service: Service, name: str, layout: Layout, options: BotsOptions) -> str:
    """A table that is there is used as it is; others open with a full tray and jackpots of their own."""
    if name in service.queries.tables():
        live = service.desk.live(name)
        if live.layout != layout.slug:
            raise BadRequest(f"{name} has the layout {live.layout}, not {layout.slug}: use --layout {live.layout}")
        return name
    if options.table:
        raise BadRequest(f"there is no table {name!r} in this book: leave out --table, and the bots open their own")
    jackpots = {one.wager: f"{name} {one.wager}"[:80].strip() for one in layout.jackpot}
    opening = s.OpenTable(table=name, layout=layout.slug, tray=TRAY, jackpots=jackpots)
    service.desk.do(opening, id=f"open-{name}-{secrets.token_hex(6)}", actor=ACTOR)
    return name


def _seating(table: str, chart: Chart, options: BotsOptions) -> Seating:
    return Seating(table, [Bot(f"{table} bot {number}", chart) for number in range(1, options.players + 1)])


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
def _bar(options: BotsOptions, *, watched: bool) -> Iterator[tuple["Progress", "TaskID"]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:.0f} rounds/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate())
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, transient=True, disable=not (watched and terminal.is_terminal)) as bar:
        yield bar, bar.add_task("rounds", total=options.rounds * len(_names(options)))


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
        f"Wagered {dollars(staked)}, returned {dollars(back)}; {counted(refusals, 'refusal')}",
        *(f"{one.table} is stuck: {one.stuck}" for one in floor.seatings if one.stuck),
    )
