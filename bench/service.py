"""Measures durable commands per second of the table service at 200 tables, relative to the plain database driver.

The plain driver writes exactly the rows that the service wrote (captured from its run), one durable transaction per
command, on the same kind of database; the two take turns. Also shown: latency of acknowledged commands, rounds per
second, and the cost of a command in processor time, rows (a changed row counts for each command that changes it) and
bytes.
"""

import argparse
import json
import sqlite3
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, TypedDict

import psycopg
import sqlalchemy as sa

from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers, awaiting
from upcard.ledger import schema as book_schema
from upcard.ledger.gaming_day import Hours
from upcard.ledger.keyring import Keyring
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import LiveTable
from upcard.service.pending import TableUpdate
from upcard.service.running import Service, bootstrap, freeze_gc

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.database import KINDS, Kind, database, growth, sizes, total

KEYRING = Keyring([bytes(32)])
TABLES = 200
PROMISES: dict[Kind, float] = {"sqlite": 0.75, "postgresql": 3.0}  # relative to the plain driver's commands per second
AIMS: dict[Kind, float] = {"sqlite": 1.0, "postgresql": 3.0}
PLAYER = "player"
PARTS = 6  # service and driver take turns; the ratio is the median, so that a slow moment of the machine counts little
PLAIN_COMMANDS = 4000


class Measured(TypedDict):
    """Results for one kind of database; times and bytes are per command."""

    commands: float  # per second
    rounds: float
    p50_ms: float
    p99_ms: float
    cpu_us: float  # the service, without the players
    database_cpu_us: float  # PostgreSQL's own processes
    rows_a_command: float  # new and changed
    new_rows: float
    stored_bytes: float  # growth of the database, with indexes
    written_bytes: float  # see database.py
    plain: float
    ratio: float


def open_service(store: Store, tables: int) -> Service:
    """Starts a service with tables of one player each."""
    service = bootstrap(store)
    hours = Hours(since=date(2026, 1, 1), zone="America/New_York", start=6)
    service.desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="Dana")
    open_tables(service, range(tables))
    return service


def open_tables(service: Service, numbers: Iterable[int]) -> None:
    """Opens tables of one player each."""
    for number in numbers:
        table, player = f"T{number}", f"P{number}"
        commands: list[s.Command] = [
            s.OpenTable(table=table, layout="bet-bigger", tray=100_000_00),
            s.BuyIn(table=table, player=player, amount=50_000_00),
            s.Seat(table=table, player=player, spot=1),
        ]
        for place, command in enumerate(commands):
            service.desk.do(command, id=f"open-{table}-{place}", actor="Dana")


def next_command(live: LiveTable, player: str) -> s.Command:
    """The player's next command: a wager on two circles, then hit below 17."""
    table, state, terms = live.name, live.table.round, live.table.terms
    if state is None or terms is None or not state.spots:
        return s.Bet(table=table, spot=1, stakes={"Ante": 1000, "Match the Dealer": 500})
    match awaiting(state, terms):
        case Wagers():
            return s.Ready(table=table, player=player)
        case InsuranceAnswers():
            return s.DeclineInsurance(table=table, spot=1)
        case PlayerDecision(hand=hand):
            seat = state.spot(1)
            low = seat is not None and seat.hands[hand].points < 17
            return s.Hit(table=table, spot=1) if low else s.Stay(table=table, spot=1)
        case other:
            raise RuntimeError(f"unexpected: {other}")


class Load:
    """Players who each send the next command as soon as the previous one is acknowledged."""

    def __init__(self, service: Service, tables: int) -> None:
        self.service, self.tables, self.until = service, tables, 0.0
        self.latencies: list[float] = []
        self.seconds = 0.0  # played
        self.thinking = 0.0  # processor time of the players
        self.lives = {f"T{number}": service.desk.live(f"T{number}") for number in range(tables)}
        self.next_turn = [0] * tables
        self.open = threading.Semaphore(0)
        service.desk.watchers.append(self._remember)

    def run(self, seconds: float) -> None:
        """Plays for some seconds, going on where it stopped the last time."""
        start = time.perf_counter()
        self.until = start + seconds
        for number in range(self.tables):
            self._send(number, self.next_turn[number])
        for _ in range(self.tables):
            self.open.acquire()
        self.seconds += time.perf_counter() - start

    def _remember(self, updates: Sequence[TableUpdate]) -> None:
        self.lives.update((update.live.name, update.live) for update in updates)

    def _send(self, number: int, turn: int) -> None:
        if time.perf_counter() > self.until:
            self.next_turn[number] = turn
            self.open.release()
            return
        table, player = f"T{number}", f"P{number}"
        sent = time.perf_counter()
        before = time.thread_time()
        command = next_command(self.lives[table], player)
        self.thinking += time.thread_time() - before
        future = self.service.desk.submit(command, id=f"{table}-{turn}", actor=player, role=PLAYER)

        def answered(done: Any) -> None:
            done.result()
            self.latencies.append(time.perf_counter() - sent)
            self._send(number, turn + 1)

        future.add_done_callback(answered)


