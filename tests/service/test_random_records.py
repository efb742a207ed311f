"""Records stay sound whatever players, the floor and the clock do."""

import os
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from service.recorded_house import HOURS, KEY, ring

from upcard.catalog import shipped
from upcard.ledger.check import check as check_book
from upcard.ledger.requests import CloseDay, SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.bots import Bot, role_of
from upcard.service.history_check import check
from upcard.service.refusals import Refused
from upcard.service.running import bootstrap
from upcard.service.timers import fire_due
from upcard.strategy import usual
from upcard.units import Cents

ORDERS: tuple[Callable[[str, random.Random], s.Command], ...] = (
    lambda t, _: s.Deal(table=t),
    lambda t, _: s.Void(table=t, why="a card on the floor"),
    lambda t, _: s.NotifyFlatBet(table=t, player=f"{t} Ann"),
    lambda t, _: s.PostMinimum(table=t, amount=Cents(1_000)),
    lambda t, _: s.Fill(table=t, amount=100),
    lambda t, _: s.Credit(table=t, amount=50),
    lambda t, _: s.PayTips(table=t, amount=10),
    lambda t, _: s.AnnounceClosing(table=t),
    lambda t, _: s.CloseTable(table=t, tray=77, why="counted"),
    lambda t, _: s.OpenTable(table=t, layout=t, tray=900_000, pace=s.Pace(betting=5), why="counted again"),
    lambda t, _: s.SetShuffler(table=t, shuffler="hand"),
    lambda t, _: s.Tip(table=t, player=f"{t} Ann", amount=10),
    lambda t, _: s.Away(table=t, player=f"{t} Bob"),
    lambda t, _: s.SitOut(table=t, player=f"{t} Ann"),
    lambda t, _: s.Back(table=t, player=f"{t} Bob"),
    lambda t, _: s.Leave(table=t, player=f"{t} Bob"),
    lambda t, chance: s.Cut(table=t, player=f"{t} Ann", words=f"lucky {chance.random()}", place=60),
    lambda t, chance: s.ClearWagers(table=t, spot=chance.choice([1, 2])),
    lambda t, chance: s.Insure(table=t, spot=chance.choice([1, 2])),
    lambda t, chance: s.TakeEvenMoney(table=t, spot=chance.choice([1, 2])),
    lambda t, chance: s.Seat(table=t, player=f"{t} Ann", spot=chance.choice([2, 3])),
    lambda t, _: s.Correct(table=t, transfer=f"chips-{t}", amount=5, why="counted twice"),
    lambda _, chance: s.House(request=CloseDay(day=date(2026, 3, chance.choice([2, 3])))),
)


@pytest.mark.parametrize("seed", range(40 if os.environ.get("UPCARD_SOAK") else 1))
def test_random_commands_of_players_floor_and_timers_leave_sound_records(tmp_path: Path, seed: int) -> None:
    """Bots play, the floor and the guests interfere at random, timers run out; then everything is done again."""
    chance = random.Random(seed)
    now = datetime(2026, 3, 2, 18, tzinfo=UTC)
    store = Store.create(str(tmp_path / "book.db"), ring(KEY))
    service = bootstrap(store, clock=lambda: now, entropy=chance.randbytes)
    service.desk.do(s.House(request=SetHours(hours=HOURS)), id="hours", actor="Dana")
    tables = chance.sample(sorted(shipped().layouts), 3)
    bots = {}
    for table in tables:
        jackpots = {jackpot.wager: f"{table} {jackpot.wager}"[:80] for jackpot in shipped().layouts[table].jackpot}
        opening = s.OpenTable(table=table, layout=table, tray=1_000_000, jackpots=jackpots)
        service.desk.do(opening, id=f"open-{table}", actor="Dana")
        bots[table] = [Bot(f"{table} {name}", usual(), buy_in=20_000) for name in ("Ann", "Bob")]
        chips = s.BuyIn(table=table, player=f"{table} Ann", amount=500)
        service.desk.do(chips, id=f"chips-{table}", actor="Dana")
    for step in range(350 if seed else 120):
        table = chance.choice(tables)
        now += timedelta(seconds=chance.choice([0, 1, 2] if chance.random() < 0.97 else [40, 200, 50_000]))
        fire_due(service.desk, service.queries)
        with suppress(Refused):
            if chance.random() < 0.15:
                service.desk.do(chance.choice(ORDERS)(table, chance), id=f"order-{step}", actor="Dana")
        for bot in bots[table] if chance.random() < 0.9 else ():
            command = bot.next(service.desk.live(table), lambda bot=bot: service.queries.bankroll(bot.player))  # type: ignore[misc]  # a default binds the loop's own value
            if command is not None:
                with suppress(Refused):
                    service.desk.do(command, id=f"{step}-{bot.player}", actor=bot.player, role=role_of(command))
    with store.view() as unit:
        full, partly = check(unit, ring(KEY)), check(unit, None)
        assert (full.findings, full.notes) == ([], [])
        assert full.replayed == full.records
        assert partly.findings == []
        assert check_book(unit).sound
    store.close()
