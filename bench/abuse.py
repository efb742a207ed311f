"""Measures players' waiting times while a server is abused: slow and idle clients, floods, refusals, a busy lab.

Fifty tables are played at human pace on one server process with SQLite, in phases: nobody abuses it, each kind of abuse
alone, all together. The promise is for every phase: 99 of 100 decisions reach everybody at the table in less than
250 ms, and somebody who opens a new connection meanwhile is answered. No command may be lost, and the book must be
clean. As in `bench/api.py`, a phase in which the machine itself stalled is excluded, and eight of ten must count.
Everything runs on this machine; a full run takes about two minutes.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.api import COUNTED, STALL_MS, stored_ids
from bench.attackers import KINDS, Plan
from bench.bots import Crowd
from bench.demo_servers import UPCARD, served, set_up
from bench.process_stats import bare_timer, cpu_seconds

TABLES, SEATS, THINK = 50, 2, 2.0
PROMISE_MS = 250
TURNED_AWAY = -1.0  # instead of the seconds that a newcomer waited
PHASES: tuple[tuple[str, tuple[str, ...]], ...] = (("nobody", ()), *((kind, (kind,)) for kind in KINDS), ("all", KINDS))
SETTINGS = {  # the limits of a real house, except that a hundred guests sign in from one address at once
    "UPCARD_REQUESTS_PER_MINUTE": "2400",
    "UPCARD_MESSAGES_PER_SECOND": "20",
}


class Phase(TypedDict):
    """The players' waiting times during one kind of abuse."""

    name: str
    commands: float  # per second
    p50_ms: float
    p99_ms: float
    most_ms: float
    timer_ms: float
    unheard: int
    newcomer_ms: float  # the longest that somebody waited who is signed in and opened a new connection
    turned_away: int  # of them
    cpu: float  # share of a core
    abuse: dict[str, Any]


def measure(seconds: float, tables: int, phases: Sequence[tuple[str, tuple[str, ...]]], log: str) -> tuple[Any, ...]:
    """The phases, the number of lost commands, and whether the book is clean."""
    with tempfile.TemporaryDirectory() as folder:
        book = str(Path(folder) / "house.db")
        names = set_up(book, tables)
        with served(book, Path(log or Path(folder) / "log"), settings=SETTINGS) as (address, process):
            address = address.replace("localhost", "127.0.0.1")
            crowd = Crowd(
                {name: [address] for name in names}, [(THINK, seconds)] * len(phases), seats=SEATS, seated=True
            )
            measured, acknowledged = [], set[str]()
            for name, kinds in phases:
                crowd.wait_until_ready()
                plan = Plan(port=int(address.rpartition(":")[2]), table=names[0], kinds=list(kinds))
                phase, ids = _phase(name, crowd, plan, process.pid, seconds)
                measured.append(phase)
                acknowledged |= ids
                _show(phase)
            crowd.end()
        lost = acknowledged - stored_ids(book)
        check = subprocess.run([UPCARD, "ledger", "check", book], check=False, capture_output=True, text=True)
    if check.returncode:
        print(check.stdout, check.stderr, file=sys.stderr)
    return measured, len(lost), check.returncode == 0


