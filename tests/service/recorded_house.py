"""Helpers: a house whose tables are played by bots, to have records to check."""

import random
from datetime import date

from upcard.catalog import shipped
from upcard.ledger.gaming_day import Hours
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.bots import Bot, role_of
from upcard.service.running import Service, bootstrap
from upcard.strategy import usual

KEY = bytes(range(32))


OTHER = bytes(32)


HOURS = Hours(since=date(2026, 1, 1), zone="UTC", start=6)


LAYOUT = "lucky-ladies-jackpot-two-decks"


def ring(*keys: bytes) -> Keyring:
    return Keyring(keys)


def service_of(store: Store) -> Service:
    assert store.keyring is not None
    return bootstrap(store, entropy=random.Random(store.keyring.newest.raw.hex()).randbytes)


def open_house(service: Service, *tables: str) -> None:
    service.desk.do(s.House(request=SetHours(hours=HOURS)), id="hours", actor="Dana")
    for table in tables:
        jackpots = {jackpot.wager: f"{table} {jackpot.wager}" for jackpot in shipped().layouts[LAYOUT].jackpot}
        opening = s.OpenTable(table=table, layout=LAYOUT, tray=1_000_000, jackpots=jackpots)
        service.desk.do(opening, id=f"open-{table}", actor="Dana")
        names = [f"{table} {name}" for name in ("Ann", "Bob")]
        service.people(clock=None, cost=None).add_players(names, actor="Dana")


def play(service: Service, table: str, rounds: int, *, into_a_hand: bool = False) -> None:
    """Plays rounds with two bots, and into the next hand if that is wanted."""
    bots = [Bot(f"{table} {name}", usual()) for name in ("Ann", "Bob")]
    last = service.desk.live(table).round + rounds
    while True:
        live = service.desk.live(table)
        if live.table.round is None and live.round >= last and not into_a_hand:
            return
        if live.round > last and live.table.round is not None and live.table.round.dealer:
            return
        for bot in bots:
            live = service.desk.live(table)
            command = bot.next(live, lambda bot=bot: service.queries.bankroll(bot.player))  # type: ignore[misc]  # a default binds the loop's own value
            if command is not None:
                name = f"{table}-{live.version}-{bot.player}"
                service.desk.do(command, id=name, actor=bot.player, role=role_of(command))