Step = tuple[str, list[Any]]


def captured_rows(store: Store, since: dict[str, int]) -> list[list[tuple[sa.Table, dict[str, Any], bool]]]:
    """The rows that each command wrote: inserted, or updated (True) with their final values."""
    with store.view() as unit:
        history = [row._asdict() for row in unit.connection.execute(sa.select(schema.history))]
        entries = [row._asdict() for row in unit.connection.execute(sa.select(book_schema.entries))]
        places = {(entry["chain"], entry["number"]): entry["command"].partition("/open")[0] for entry in entries}
        by_command: dict[str, list[tuple[sa.Table, dict[str, Any], bool]]] = {}
        for record in history:
            if record["number"] <= since.get(record["stream"], 0):
                continue
            rows = by_command.setdefault(record["id"], [])
            rows.append((schema.history, record, False))
            head = {"stream": record["stream"], "version": record["number"], "hash": record["hash"]}
            rows.append((schema.streams, head, True))
        heads = {row.chain: row._asdict() for row in unit.connection.execute(sa.select(book_schema.chains))}
        for entry in entries:
            command = _owner(entry["command"], by_command)
            if command is None:
                continue
            rows = by_command[command]
            rows.append((book_schema.entries, entry, False))
            head = {**heads[entry["chain"]], "number": entry["number"], "hash": entry["hash"], "at": entry["at"]}
            rows.append((book_schema.chains, head, True))
        for table in (book_schema.transfers, book_schema.movements):
            touched: dict[str, Counter[str]] = {}
            for row in unit.connection.execute(sa.select(table)):
                values = row._asdict()
                command = _owner(places[values["chain"], values["number"]], by_command)
                if command is None:
                    continue
                by_command[command].append((table, values, False))
                if table is book_schema.transfers:
                    touched.setdefault(command, Counter()).update((values["debit"], values["credit"]))
            for command, accounts in touched.items():
                for account in accounts:
                    sums = {"debits": 1, "credits": 1, "pending_debits": 1, "pending_credits": 1}
                    by_command[command].append((book_schema.balances, {"account": account, **sums}, True))
        for table in (schema.rounds, schema.player_rounds):
            ended = {(record["stream"].partition(":")[2], record["at"]): record["id"] for record in history}
            for row in unit.connection.execute(sa.select(table)):
                values = row._asdict()
                command = ended.get((values["table_name"], values["at"]))
                if command in by_command:
                    by_command[command].append((table, values, False))
    return list(by_command.values())


def _owner(command: str, commands: dict[str, Any]) -> str | None:
    """The command that sent a request to the book: `T1/7/2` is the third request of T1/7."""
    while command and command not in commands:
        command = command.rpartition("/")[0]
    return command or None


def statements(mark: str) -> Callable[[sa.Table, dict[str, Any], bool], Step]:
    """Returns a function that writes a row as SQL for the plain driver."""

    def written(table: sa.Table, row: dict[str, Any], update: bool) -> Step:
        if not update:
            names = ", ".join(f'"{name}"' for name in row)
            return f"INSERT INTO {table.name} ({names}) VALUES ({', '.join([mark] * len(row))})", list(row.values())
        (key,) = [column.name for column in table.primary_key]
        changed = {name: value for name, value in row.items() if name != key}
        sets = ", ".join(f'"{name}" = {mark}' for name in changed)
        return f'UPDATE {table.name} SET {sets} WHERE "{key}" = {mark}', [*changed.values(), row[key]]

    return written


