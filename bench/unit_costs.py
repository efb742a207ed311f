"""Measures the cost of one command, one socket and one table.

Each function is a small separate run. Processor time is what the kernel charged to a process, so it means nearly the
same however busy the machine is. Memory is the resident size of a process.
"""

import gc
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import TypedDict, TypeVar

from bench.bots import Crowd
from bench.database import Database, Kind, database, sizes, total
from bench.demo_servers import served, set_up
from bench.process_stats import cpu_seconds, resident_bytes
from bench.service import KEYRING, Load, Measured, measure, open_tables
from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import CloseDay, SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.running import bootstrap

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Length and size of the runs."""

    seconds: float
    after: float  # seconds to wait for late messages
    tables: int  # in runs with one player per table, without a network
    watchers: int  # at each of twenty tables
    opened: int  # tables opened to measure their memory
    full_tables: int  # of six players
    think: float  # seconds per decision; together about a hundred commands per second


QUICK = Scale(seconds=1.2, after=0.3, tables=40, watchers=20, opened=60, full_tables=12, think=0.2)
FULL = Scale(seconds=6, after=1.0, tables=200, watchers=30, opened=400, full_tables=30, think=0.5)
WARM_UP = 1.0  # seconds that are not counted


class Pace(TypedDict):
    """Servers under load at one pace; processor times are per command."""

    commands: float  # per second
    p50_ms: float
    p99_ms: float
    server_us: float  # all server processes together
    database_us: float
    guests_us: float  # the bots and their sockets, on the same machine
    cores: float  # kept busy by all of them
    event_bytes: float  # per message to one socket
    wal_bytes: float  # written to PostgreSQL's log per command


class Sockets(TypedDict):
    """What sockets cost one server process."""

    process_bytes: float  # before anybody connects
    process_idle: float  # share of a core, before anybody connects
    idle_bytes: float  # per socket
    idle_us: float  # per socket and second
    send_us: float  # per event to one more watching socket
    event_bytes: float
    events: float  # per second, to all sockets


class Tables(TypedDict):
    """The cost of one more table, and of the daily close."""

    opened_bytes: float  # memory
    played_bytes: float  # memory, in play
    stored_bytes: float
    rows: float
    close_us: float  # wall time


def command_costs(kind: Kind, scale: Scale) -> Measured:
    return measure(kind, scale.seconds, scale.tables)


def play(
    crowd: Crowd, lasting: float, servers: Sequence[int], place: Database, first: Callable[[], object] = lambda: None
) -> Pace:
    """Runs the next pace of a crowd and returns what it cost; calls `first` once everybody is ready."""
    crowd.wait_until_ready()
    first()
    written = place.written()
    began = sum(map(cpu_seconds, servers)), place.cpu_seconds(), cpu_seconds(crowd.pid)
    crowd.go()
    results = crowd.results()
    ended = sum(map(cpu_seconds, servers)), place.cpu_seconds(), cpu_seconds(crowd.pid)
    written = place.written() - written
    used = [after - before for before, after in zip(began, ended, strict=True)]
    waits, count = sorted(results["waits"]), len(results["acknowledged"])
    return Pace(
        commands=count / lasting,
        p50_ms=waits[len(waits) // 2] * 1000,
        p99_ms=waits[len(waits) * 99 // 100] * 1000,
        server_us=used[0] / count * 1e6,
        database_us=used[1] / count * 1e6,
        guests_us=used[2] / count * 1e6,
        cores=sum(used) / lasting,
        event_bytes=results["bytes"] / results["events"],
        wal_bytes=written / count if place.kind == "postgresql" else 0.0,
    )


# --- sockets ------------------------------------------------------------------------------------------------------


def sockets(scale: Scale) -> Sockets:
    """Twenty tables of two players: first without watchers, then with many, while the tables are quiet and in play."""
    count, think = 20, 0.25
    with database("sqlite") as place, tempfile.TemporaryDirectory() as folder:
        book = place.new("house")
        names = set_up(book, count)
        with served(book, Path(folder) / "log", hints=False) as (address, process):
            at = {name: [address] for name in names}
            bare, alone = resident_bytes(process.pid), _idle(process.pid, scale.seconds)
            paces = [(0.0, WARM_UP), *[(think, scale.seconds)] * 2]
            players = Crowd(at, paces, seated=True, after=scale.after)
            play(players, WARM_UP, [process.pid], place)
            without = play(players, scale.seconds, [process.pid], place)
            quiet, small = _idle(process.pid, scale.seconds), resident_bytes(process.pid)
            crowd = Crowd(at, [(think, scale.seconds)], seats=0, watchers=scale.watchers, after=scale.after)
            crowd.wait_until_ready()
            watched, large = _idle(process.pid, scale.seconds), resident_bytes(process.pid)
            with_them = play(players, scale.seconds, [process.pid], place, crowd.go)
            results = crowd.results()
            players.end()
            crowd.end()
    more = count * scale.watchers
    return Sockets(
        process_bytes=bare,
        process_idle=alone,
        idle_bytes=(large - small) / more,
        idle_us=(watched - quiet) / more * 1e6,
        send_us=(with_them["server_us"] - without["server_us"]) / scale.watchers,
        event_bytes=results["bytes"] / results["events"],
        events=results["events"] / scale.seconds,
    )


def _idle(pid: int, seconds: float) -> float:
    """The share of a core that a process uses while no commands arrive."""
    time.sleep(0.5)
    before = cpu_seconds(pid)
    time.sleep(seconds)
    return (cpu_seconds(pid) - before) / seconds


# --- tables -------------------------------------------------------------------------------------------------------


def tables(kind: Kind, scale: Scale) -> Tables:
    """Opens tables in a fresh process, closes the day, and plays a little at all of them."""
    with database(kind) as place:
        return _in_new_process(_measure_tables, place.new("house"), scale.opened, scale.seconds)


FIRST = 50  # tables that are not counted: they load what all tables share


def _measure_tables(address: str, count: int, seconds: float) -> Tables:
    today, late = datetime.now(UTC).date(), [timedelta()]
    store = Store.create(address, KEYRING)
    service = bootstrap(store, clock=lambda: datetime.now(UTC) + late[0])
    desk = service.desk
    desk.do(s.House(request=SetHours(hours=Hours(since=today, zone="UTC", start=0))), id="hours", actor="Dana")
    open_tables(service, range(FIRST))
    small, before = _resident(), total(sizes(address))
    open_tables(service, range(FIRST, FIRST + count))
    large, grown = _resident(), total(sizes(address)) - before
    late[0] = timedelta(days=1)
    began = time.perf_counter()
    desk.do(s.House(request=CloseDay(day=today)), id="close", actor="Dana")
    closed = time.perf_counter() - began
    desk.start()
    Load(service, FIRST + count).run(seconds)
    desk.stop()
    played = _resident() - large
    store.close()
    return Tables(
        opened_bytes=(large - small) / count,
        played_bytes=(large - small) / count + played / (FIRST + count),
        stored_bytes=grown.bytes / count,
        rows=grown.rows / count,
        close_us=closed / (FIRST + count) * 1e6,
    )


def _resident() -> int:
    gc.collect()
    return resident_bytes(os.getpid())


def _in_new_process(work: Callable[[str, int, float], T], address: str, count: int, seconds: float) -> T:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, address, count, seconds).result()
