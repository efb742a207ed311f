"""Times queries on a book with a million rounds: a player's rounds, one round, a live table, a bankroll.

Each process rebuilds a table in the middle of a shoe once, from the records of the shoe; that time is shown separately.
The past rounds are plausible rows inserted in bulk; the shoe on the table is really played.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from statistics import median

import sqlalchemy as sa

from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers, awaiting
from upcard.frozen import replace
from upcard.ledger import schema as book
from upcard.ledger.gaming_day import Hours
from upcard.ledger.journal import table_chain
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import LiveTable, snapshot
from upcard.service.running import Service, bootstrap

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

ROUNDS, TABLES, PLAYERS = 1_000_000, 200, 1000
PROMISE_MS = 20.0
HASH = "f" * 64
SHOE = 30  # rounds of the shoe on the table
RESUMED = f"a live table, rebuilt from {SHOE} rounds"

# Round i belongs to a table and a player, so that rounds are spread evenly over both.
_NUMBERS = """WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < {last}),
    past AS (SELECT i, 'T' || CAST(i % {tables} AS TEXT) AS t, 'P' || CAST(i % {players} AS TEXT) AS p,
             i / {tables} + 1 AS r, '2025-01-01T00:00:00.' || substr(CAST(1000000000 + i AS TEXT), 2) || 'Z' AS at
             FROM numbers)"""
_SLIP = json.dumps([{"spot": 1, "wager": "Ante", "stake": 1000, "paid": 1000, "returned": 1000, "reason": "20 wins"}])
_BET = json.dumps({"do": "bet", "spot": 1, "stakes": {"Ante": 1000}})
_EVENTS = json.dumps([{"event": "card-dealt", "spot": 1, "card": card} for card in ("Tc", "9h", "8d", "7s")])
_PAST = (
    f"""INSERT INTO rounds (table_name, round, format, shoe, at, day, first, last, rules, void, slips) {_NUMBERS}
    SELECT t, r, 1, r / 40 + 1, at, '2025-01-01', r + 1, r + 1, '{HASH}', NULL, '{_SLIP}' FROM past""",
    f"""INSERT INTO player_rounds (player, at, table_name, round, staked, returned) {_NUMBERS}
    SELECT p, at, t, r, 1000, 2000 FROM past""",
    f"""INSERT INTO history (stream, number, format, id, at, day, actor, role, command, events, answer, hash, key, mac)
    {_NUMBERS}
    SELECT 'table:' || t, r + 1, 1, 'past-' || CAST(i AS TEXT), at, '2025-01-01', p, 'player', '{_BET}', '{_EVENTS}',
    '{{}}', '{HASH}', 1, '' FROM past""",
    f"""INSERT INTO entries (chain, number, format, command, part, at, day, actor, request, answer, hash, key, mac)
    {_NUMBERS}
    SELECT 'table:' || t, r + {{entries}}, 1, 'past-' || CAST(i AS TEXT), 0, at, '2025-01-01', p, '{_BET}', '{{}}',
    '{HASH}', 1, '' FROM past""",
    f"""INSERT INTO transfers (id, chain, number, position, debit, credit, amount, reason, phase, resolves, corrects)
    {_NUMBERS}
    SELECT 'past-' || CAST(i AS TEXT) || '#1', 'table:' || t, r + {{entries}}, 0, 'player:' || p, 'win:' || t, 1000,
    'lost', 'posted', NULL, NULL FROM past""",
)


def opened(store: Store) -> Service:
    """A house with open tables and no rounds."""
    service = _service(store)
    hours = Hours(since=date(2025, 1, 1), zone="America/New_York", start=6)
    service.desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="Dana")
    for number in range(TABLES):
        opening = s.OpenTable(table=f"T{number}", layout="bet-bigger", tray=100_000_00)
        service.desk.do(opening, id=f"open-{number}", actor="Dana")
    return service


def fill(service: Service, rounds: int) -> None:
    """Inserts past rounds into every database table; the gaming tables are between rounds afterwards."""
    each = rounds // TABLES
    lives = [service.desk.live(f"T{number}") for number in range(TABLES)]
    with service.desk.store.engine.connect() as connection, connection.begin():
        heads = {row.chain: row for row in connection.execute(sa.select(book.chains))}
        entries = heads[table_chain("T0")].number
        for statement in _PAST:
            filled = statement.replace("{last}", str(rounds - 1)).replace("{entries}", str(entries))
            filled = filled.replace("{tables}", str(TABLES)).replace("{players}", str(PLAYERS)).replace("{{}}", "{}")
            connection.exec_driver_sql(filled.replace("%", "%%") if connection.dialect.name != "sqlite" else filled)
        for live in lives:
            chain = table_chain(live.name)
            resting = _after(live, each)
            streams = sa.update(schema.streams).where(schema.streams.c.stream == chain)
            values = {"version": resting.version, "hash": HASH, "snapshot": snapshot(resting)}
            connection.execute(streams.values(**values, snapshot_version=resting.version))
            state = json.dumps({**json.loads(heads[chain].state), "rounds": each})
            head = {"number": entries + each, "hash": HASH, "state": state}
            connection.execute(sa.update(book.chains).where(book.chains.c.chain == chain).values(**head))
    if connection.dialect.name == "postgresql":
        with service.desk.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("ANALYZE")


def _after(live: LiveTable, rounds: int) -> LiveTable:
    return replace(live, version=live.version + rounds, round=rounds)


def play(service: Service, rounds: int) -> None:
    """Plays rounds of a shoe at the first table."""
    desk, count = service.desk, 0

    def do(command: s.Command) -> None:
        nonlocal count
        count += 1
        desk.do(command, id=f"play-{count}", actor="Dana")

    do(s.BuyIn(table="T0", player="P0", amount=10_000_00))
    do(s.Seat(table="T0", player="P0", spot=1))
    for _ in range(rounds):
        do(s.Bet(table="T0", spot=1, stakes={"Ante": 10_00, "Match the Dealer": 5_00}))
        while (command := _next_command(desk.live("T0"))) is not None:
            do(command)
    do(s.Bet(table="T0", spot=1, stakes={"Ante": 10_00}))


def _next_command(live: LiveTable) -> s.Command | None:
    state, terms = live.table.round, live.table.terms
    if state is None or terms is None:
        return None
    match awaiting(state, terms):
        case Wagers() | InsuranceAnswers():
            return s.Deal(table="T0")
        case PlayerDecision():
            return s.Stay(table="T0", spot=1)
        case other:
            raise RuntimeError(f"unexpected: {other}")


def measure(address: str, rounds: int) -> dict[str, float]:
    """The median of several runs of each query, in milliseconds."""
    store = Store.create(address, Keyring([bytes(32)]))
    service = opened(store)
    start = time.perf_counter()
    fill(service, rounds)
    filled = time.perf_counter() - start
    service = _service(store)
    play(service, SHOE)
    queries, chance = service.queries, random.Random(7)

    def player() -> str:
        return f"P{chance.randrange(PLAYERS)}"

    def table() -> str:
        return f"T{chance.randrange(TABLES)}"

    results = {
        "a player's last 50 rounds": _ms(lambda: queries.played_by(player())),
        "a player's rounds, far back": _ms(lambda: queries.played_by(player(), before="2025-01-01T00:00:00.0004")),
        "one round with its records": _ms(lambda: queries.round(table(), chance.randrange(rounds // TABLES) + 1)),
        "a bankroll": _ms(lambda: queries.bankroll(player())),
        "tables with a timer due": _ms(lambda: queries.due("2025-01-01")),
        "a live table, remembered": _ms(lambda: service.desk.live("T0")),
        RESUMED: _ms(lambda: _service(store).desk.live("T0"), times=5),
        "a table between rounds, resumed": _ms(lambda: _service(store).desk.live(table()), times=20),
    }
    store.close()
    return {"seconds to fill": filled, **results}


def _service(store: Store) -> Service:
    return bootstrap(store)


def _ms(ask: Callable[[], object], times: int = 40) -> float:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        ask()
        took.append(time.perf_counter() - start)
    return median(took) * 1000


@contextmanager
def place(kind: str) -> Iterator[str]:
    """The address of a new database."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "book.db")
        return
    from support.postgres_server import USER, postgres

    with postgres() as folder:
        yield f"postgresql://{USER}@/postgres?host={folder}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", choices=("sqlite", "postgresql"), default="sqlite")
    options = parser.parse_args()
    with place(options.only) as address:
        results = measure(address, options.rounds)
    print(f"{options.only}, {options.rounds:,} rounds, inserted in {results.pop('seconds to fill'):.0f} s")
    for what, ms in results.items():
        promise = "" if what == RESUMED else f"  promise {PROMISE_MS:.0f} {'kept' if ms <= PROMISE_MS else 'BROKEN'}"
        print(f"  {what:36} {ms:7.2f} ms{promise}")
    return 0 if all(ms <= PROMISE_MS for what, ms in results.items() if what != RESUMED) else 1


if __name__ == "__main__":
    sys.exit(main())