def _phase(name: str, crowd: Crowd, plan: Plan, pid: int, seconds: float) -> tuple[Phase, set[str]]:
    with attackers(plan) as abuse:
        cpu = cpu_seconds(pid)
        with bare_timer() as stall, newcomers(plan["port"]) as waited:
            crowd.go()
            results = crowd.results()
        cpu = cpu_seconds(pid) - cpu
    waits = sorted(results["waits"])
    phase = Phase(
        name=name,
        commands=len(results["acknowledged"]) / seconds,
        p50_ms=waits[len(waits) // 2] * 1000,
        p99_ms=waits[len(waits) * 99 // 100] * 1000,
        most_ms=waits[-1] * 1000,
        timer_ms=stall[0] * 1000,
        unheard=results["unheard"],
        newcomer_ms=max(waited, default=0.0) * 1000,
        turned_away=waited.count(TURNED_AWAY),
        cpu=cpu / seconds,
        abuse=abuse,
    )
    return phase, set(results["acknowledged"])


@contextmanager
def attackers(plan: Plan) -> Iterator[dict[str, Any]]:
    """Abuses the server meanwhile; what was done is told when the block is over."""
    abuse: dict[str, Any] = {}
    if not plan["kinds"]:
        yield abuse
        return
    words = [sys.executable, str(Path(__file__).with_name("attackers.py"))]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(plan)}\n")
        process.stdin.flush()
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the attackers did not start")
        try:
            yield abuse
        finally:
            output, _ = process.communicate(timeout=60)
            abuse.update(json.loads(output or "{}"))


@contextmanager
def newcomers(port: int) -> Iterator[list[float]]:
    """Four times per second, somebody who is signed in opens a new connection and asks; the list has the seconds."""
    address, over, waited = f"http://127.0.0.1:{port}", threading.Event(), list[float]()
    token = httpx.post(f"{address}/api/guest", json={}, trust_env=False, timeout=60).raise_for_status().json()["token"]
    headers = {"Authorization": f"Bearer {token}"}

    def ask() -> None:
        while not over.wait(0.25):
            began = time.perf_counter()
            try:
                httpx.get(f"{address}/api/me", headers=headers, trust_env=False, timeout=10).raise_for_status()
            except httpx.HTTPError:
                waited.append(TURNED_AWAY)
            else:
                waited.append(time.perf_counter() - began)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield waited
    finally:
        over.set()
        thread.join()


def counts(phase: Phase) -> bool:
    """Whether the machine kept up meanwhile."""
    return phase["timer_ms"] <= STALL_MS


def is_kept(phase: Phase) -> bool:
    return phase["p99_ms"] < PROMISE_MS and not phase["unheard"] and not phase["turned_away"]


def _show(phase: Phase) -> None:
    verdict = "kept" if is_kept(phase) else "BROKEN"
    if not counts(phase):
        verdict = f"excluded: the bare timer was late ({verdict})"
    print(
        f"{phase['name']:>9}: {phase['commands']:.0f} commands/s  p50 {phase['p50_ms']:.0f} ms"
        f"  p99 {phase['p99_ms']:.0f} ms  max {phase['most_ms']:.0f} ms"
        f"  server {phase['cpu']:.0%} of a core  bare timer {phase['timer_ms']:.0f} ms"
        f"  newcomers at most {phase['newcomer_ms']:.0f} ms, {phase['turned_away']} turned away"
        f"  {phase['unheard']} unheard  {verdict}",
        flush=True,
    )
    if phase["abuse"]:
        print(f"{'':>11}{', '.join(f'{name} {count}' for name, count in sorted(phase['abuse'].items()))}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="of each phase")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--only", choices=[name for name, _ in PHASES], action="append", help="only these phases")
    parser.add_argument("--log", default="", help="the file for the server's log")
    parser.add_argument("--json", metavar="FILE", help="save the figures")
    options = parser.parse_args()
    players = options.tables * SEATS
    print(f"{options.tables} tables, {players} players, one decision per {THINK:g} s; {os.cpu_count()} cores")
    phases = [phase for phase in PHASES if not options.only or phase[0] in options.only]
    measured, lost, sound = measure(options.seconds, options.tables, phases, options.log)
    counted = [phase for phase in measured if counts(phase)]
    enough = len(counted) >= math.ceil(COUNTED * len(measured))
    kept = all(map(is_kept, counted)) and not lost and sound
    book = "clean" if sound else "NOT CLEAN"
    print(f"{len(counted)} of {len(measured)} phases count; {lost} commands lost; ledger check {book}")
    verdict = "kept" if kept else "BROKEN"
    if not enough:
        verdict = f"not measured, too few phases count ({verdict})"
    print(f"promise, p99 under {PROMISE_MS} ms: {verdict}")
    if options.json:
        Path(options.json).write_text(json.dumps({"phases": measured, "lost": lost, "sound": sound}, indent=1))
    return 0 if kept and enough else 1


if __name__ == "__main__":
    sys.exit(main())