def plain_sqlite(path: str, commands: Sequence[Sequence[Step]]) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    start = time.perf_counter()
    for steps in commands:
        connection.execute("BEGIN IMMEDIATE")
        for statement, values in steps:
            connection.execute(statement, values)
        connection.execute("COMMIT")
    took = time.perf_counter() - start
    connection.close()
    return took


def plain_postgresql(address: str, commands: Sequence[Sequence[Step]]) -> float:
    with psycopg.connect(address) as connection:
        start = time.perf_counter()
        for steps in commands:
            for statement, values in steps:
                connection.execute(statement, values)
            connection.commit()
        return time.perf_counter() - start


def measure(kind: Kind, seconds: float, tables: int) -> Measured:
    with database(kind) as place:
        store = Store.create(place.new("live"), KEYRING)
        service = open_service(store, tables)
        with store.view() as unit:
            since = {row.stream: row.version for row in unit.connection.execute(sa.select(schema.streams))}
        before = sizes(store.address)
        service.desk.start()
        freeze_gc()
        bare = Store.create(place.new("bare"), KEYRING)
        open_service(bare, tables)
        bare.close()
        row_written = statements("?" if kind == "sqlite" else "%s")
        run_plain = plain_sqlite if kind == "sqlite" else plain_postgresql
        load, steps, written, cpu, database_cpu, plain_seconds = Load(service, tables), [], 0, 0.0, 0.0, 0.0
        ratios: list[float] = []
        for part in range(PARTS):
            written -= place.written()
            cpu, database_cpu = cpu - time.process_time(), database_cpu - place.cpu_seconds()
            count, took = len(load.latencies), load.seconds
            load.run(seconds / PARTS)
            cpu, database_cpu = cpu + time.process_time(), database_cpu + place.cpu_seconds()
            written += place.written()
            if not part:
                rows = captured_rows(store, since)
                steps = [[row_written(*row) for row in command] for command in rows[:PLAIN_COMMANDS]]
                share = -(-len(steps) // PARTS)
            turn = steps[part * share : (part + 1) * share]
            plain_took = run_plain(bare.address, turn)
            plain_seconds += plain_took
            ratios.append((len(load.latencies) - count) / (load.seconds - took) * plain_took / len(turn))
        service.desk.stop()
        grown, count, took = growth(before, sizes(store.address)), len(load.latencies), load.seconds
        cpu -= load.thinking
        plain = len(steps) / plain_seconds
        store.close()
    waits = sorted(load.latencies)
    return Measured(
        commands=count / took,
        rounds=grown["rounds"].rows / took,
        p50_ms=waits[len(waits) // 2] * 1000,
        p99_ms=waits[len(waits) * 99 // 100] * 1000,
        cpu_us=cpu / count * 1e6,
        database_cpu_us=database_cpu / count * 1e6,
        rows_a_command=sum(map(len, rows)) / len(rows),
        new_rows=total(grown).rows / count,
        stored_bytes=total(grown).bytes / count,
        written_bytes=written / count,
        plain=plain,
        ratio=statistics.median(ratios),
    )


def verdict(kind: Kind, ratio: float) -> str:
    """Whether the promise is kept, and the aim reached."""
    promise, aim = PROMISES[kind], AIMS[kind]
    if ratio < promise:
        return f"promise {promise} BROKEN"
    reached = "" if aim == promise else f", aim {aim} {'reached' if ratio >= aim else 'not reached'}"
    return f"promise {promise} kept{reached}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=KINDS)
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if options.only in (None, kind)]
    results = {kind: measure(kind, options.seconds, options.tables) for kind in kinds}
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        for kind, result in results.items():
            print(
                f"{kind:10} {result['commands']:6.0f} commands/s  {result['rounds']:5.0f} rounds/s  "
                f"p50 {result['p50_ms']:.0f} ms  p99 {result['p99_ms']:.0f} ms  plain driver {result['plain']:.0f}/s  "
                f"ratio {result['ratio']:.2f}  {verdict(kind, result['ratio'])}"
            )
            print(
                f"{'':10} per command: {result['cpu_us']:.0f} us service, {result['database_cpu_us']:.0f} us "
                f"database, {result['rows_a_command']:.2f} rows ({result['new_rows']:.2f} new), "
                f"{result['stored_bytes']:.0f} bytes stored, {result['written_bytes']:.0f} bytes written"
            )
    return 0 if all(result["ratio"] >= PROMISES[kind] for kind, result in results.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
