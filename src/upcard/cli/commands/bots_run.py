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

from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.readings_in_force import rules_in_force
from upcard.cli.catalog_in_use import catalog_in_use, chart_in_use
from upcard.cli.commands.bots_floor import BotFloor, BotTable
from upcard.cli.commands.bots_options import BotsOptions
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.layout_lookup import find_layout, is_path
from upcard.cli.output import Form, counted, write_json, write_lines
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import utc_now
from upcard.ledger.requests import SetHours
from upcard.ledger.store import is_server
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
    """False: a table got stuck."""
    slug = options.layout
    if is_path(slug) or not (is_server(book) or Path(book).exists()):  # a new book is not made for a mistake
        layout = find_layout(slug)
        _check_options(options, layout)
        slug = layout.slug
    gc.enable()  # this may run for hours
    started = time.monotonic()
    key = None if options.key is None else Path(options.key)
    with serving(book, key=key, catalog=catalog_in_use()) as service:
        layout = service.desk.catalog.layout(slug)  # of the files, or published in the book
        _check_options(options, layout)
        chart = _chart(options.chart, service.desk.catalog, layout)
        _set_default_hours(service)
        tables = [_open_table(service, name, layout, options) for name in _names(options, layout.slug)]
        bot_tables = [_bot_table(table, chart, options) for table in tables]
        names = [bot.player for bot_table in bot_tables for bot in bot_table.bots]
        service.people(clock=None, cost=None).add_players(names, actor=ACTOR)
        floor = BotFloor(service, options, bot_tables)
        with _stop_on_ctrl_c(floor), _progress_bar(options, watched=not as_json) as (bar, task):
            for ended in floor.play():
                bar.update(task, advance=ended)
        floor.leave()
    _show_result(floor, time.monotonic() - started, as_json=as_json)
    return not any(bot_table.stuck for bot_table in floor.bot_tables)


def _check_options(options: BotsOptions, layout: Layout) -> None:
    if not 1 <= options.players <= layout.spots:
        raise BadRequest(f"--players must be between 1 and {layout.spots} at {layout.slug}, not {options.players}")
    if not 1 <= options.tables <= 1000:
        raise BadRequest(f"--tables must be between 1 and 1000, not {options.tables}")
    if options.rounds < 1:
        raise BadRequest(f"--rounds must be at least 1, not {options.rounds}")
    if not 0 <= options.pace <= 3600:
        raise BadRequest(f"--pace must be between 0 and 3600 seconds, not {options.pace:g}")


def _chart(name: str, catalog: Catalog, layout: Layout) -> Chart:
    """A chart by file; `usual`; or `best`, computed from the layout's rules, which takes seconds."""
    rules = from_game(rules_in_force(catalog, layout))
    if not is_cached(name, rules, layout.decks):
        announce_compiling(Form.PEOPLE, "kernel")
    return chart_named(chart_in_use(name), rules, layout.decks)


def _set_default_hours(service: Service) -> None:
    """A book without hours gets gaming days that start at 06:00 UTC."""
    with service.desk.book.look() as clerk:
        if clerk.house().hours:
            return
    hours = Hours(since=utc_now().date(), zone="UTC", start=6)
    service.desk.do(s.House(request=SetHours(hours=hours)), id=f"hours-{secrets.token_hex(6)}", actor=ACTOR)
    print("upcard: the house had no hours; its gaming days now start at 06:00 UTC", file=sys.stderr)


def _names(options: BotsOptions, slug: str) -> list[str]:
    return options.table or [f"{slug}-{number}" for number in range(1, options.tables + 1)]


def _open_table(service: Service, name: str, layout: Layout, options: BotsOptions) -> str:
    """Uses an existing table as it is; a new one opens with a full tray and its own jackpots."""
    if name in service.queries.tables():
        live = service.desk.live(name)
        if live.layout != layout.slug:
            raise BadRequest(f"{name} has the layout {live.layout}, not {layout.slug}: use --layout {live.layout}")
        return name
    if options.table:
        raise BadRequest(f"there is no table {name!r} in this book: leave out --table, and the bots open their own")
    jackpots = {jackpot.wager: f"{name} {jackpot.wager}"[:80].strip() for jackpot in layout.jackpot}
    opening = s.OpenTable(table=name, layout=layout.slug, tray=TRAY, jackpots=jackpots)
    service.desk.do(opening, id=f"open-{name}-{secrets.token_hex(6)}", actor=ACTOR)
    return name


def _bot_table(table: str, chart: Chart, options: BotsOptions) -> BotTable:
    return BotTable(table, [Bot(f"{table} bot {number}", chart) for number in range(1, options.players + 1)])


@contextmanager
def _stop_on_ctrl_c(floor: BotFloor) -> Iterator[None]:
    """The first Ctrl-C lets the bots finish their hands; the second ends at once."""

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
def _progress_bar(options: BotsOptions, *, watched: bool) -> Iterator[tuple["Progress", "TaskID"]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:.0f} rounds/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate())
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, transient=True, disable=not (watched and terminal.is_terminal)) as bar:
        yield bar, bar.add_task("rounds", total=options.rounds * (len(options.table) or options.tables))


def _show_result(floor: BotFloor, seconds: float, *, as_json: bool) -> None:
    rounds = sum(bot_table.rounds for bot_table in floor.bot_tables)
    staked = sum(bot_table.staked for bot_table in floor.bot_tables)
    returned = sum(bot_table.returned for bot_table in floor.bot_tables)
    refusals = sum(bot_table.refusals for bot_table in floor.bot_tables)
    if as_json:
        result = {
            "tables": [
                {
                    "table": bot_table.table,
                    "players": [bot.player for bot in bot_table.bots],
                    "rounds": bot_table.rounds,
                    "staked": bot_table.staked,
                    "back": bot_table.returned,
                    "refusals": bot_table.refusals,
                    "stuck": bot_table.stuck or None,
                }
                for bot_table in floor.bot_tables
            ],
            "rounds": rounds,
            "commands": floor.commands_sent,
            "seconds": round(seconds, 3),
            "stopped": floor.stopping,
        }
        write_json(result)
        return
    write_lines(
        f"{counted(rounds, 'round')} at {counted(len(floor.bot_tables), 'table')}, "
        f"{counted(floor.commands_sent, 'command')} in "
        f"{seconds:.1f} s{', stopped after the hand' if floor.stopping else ''}",
        f"Wagered {dollars(staked)}, returned {dollars(returned)}; {counted(refusals, 'refusal')}",
        *(f"{bot_table.table} is stuck: {bot_table.stuck}" for bot_table in floor.bot_tables if bot_table.stuck),
    )
