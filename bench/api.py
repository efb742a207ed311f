"""Measures one server process on SQLite with 300 tables and 600 bots over WebSocket, at human pace and at full speed.

The promise is for human pace (each bot decides in two seconds): 99 of 100 decisions reach everybody at the table in
less than 100 ms. A run is excluded only if a process that does nothing but sleep (the bare timer) was late by more than
50 ms meanwhile. With `--runs 10` at least eight runs must count, and each of them must keep the promise. The first run
also drives the server at full speed and compares it with the table service without a network. No run may lose a
command, and every book is checked.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import sqlalchemy as sa

from upcard.ledger.store import Store
from upcard.service import schema

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.bots import AFTER, Crowd
from bench.demo_servers import UPCARD, served, set_up
from bench.process_stats import bare_timer, cpu_seconds, waited_seconds
from bench.service import Measured as Service
from bench.service import measure

TABLES, SEATS = 300, 2
PROMISE_MS = 100
STALL_MS = 50
COUNTED = 0.8  # of all runs


class Paced(TypedDict):
    """Results of one pace."""

    commands: float  # per second
    rounds: float
    p50_ms: float
    p99_ms: float
    most_ms: float
    timer_ms: float  # longest stall of the bare timer
    unheard: int
    gaps: int
    refused: int
    cpu: float  # share of a core
    waited: float  # share of the time in which a server thread was ready but had no core


class Run(TypedDict):
    """Results of one run, with the check of its book."""

    paces: list[Paced]
    lost: int
    acknowledged: int
    sound: bool


def counts(run: Run) -> bool:
    """Whether the machine kept up while the promise was measured."""
    return run["paces"][0]["timer_ms"] <= STALL_MS


def clean(run: Run) -> bool:
    """Whether nothing was lost, in the book or on the network."""
    human = run["paces"][0]
    return run["sound"] and not run["lost"] and not human["unheard"] and not human["gaps"]


def kept(runs: Sequence[Run]) -> bool:
    """Whether enough runs count, those were quick enough, and all runs were clean."""
    counted = [run for run in runs if counts(run)]
    quick = all(run["paces"][0]["p99_ms"] < PROMISE_MS for run in counted)
    return len(counted) >= math.ceil(COUNTED * len(runs)) and quick and all(map(clean, runs))


def run_once(options: argparse.Namespace, paces: Sequence[tuple[float, float]]) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        book = str(Path(folder) / "house.db")
        tables = set_up(book, options.tables)
        with served(book, Path(options.log or Path(folder) / "log")) as (address, process):
            shares = [tables[number :: options.generators] for number in range(options.generators)]
            measured, acknowledged = _drive(book, address, process.pid, shares, paces)
        lost = acknowledged - stored_ids(book)
        check = subprocess.run([UPCARD, "ledger", "check", book], check=False, capture_output=True, text=True)
    if check.returncode:
        print(check.stdout, check.stderr, file=sys.stderr)
    return Run(paces=measured, lost=len(lost), acknowledged=len(acknowledged), sound=check.returncode == 0)


def _drive(
    book: str, address: str, pid: int, shares: Sequence[Sequence[str]], paces: Sequence[tuple[float, float]]
) -> tuple[list[Paced], set[str]]:
    crowds = [Crowd({table: [address] for table in share}, paces, seats=SEATS) for share in shares]
    measured: list[Paced] = []
    acknowledged: set[str] = set()
    for _, lasting in paces:
        for crowd in crowds:
            crowd.wait_until_ready()
        rounds, cpu, waited = rounds_of(book), cpu_seconds(pid), waited_seconds(pid)
        with bare_timer() as stall:
            for crowd in crowds:
                crowd.go()
            results = [crowd.results() for crowd in crowds]
        waits = sorted(wait for result in results for wait in result["waits"])
        acknowledged.update(name for result in results for name in result["acknowledged"])
        measured.append(
            Paced(
                commands=sum(len(result["acknowledged"]) for result in results) / lasting,
                rounds=(rounds_of(book) - rounds) / lasting,
                p50_ms=waits[len(waits) // 2] * 1000,
                p99_ms=waits[len(waits) * 99 // 100] * 1000,
                most_ms=waits[-1] * 1000,
                timer_ms=stall[0] * 1000,
                unheard=sum(result["unheard"] for result in results),
                gaps=sum(result["gaps"] for result in results),
                refused=sum(len(result["refused"]) for result in results),
                cpu=(cpu_seconds(pid) - cpu) / (lasting + AFTER),
                waited=(waited_seconds(pid) - waited) / (lasting + AFTER),
            )
        )
    for crowd in crowds:
        crowd.end()
    return measured, acknowledged


def rounds_of(book: str) -> int:
    """The number of rounds that ended so far."""
    store = Store.open(book)
    with store.view() as unit:
        count = unit.connection.execute(sa.select(sa.func.count()).select_from(schema.rounds)).scalar_one()
    store.close()
    return int(count)


def stored_ids(book: str) -> set[str]:
    """The ids of all commands in the book."""
    store = Store.open(book)
    with store.view() as unit:
        ids = {row.id for row in unit.connection.execute(sa.select(schema.history.c.id))}
    store.close()
    return ids


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--full", type=float, default=10, help="seconds at full speed in the first run; 0 skips it")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--generators", type=int, default=1)
    parser.add_argument("--log", help="the file for the server's log")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--alone", action="store_true", help="skip the comparison with the service alone")
    options = parser.parse_args()
    human, full = [(options.think, options.seconds)], [(0.0, options.full)] if options.full else []
    runs: list[Run] = []
    for number in range(options.runs):
        runs.append(run_once(options, human if number else human + full))
        if not options.json:
            _show(options, number + 1, runs[-1])
    service = None if options.alone or not full else measure("sqlite", options.full, options.tables)
    if options.json:
        print(json.dumps({"runs": runs, "service": service, "kept": kept(runs)}, indent=1))
    else:
        _conclude(runs, service)
    return 0 if kept(runs) else 1


def _show(options: argparse.Namespace, number: int, run: Run) -> None:
    print(f"run {number}: {options.tables} tables, {options.tables * SEATS} bots")
    for name, pace in zip((f"one decision per {options.think:g} s", "full speed"), run["paces"], strict=False):
        print(
            f"  {name}: {pace['commands']:.0f} commands/s  {pace['rounds']:.1f} rounds/s"
            f"  decision to event: p50 {pace['p50_ms']:.0f} ms  p99 {pace['p99_ms']:.0f} ms"
            f"  max {pace['most_ms']:.0f} ms"
            f"  server {pace['cpu']:.0%} of a core, waiting for one {pace['waited']:.0%} of the time"
            f"  bare timer {pace['timer_ms']:.0f} ms"
            f"  {pace['refused']} refused  {pace['unheard']} unheard  {pace['gaps']} gaps"
        )
    book = "clean" if run["sound"] else "NOT CLEAN"
    print(f"  {run['acknowledged']} acknowledged, {run['lost']} lost, ledger check {book}")
    stalled, p99 = run["paces"][0]["timer_ms"], run["paces"][0]["p99_ms"]
    if counts(run):
        print(f"  counts: p99 {p99:.0f} ms, promise {PROMISE_MS} ms {'kept' if p99 < PROMISE_MS else 'BROKEN'}")
    else:
        print(f"  excluded: the bare timer was {stalled:.0f} ms late (limit {STALL_MS} ms); p99 {p99:.0f} ms")


def _conclude(runs: Sequence[Run], service: Service | None) -> None:
    counted = [run["paces"][0]["p99_ms"] for run in runs if counts(run)]
    needed = math.ceil(COUNTED * len(runs))
    worst = f", p99 {min(counted):.0f} to {max(counted):.0f} ms" if counted else ""
    print(
        f"{len(counted)} of {len(runs)} runs count (at least {needed} must){worst}; all clean: {all(map(clean, runs))}"
    )
    print(f"promise: p99 under {PROMISE_MS} ms at human pace: {'kept' if kept(runs) else 'BROKEN'}")
    if service is not None:
        full = runs[0]["paces"][1]
        print(
            f"the service without a network: {service['commands']:.0f} commands/s  {service['rounds']:.1f} rounds/s;"
            f" over WebSocket {full['commands'] / service['commands']:.2f} of that rate"
        )


if __name__ == "__main__":
    sys.exit(main())
