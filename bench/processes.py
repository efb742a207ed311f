"""Compares one server process with several that share a PostgreSQL, at tables of six players: the cost of a command and
of a stored round. Also measures how concurrent commits slow each other down.

On a machine with few cores more processes are not faster, because bots, servers and PostgreSQL share the cores. Compare
the processor time per command.
"""

import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import psycopg

from bench.bots import STAKES, Crowd
from bench.database import Kind, Size, database, growth, sizes, total
from bench.demo_servers import LAYOUT, serve_several, set_up
from bench.unit_costs import WARM_UP, Pace, Scale, play
from upcard.ledger.store import Store

SEATS = 6
LINKED = "Lucky Ladies"  # the wager with the linked jackpot
BATCH_BYTES = 16_000  # per transaction: a handful of commands
WRITERS = (1, 2, 4, 8)


@dataclass(frozen=True, kw_only=True)
class Arrangement:
    """Server processes, and how a table's guests are spread over them."""

    processes: int = 1
    kind: Kind = "postgresql"
    together: bool = False  # a table's guests are spread over all processes
    linked: bool = False  # all tables share one jackpot, and everybody plays for it
    quick: bool = False  # also part of a quick run


ARRANGEMENTS = {
    "SQLite, 1 process": Arrangement(kind="sqlite"),
    "1 process": Arrangement(quick=True),
    "2 processes, tables divided": Arrangement(processes=2),
    "4 processes, tables divided": Arrangement(processes=4),
    "2 processes, each table on both": Arrangement(processes=2, together=True, quick=True),
    "1 process, one shared jackpot": Arrangement(linked=True),
    "2 processes, one shared jackpot": Arrangement(processes=2, linked=True),
}


class StoredRound(TypedDict):
    """What a round of six players stores."""

    commands: float
    rows: float
    data_bytes: float
    index_bytes: float
    largest: dict[str, float]  # bytes with indexes, by table of the database


class Arranged(TypedDict):
    """One arrangement, at a steady pace and at full speed."""

    steady: Pace
    fastest: Pace
    round: StoredRound


class Commits(TypedDict):
    """Durable commits per second on several connections that do nothing else."""

    writers: int
    plain: float
    with_notice: float  # each commit notifies the other processes, as the service does


def measure_arrangement(arrangement: Arrangement, scale: Scale) -> Arranged:
    """Plays at tables of six, at a steady pace and then at full speed."""
    with database(arrangement.kind) as place, tempfile.TemporaryDirectory() as folder:
        book, key = place.new("house"), Path(folder) / "key"
        layout, jackpots, stakes = LAYOUT, dict[str, str](), STAKES
        if arrangement.linked:
            layout, jackpots, stakes = "lucky-ladies-jackpot", {LINKED: "Linked"}, {"Ante": 1000, LINKED: 500}
        names = set_up(book, scale.full_tables, key=key, layout=layout, jackpots=jackpots)
        with serve_several(book, Path(folder), arrangement.processes, key=key) as servers:
            addresses, pids = list(servers), list(servers.values())
            shares = [addresses] if arrangement.together else [[address] for address in addresses]
            at = {table: shares[number % len(shares)] for number, table in enumerate(names)}
            paces = [(0.0, WARM_UP), (scale.think, scale.seconds), (0.0, scale.seconds)]
            crowd = Crowd(at, paces, seats=SEATS, stakes=stakes, seated=True, after=scale.after)
            play(crowd, WARM_UP, pids, place)
            before: dict[str, Size] = {}
            steady = play(crowd, scale.seconds, pids, place, lambda: before.update(sizes(book)))
            fastest = play(crowd, scale.seconds, pids, place)
            after = sizes(book)
            crowd.end()
        return Arranged(steady=steady, fastest=fastest, round=_round(growth(before, after), _records_per_round(book)))


def _round(grown: Mapping[str, Size], records: float) -> StoredRound:
    """Scaled by the records of a round, because most tables are in the middle of one when the time is over."""
    share = records / grown["history"].rows
    size = total(grown)
    largest = sorted(grown.items(), key=lambda pair: -pair[1].bytes)[:6]
    return StoredRound(
        commands=records,
        rows=size.rows * share,
        data_bytes=size.data * share,
        index_bytes=size.indexes * share,
        largest={name: table.bytes * share for name, table in largest},
    )


def _records_per_round(book: str) -> float:
    store = Store.open(book)
    with store.view() as unit:
        query = "SELECT CAST(avg(last - first + 1) AS FLOAT) FROM rounds"
        average = unit.connection.exec_driver_sql(query).scalar_one()
    store.close()
    return float(average)


def commits(scale: Scale) -> list[Commits]:
    """The commit rates that the disk and PostgreSQL's notification queue allow."""
    with database("postgresql") as place:
        address = place.new("commits")
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("CREATE TABLE batches (writer int, text text)")
        seconds = scale.seconds / 5
        return [
            Commits(
                writers=writers,
                plain=_commits(address, writers, seconds, notice=False),
                with_notice=_commits(address, writers, seconds, notice=True),
            )
            for writers in WRITERS
        ]


def _commits(address: str, writers: int, seconds: float, *, notice: bool) -> float:
    counts = [0] * writers
    over = time.perf_counter() + seconds

    def write(writer: int) -> None:
        with psycopg.connect(address) as connection:
            while time.perf_counter() < over:
                connection.execute("INSERT INTO batches VALUES (%s, %s)", (writer, str(writer) * BATCH_BYTES))
                if notice:
                    connection.execute("SELECT pg_notify('upcard', %s)", (f"{writer} {counts[writer]}",))
                connection.commit()
                counts[writer] += 1

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(writers)]
    with _listener(address):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return sum(counts) / seconds


@contextmanager
def _listener(address: str) -> Iterator[None]:
    """Listens to the notices; without a listener PostgreSQL would not queue them."""
    over = threading.Event()

    def listen() -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("LISTEN upcard")
            while not over.is_set():
                for _ in connection.notifies(timeout=0.1):
                    pass

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
