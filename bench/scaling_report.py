"""Writes the results of bench/scaling.py as Markdown tables, and projects them to houses of several sizes."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from bench.database import KINDS, Kind
from bench.processes import SEATS, Arranged, Commits
from bench.service import Measured
from bench.unit_costs import Sockets, Tables

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
HOUSES = (300, 3_000, 100_000)  # tables
ROUNDS_PER_HOUR = 60
SHARE = 0.5  # load of a server process's core at which answers stay quick
COMMITS = 1 / 0.015  # per second, of a busy process: decision 017
NAMES: dict[Kind, str] = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
BASE = "1 process"  # the arrangement that projections start from
ON_SQLITE = "SQLite, 1 process"


class RunInfo(TypedDict):
    quick: bool
    machine: str


class Results(RunInfo, total=False):
    """Everything that was measured; parts that were not requested are missing."""

    commands: dict[Kind, Measured]
    sockets: Sockets
    tables: dict[Kind, Tables]
    commits: list[Commits]
    processes: dict[str, Arranged]


def markdown(results: Results) -> str:
    quick = "QUICK: a short run, to be replaced by a full one. " if results["quick"] else ""
    parts = [f"{quick}Measured on {results['machine']}."]
    if "commands" in results:
        parts.append(_commands(results["commands"]))
    if "processes" in results:
        parts += [_processes(results["processes"]), _rounds(results["processes"])]
    if "sockets" in results:
        parts.append(_sockets(results["sockets"]))
    if "tables" in results:
        parts.append(_tables(results["tables"]))
    if "commits" in results:
        parts.append(_commits(results["commits"]))
    if all(name in results for name in ("processes", "sockets", "tables")):
        parts.append(_projections(results))
    return "\n\n".join(parts)


def _commands(of: dict[Kind, Measured]) -> str:
    kinds = [kind for kind in KINDS if kind in of]
    lines = [
        ("commands per second", [f"{of[kind]['commands']:,.0f}" for kind in kinds]),
        ("relative to the plain driver", [f"{of[kind]['ratio']:.2f}" for kind in kinds]),
        ("processor time, service", [_time(of[kind]["cpu_us"]) for kind in kinds]),
        ("processor time, database", [_time(of[kind]["database_cpu_us"]) for kind in kinds]),
        (
            "rows written (of them new)",
            [f"{of[kind]['rows_a_command']:.1f} ({of[kind]['new_rows']:.1f})" for kind in kinds],
        ),
        ("bytes stored, with indexes", [_bytes(of[kind]["stored_bytes"]) for kind in kinds]),
        ("bytes written (SQLite: all, PostgreSQL: WAL)", [_bytes(of[kind]["written_bytes"]) for kind in kinds]),
    ]
    return _section(
        "A command, without a network",
        "One player per table, at full speed; `--only commands`. `bench/service.py` checks the promises.",
        ["one command", *(NAMES[kind] for kind in kinds)],
        [[name, *values] for name, values in lines],
    )


def _processes(of: dict[str, Arranged]) -> str:
    head = ["", "commands/s", "p50", "p99", "servers", "database", "bots", "cores busy", "WAL"]
    rows = []
    for name, arrangement in of.items():
        for pace, figures in ((f"{name}: steady", arrangement["steady"]), ("full speed", arrangement["fastest"])):
            times = [_time(figures["server_us"]), _time(figures["database_us"]), _time(figures["guests_us"])]
            waits = [f"{figures['p50_ms']:.0f} ms", f"{figures['p99_ms']:.0f} ms"]
            log = _bytes(figures["wal_bytes"]) if figures["wal_bytes"] else ""
            rows.append([pace, f"{figures['commands']:,.0f}", *waits, *times, f"{figures['cores']:.1f}", log])
    return _section(
        "A command over the network, by arrangement of processes",
        "Tables of six players over WebSocket; processor time per command; `--only processes`. On PostgreSQL unless "
        "the row says otherwise.",
        head,
        rows,
    )


def _rounds(of: dict[str, Arranged]) -> str:
    rows = []
    for name in (name for name in (ON_SQLITE, BASE) if name in of):
        stored = of[name]["round"]
        largest = ", ".join(f"{table} {_bytes(size)}" for table, size in list(stored["largest"].items())[:4])
        figures = [
            f"{stored['commands']:.1f}",
            f"{stored['rows']:.0f}",
            _bytes(stored["data_bytes"]),
            _bytes(stored["index_bytes"]),
        ]
        rows.append([NAMES["sqlite" if name == ON_SQLITE else "postgresql"], *figures, largest])
    return _section(
        "A stored round of six players",
        "`--only processes`; the growth of the book.",
        ["", "commands", "rows", "data", "indexes", "largest tables"],
        rows,
    )


def _sockets(of: Sockets) -> str:
    rows = [
        ["an idle server process: memory", _bytes(of["process_bytes"])],
        ["... processor", f"{of['process_idle']:.1%} of a core"],
        ["a socket watching a quiet table: memory", _bytes(of["idle_bytes"])],
        ["... processor, per second", _time(of["idle_us"])],
        ["one event to one more watching socket: processor", _time(of["send_us"])],
        ["... bytes (a table of two players)", _bytes(of["event_bytes"])],
        ["events per second to all sockets meanwhile", f"{of['events']:,.0f}"],
    ]
    return _section("A socket", "One server on SQLite, 20 tables of two; `--only sockets`.", ["", ""], rows)


def _tables(of: dict[Kind, Tables]) -> str:
    kinds = [kind for kind in KINDS if kind in of]
    lines = [
        ("memory, opened", [_bytes(of[kind]["opened_bytes"]) for kind in kinds]),
        ("memory, in play", [_bytes(of[kind]["played_bytes"]) for kind in kinds]),
        ("stored when opened, with one player", [_bytes(of[kind]["stored_bytes"]) for kind in kinds]),
        ("rows", [f"{of[kind]['rows']:.0f}" for kind in kinds]),
        ("its share of the daily close, wall time", [_time(of[kind]["close_us"]) for kind in kinds]),
    ]
    head = ["one table", *(NAMES[kind] for kind in kinds)]
    return _section("A table", "`--only tables`.", head, [[name, *values] for name, values in lines])


def _commits(of: list[Commits]) -> str:
    rows = [[str(run["writers"]), f"{run['plain']:,.0f}", f"{run['with_notice']:,.0f}"] for run in of]
    return _section(
        "Commits",
        "Durable transactions per second on connections that do nothing else: plain, and with a notice to other "
        "processes in each, as the service sends; `--only commits`.",
        ["connections", "plain", "with a notice"],
        rows,
    )


def _projections(results: Results) -> str:
    rows: dict[str, list[str]] = {}
    for tables in HOUSES:
        for name, value in _needs(results, tables):
            rows.setdefault(name, []).append(value)
    capacity = SHARE / (_busy_cores(results, HOUSES[0]) / HOUSES[0])
    return _section(
        "Projections",
        f"{SEATS} players per table, {ROUNDS_PER_HOUR} rounds per hour around the clock, everybody on a socket. Each "
        f"server process uses {SHARE:.0%} of a core, which is enough for about {capacity:,.0f} such tables. Computed "
        "from the tables above, not measured.",
        ["tables", *(f"{tables:,}" for tables in HOUSES)],
        [[name, *values] for name, values in rows.items()],
    )


def _commands_per_second(results: Results, tables: int) -> float:
    return tables * ROUNDS_PER_HOUR / 3600 * results["processes"][BASE]["round"]["commands"]


def _busy_cores(results: Results, tables: int) -> float:
    """Cores that the servers keep busy."""
    commands = _commands_per_second(results, tables) * results["processes"][BASE]["steady"]["server_us"]
    return (commands + tables * SEATS * results["sockets"]["idle_us"]) / 1e6


def _needs(results: Results, tables: int) -> Iterator[tuple[str, str]]:
    base, sockets, weights = results["processes"][BASE], results["sockets"], results["tables"]["postgresql"]
    commands, people, servers = _commands_per_second(results, tables), tables * SEATS, _busy_cores(results, tables)
    count, database = math.ceil(servers / SHARE), commands * base["steady"]["database_us"] / 1e6
    memory = count * sockets["process_bytes"] + people * sockets["idle_bytes"] + tables * weights["played_bytes"]
    stored = tables * ROUNDS_PER_HOUR * 24 * (base["round"]["data_bytes"] + base["round"]["index_bytes"])
    yield "commands per second", f"{commands:,.0f}"
    yield "sockets", f"{people:,}"
    yield "events sent per second", f"{commands * SEATS:,.0f}"
    yield "bytes sent per second", _bytes(commands * SEATS * base["steady"]["event_bytes"])
    yield "busy cores: servers", f"{servers:,.1f}"
    yield "busy cores: PostgreSQL", f"{database:,.1f}"
    yield "server processes, one core each", f"{count:,}"
    yield "cores for PostgreSQL, half loaded", f"{math.ceil(database / SHARE):,}"
    yield "server memory", _bytes(memory)
    yield "commits per second, at most", f"{min(commands, count * COMMITS):,.0f}"
    yield "WAL per second", _bytes(commands * base["steady"]["wal_bytes"])
    yield "stored per day", _bytes(stored)
    yield "stored per year", _bytes(stored * 365)
    yield "the daily close, wall time", _time(tables * weights["close_us"])


# --- formatting ------------------------------------------------------------------------------------------------------


def _section(title: str, note: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join([f"### {title}", "", note, "", *(f"| {' | '.join(line)} |" for line in lines)])


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
