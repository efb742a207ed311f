"""The figures of bench/scaling.py as tables in Markdown, and what follows from them for houses of several sizes."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from bench.costs import Sockets, Tables
from bench.database import KINDS, Kind
from bench.processes import SEATS, Arranged, Commits
from bench.service import Measured

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
HOUSES = (300, 3_000, 100_000)  # tables
ROUNDS_AN_HOUR = 60
SHARE = 0.5  # of its one core that a server process is given to do: then its answers stay quick
COMMITS = 1 / 0.015  # a second, of a busy process: decision 017
NAMES: dict[Kind, str] = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
BASE = "1 process"  # the arrangement that sums are made of
ON_SQLITE = "SQLite, 1 process"


class Head(TypedDict):
    """Of what run they are."""

    quick: bool
    machine: str


class Found(Head, total=False):
    """Everything measured, or the parts that were asked for."""

    commands: dict[Kind, Measured]
    sockets: Sockets
    tables: dict[Kind, Tables]
    commits: list[Commits]
    processes: dict[str, Arranged]


def markdown(found: Found) -> str:
    """All that was measured."""
    quick = "QUICK: a short run, to be replaced by a whole one. " if found["quick"] else ""
    parts = [f"{quick}Measured on {found['machine']}."]
    if "commands" in found:
        parts.append(_commands(found["commands"]))
    if "processes" in found:
        parts += [_processes(found["processes"]), _rounds(found["processes"])]
    if "sockets" in found:
        parts.append(_sockets(found["sockets"]))
    if "tables" in found:
        parts.append(_tables(found["tables"]))
    if "commits" in found:
        parts.append(_commits(found["commits"]))
    if all(name in found for name in ("processes", "sockets", "tables")):
        parts.append(_sums(found))
    return "\n\n".join(parts)


def _commands(of: dict[Kind, Measured]) -> str:
    kinds = [kind for kind in KINDS if kind in of]
    lines = [
        ("commands a second", [f"{of[kind]['commands']:,.0f}" for kind in kinds]),
        ("of the plain driver's", [f"{of[kind]['ratio']:.2f}" for kind in kinds]),
        ("processor time, service", [_time(of[kind]["cpu_us"]) for kind in kinds]),
        ("processor time, database", [_time(of[kind]["database_cpu_us"]) for kind in kinds]),
        (
            "rows written (new ones)",
            [f"{of[kind]['rows_a_command']:.1f} ({of[kind]['new_rows']:.1f})" for kind in kinds],
        ),
        ("bytes stored, with indexes", [_bytes(of[kind]["stored_bytes"]) for kind in kinds]),
        ("bytes written (SQLite: all, PostgreSQL: WAL)", [_bytes(of[kind]["written_bytes"]) for kind in kinds]),
    ]
    return _section(
        "A command, without a network",
        "One player at each table, as fast as it goes; `--only commands`, and with its promises `bench/service.py`.",
        ["one command", *(NAMES[kind] for kind in kinds)],
        [[name, *values] for name, values in lines],
    )


def _processes(of: dict[str, Arranged]) -> str:
    head = ["", "commands/s", "p50", "p99", "servers", "database", "bots", "cores busy", "WAL"]
    rows = []
    for name, one in of.items():
        for pace, told in ((f"{name}: steady", one["steady"]), ("as fast as it goes", one["fastest"])):
            times = [_time(told["server_us"]), _time(told["database_us"]), _time(told["guests_us"])]
            waits = [f"{told['p50_ms']:.0f} ms", f"{told['p99_ms']:.0f} ms"]
            log = _bytes(told["wal_bytes"]) if told["wal_bytes"] else ""
            rows.append([pace, f"{told['commands']:,.0f}", *waits, *times, f"{told['cores']:.1f}", log])
    return _section(
        "A command over the network, by arrangement of processes",
        "Tables of six players over WebSocket, processor time of one command; `--only processes`. On PostgreSQL where "
        "nothing else is said.",
        head,
        rows,
    )


def _rounds(of: dict[str, Arranged]) -> str:
    rows = []
    for name in (name for name in (ON_SQLITE, BASE) if name in of):
        one = of[name]["round"]
        largest = ", ".join(f"{table} {_bytes(size)}" for table, size in list(one["largest"].items())[:4])
        figures = [
            f"{one['commands']:.1f}",
            f"{one['rows']:.0f}",
            _bytes(one["data_bytes"]),
            _bytes(one["index_bytes"]),
        ]
        rows.append([NAMES["sqlite" if name == ON_SQLITE else "postgresql"], *figures, largest])
    return _section(
        "A stored round of six players",
        "`--only processes`, what its books grew by.",
        ["", "commands", "rows", "data", "indexes", "most of it"],
        rows,
    )


def _sockets(of: Sockets) -> str:
    rows = [
        ["a server process before anybody comes: memory", _bytes(of["process_bytes"])],
        ["... processor", f"{of['process_idle']:.1%} of a core"],
        ["a socket that watches a quiet table: memory", _bytes(of["idle_bytes"])],
        ["... processor, in a second", _time(of["idle_us"])],
        ["one event to one more socket that watches: processor", _time(of["send_us"])],
        ["... bytes (a table of two players)", _bytes(of["event_bytes"])],
        ["events a second to all sockets meanwhile", f"{of['events']:,.0f}"],
    ]
    return _section("A socket", "One server on SQLite, 20 tables of two; `--only sockets`.", ["", ""], rows)


def _tables(of: dict[Kind, Tables]) -> str:
    kinds = [kind for kind in KINDS if kind in of]
    lines = [
        ("memory, opened", [_bytes(of[kind]["opened_bytes"]) for kind in kinds]),
        ("memory, in play", [_bytes(of[kind]["played_bytes"]) for kind in kinds]),
        ("stored when it is opened, with one player", [_bytes(of[kind]["stored_bytes"]) for kind in kinds]),
        ("rows", [f"{of[kind]['rows']:.0f}" for kind in kinds]),
        ("its share of the daily close, by the clock", [_time(of[kind]["close_us"]) for kind in kinds]),
    ]
    head = ["one table", *(NAMES[kind] for kind in kinds)]
    return _section("A table", "`--only tables`.", head, [[name, *values] for name, values in lines])


def _commits(of: list[Commits]) -> str:
    rows = [[str(one["writers"]), f"{one['plain']:,.0f}", f"{one['with_notice']:,.0f}"] for one in of]
    return _section(
        "Commits",
        "Durable transactions a second of connections that do nothing else; and where each sends a notice to other "
        "processes, as the service's do; `--only commits`.",
        ["connections", "alone", "with a notice"],
        rows,
    )


def _sums(found: Found) -> str:
    rows: dict[str, list[str]] = {}
    for tables in HOUSES:
        for name, value in _needs(found, tables):
            rows.setdefault(name, []).append(value)
    one = SHARE / (_serving(found, HOUSES[0]) / HOUSES[0])
    return _section(
        "Sums",
        f"{SEATS} players at each table, {ROUNDS_AN_HOUR} rounds an hour round the clock, everybody on a socket. A "
        f"server process is given {SHARE:.0%} of a core to do, which is about {one:,.0f} such tables. Computed from "
        "the tables above, not measured.",
        ["tables", *(f"{tables:,}" for tables in HOUSES)],
        [[name, *values] for name, values in rows.items()],
    )


def _commands_a_second(found: Found, tables: int) -> float:
    return tables * ROUNDS_AN_HOUR / 3600 * found["processes"][BASE]["round"]["commands"]


def _serving(found: Found, tables: int) -> float:
    """Cores that servers keep busy."""
    commands = _commands_a_second(found, tables) * found["processes"][BASE]["steady"]["server_us"]
    return (commands + tables * SEATS * found["sockets"]["idle_us"]) / 1e6


def _needs(found: Found, tables: int) -> Iterator[tuple[str, str]]:
    base, sockets, weights = found["processes"][BASE], found["sockets"], found["tables"]["postgresql"]
    commands, people, serving = _commands_a_second(found, tables), tables * SEATS, _serving(found, tables)
    count, database = math.ceil(serving / SHARE), commands * base["steady"]["database_us"] / 1e6
    memory = count * sockets["process_bytes"] + people * sockets["idle_bytes"] + tables * weights["played_bytes"]
    stored = tables * ROUNDS_AN_HOUR * 24 * (base["round"]["data_bytes"] + base["round"]["index_bytes"])
    yield "commands a second", f"{commands:,.0f}"
    yield "sockets", f"{people:,}"
    yield "events sent a second", f"{commands * SEATS:,.0f}"
    yield "bytes sent a second", _bytes(commands * SEATS * base["steady"]["event_bytes"])
    yield "cores kept busy: servers", f"{serving:,.1f}"
    yield "cores kept busy: PostgreSQL", f"{database:,.1f}"
    yield "server processes, and a core for each", f"{count:,}"
    yield "cores for PostgreSQL, half of them idle", f"{math.ceil(database / SHARE):,}"
    yield "memory of the servers", _bytes(memory)
    yield "commits a second, at most", f"{min(commands, count * COMMITS):,.0f}"
    yield "WAL in a second", _bytes(commands * base["steady"]["wal_bytes"])
    yield "stored in a day", _bytes(stored)
    yield "stored in a year", _bytes(stored * 365)
    yield "the daily close, by the clock", _time(tables * weights["close_us"])


# --- writing ------------------------------------------------------------------------------------------------------


def _section(title: str, said: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join([f"### {title}", "", said, "", *(f"| {' | '.join(line)} |" for line in lines)])


def _time(microseconds: float) -> str:
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:,.1f} s"
    return f"{microseconds / 1e3:,.1f} ms" if microseconds >= 1e4 else f"{microseconds:,.0f} µs"


def _bytes(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if abs(count) < 1000 or unit == "TB":
            return f"{count:,.0f} {unit}" if unit == "bytes" or abs(count) >= 100 else f"{count:,.1f} {unit}"
        count /= 1000
    raise AssertionError
