"""Bots play every layout through the service, whatever a table asks of them, and leave a sound book."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

import pytest
from support.cli_runner import upcard

from upcard.cards import Card, read_cards
from upcard.catalog import shipped
from upcard.cli.commands.bots_floor import BotFloor, BotTable
from upcard.cli.commands.bots_options import BotsOptions
from upcard.ledger.check import check
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import utc_now
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.bots import Bot, role_of
from upcard.service.live_table import LiveTable
from upcard.service.running import Service, bootstrap, serving
from upcard.strategy import usual

KEY = bytes(range(32))
UPCARD = str(Path(sys.executable).with_name("upcard"))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    store = Store.create(str(tmp_path / "book.db"), Keyring([KEY]))
    service_ = bootstrap(store, clock=utc_now, entropy=lambda size: bytes(size))
    hours = Hours(since=date(2026, 1, 1), zone="UTC", start=6)
    service_.desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="Dana")
    yield service_
    store.close()


def open_table(service: Service, layout: str) -> None:
    jackpots = {jackpot.wager: f"{layout} {jackpot.wager}" for jackpot in shipped().layouts[layout].jackpot}
    opening = s.OpenTable(table=layout, layout=layout, tray=10_000_000, jackpots=jackpots)
    service.desk.do(opening, id=f"open-{layout}", actor="Dana")


def play(service: Service, table: str, bots: list[Bot], rounds: int) -> set[str]:
    """Plays rounds; gives every event there was. No bot is ever refused."""
    events: list[str] = []
    number = 0
    while events.count("round-over") < rounds:
        before = number
        for bot in bots:
            command = bot.next(service.desk.live(table), lambda bot=bot: service.queries.bankroll(bot.player))  # type: ignore[misc]  # a default binds the loop's own value
            if command is not None:
                number += 1
                name = f"{table}-{len(events)}-{number}"
                answer = service.desk.do(command, id=name, actor=bot.player, role=role_of(command))
                events += [event["event"] for event in answer.events] + [command.do]
        if number == before:
            break
    return set(events)


def test_bots_play_every_layout_and_every_wager_of_it_without_a_refusal(service: Service) -> None:
    kinds: set[str] = set()
    for layout in shipped().layouts:
        open_table(service, layout)
        kinds |= play(service, layout, [Bot(f"{layout} {number}", usual()) for number in (1, 2)], 6)
        with service.desk.store.view() as unit:
            wagers = {row.wager for row in unit.connection.exec_driver_sql(_WAGERS, {"table": f"table:{layout}"})}
        offered = [wager.name for wager in shipped().layouts[layout].wager]
        most = shipped().game(shipped().layouts[layout].game).layout_limits.wagers_a_player
        assert len(wagers & set(offered)) == min(len(offered), most or len(offered))
    assert {"decline-insurance", "double", "split", "hit", "stay", "surrender"} & kinds
    with service.desk.store.view() as unit:
        assert check(unit).sound


_WAGERS = (
    "SELECT DISTINCT json_extract(stake.value, '$[0]') AS wager "
    "FROM entries, json_each(json_extract(request, '$.stakes')) AS stake "
    "WHERE chain = :table AND json_extract(request, '$.order') = 'place-stakes'"
)


def test_a_bot_with_few_chips_plays_on_and_sits_out_when_it_has_no_cash(service: Service) -> None:
    """It doubles and splits only what it can pay, buys in while it has cash, and never is refused."""
    open_table(service, "the-brook")
    bot = Bot("Bob", usual(), buy_in=1_000, cash=20_000)
    events = play(service, "the-brook", [bot], 500)
    assert {"buy-in", "sit-out"} <= events
    assert bot.cash == 0
    assert service.queries.bankroll("Bob") < 500
    assert bot.next(service.desk.live("the-brook"), lambda: 0) is None


def test_a_bot_hits_where_it_cannot_pay_for_the_double(service: Service) -> None:
    open_table(service, "bet-bigger")
    bot = Bot("Bob", usual())
    live = until_a_decision(service, bot)
    spot = live.table.round.spots[0] if live.table.round else None
    assert spot is not None
    hand = spot.hands[0]
    doubling = live_with(live, read_cards("6h 5c"), read_cards("6d"))
    assert isinstance(bot.next(doubling, lambda: sum(hand.stakes.values())), s.Double)
    assert isinstance(bot.next(doubling, lambda: 0), s.Hit)
    splitting = live_with(live, read_cards("8h 8c"), read_cards("6d"))
    assert isinstance(bot.next(splitting, lambda: sum(hand.stakes.values())), s.Split)
    assert isinstance(bot.next(splitting, lambda: 0), s.Stay)


def until_a_decision(service: Service, bot: Bot) -> LiveTable:
    for number in range(400):
        live = service.desk.live("bet-bigger")
        command = bot.next(live, lambda: service.queries.bankroll("Bob"))
        if isinstance(command, s.Hit | s.Stay | s.Double | s.Split | s.Surrender):
            state = live.table.round
            if state is not None and len(state.spots[0].hands) == 1 and len(state.spots[0].hands[0].cards) == 2:
                return live
        assert command is not None
        service.desk.do(command, id=f"d{number}", actor="Bob", role=role_of(command))
    raise AssertionError("no hand was ever dealt")


def live_with(live: LiveTable, cards: tuple[Card, ...], up: tuple[Card, ...]) -> LiveTable:
    """The same moment with other cards on the felt."""
    from dataclasses import replace

    state = live.table.round
    assert state is not None
    hand = replace(state.spots[0].hands[0], cards=cards)
    spot = replace(state.spots[0], hands=(hand,), first_cards=cards)
    changed = replace(state, spots=(spot,), dealer=(*up, *state.dealer[1:]))
    return replace(live, table=replace(live.table, round=changed))


def test_the_bots_command_opens_tables_plays_and_reports(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    result = upcard("bots", book, "--layout", "bet-bigger", "--tables", "2", "--rounds", "3", "--json")
    assert result.code == 0, result.err
    assert "06:00 UTC" in result.err
    assert [table["rounds"] for table in result.json["tables"]] == [3, 3]
    assert not any(table["refusals"] for table in result.json["tables"])
    second = upcard(
        "bots", book, "--layout", "bet-bigger", "--table", "bet-bigger-2", "--rounds", "2", "--players", "1"
    )
    assert (second.code, second.err) == (0, "")
    assert "2 rounds at 1 table" in second.out
    assert upcard("ledger", "check", book).code == 0
    for words, sentence in (
        (("--table", "none"), "there is no table 'none' in this book"),
        (("--table", "bet-bigger-1"), "bet-bigger-1 has the layout bet-bigger, not the-brook"),
        (("--players", "9"), "--players must be between 1 and 6 at the-brook, not 9"),
        (("--rounds", "0"), "--rounds must be at least 1"),
        (("--chart", "/none.csv"), "/none.csv: cannot be read"),
        (("--layout", "none"), "there is no layout 'none'"),
    ):
        refused = upcard("bots", book, *words)
        assert refused.code == 2
        assert sentence in refused.err


def test_ctrl_c_lets_the_bots_finish_the_hand_and_prints_what_they_did(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    words = [UPCARD, "bots", book, "--layout", "bet-bigger", "--rounds", "100000"]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not _rounds(book):
            assert time.monotonic() < until, "no round was played"
            time.sleep(0.05)
        os.kill(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 0, err
    assert "stopped after the hand" in out
    assert upcard("ledger", "check", book).code == 0


def _rounds(book: str) -> int:
    """How many rounds were played at a book that somebody else writes, or is only about to make."""
    try:
        connection = sqlite3.connect(f"file:{book}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return 0
    with closing(connection), suppress(sqlite3.OperationalError):
        return int(connection.execute("SELECT count(*) FROM rounds").fetchone()[0])
    return 0


def test_bots_wait_for_somebody_else_at_their_table(tmp_path: Path) -> None:
    """The clock stays for a guest who says nothing, and the bots have all their rounds."""
    with serving(str(tmp_path / "book.db")) as service:
        hours = Hours(since=date(2026, 1, 1), zone="UTC", start=6)
        service.desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="Dana")
        pace = s.Pace(betting=1, decision=1, insurance=1, late=1)
        opening = s.OpenTable(table="T1", layout="the-brook", tray=10_000_000, pace=pace)
        service.desk.do(opening, id="open", actor="Dana")
        service.people(clock=None, cost=None).add_players(["Ann", "Bob"], actor="Dana")
        service.desk.do(s.Seat(table="T1", player="Ann", spot=6), id="sit", actor="Ann", role="player")
        options = BotsOptions(table=["T1"], players=1, rounds=2)
        floor = BotFloor(service, options, [BotTable("T1", [Bot("Bob", usual())])])
        assert sum(floor.play()) == 2
        floor.leave()
        assert service.desk.live("T1").players == ("Ann",)
