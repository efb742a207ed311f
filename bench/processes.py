"""Tables of six players at one server process and at several that share a PostgreSQL: what a command costs all of them
together, and a stored round; and how commits get in each other's way.

On a machine of few cores more processes cannot be faster by the clock: bots, servers and PostgreSQL share them. So the
figure to compare is processor time for each command.
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
from bench.costs import WARM_UP, Pace, Scale, play
from bench.database import Kind, Size, database, growth, sizes, total
from bench.house import LAYOUT, set_up, several
from upcard.ledger.store import Store

SEATS = 6
LINKED = "Lucky Ladies"  # the wager of the linked jackpot
BATCH_BYTES = 16_000  # of a transaction: a handful of commands
WRITERS = (1, 2, 4, 8)


@dataclass(frozen=True, kw_only=True)
class Arrangement:
    """Processes, and which of them serve a table's guests."""

    processes: int = 1
    kind: Kind = "postgresql"
    together: bool = False  # a table's guests are spread over all processes
    linked: bool = False  # one jackpot for all tables, and everybody plays for it
    quick: bool = False  # measured also where there is little time


ARRANGEMENTS = {
    "SQLite, 1 process": Arrangement(kind="sqlite"),
    "1 process": Arrangement(quick=True),
    "2 processes, each its tables": Arrangement(processes=2),
    "4 processes, each its tables": Arrangement(processes=4),
    "2 processes, each table through both": Arrangement(processes=2, together=True, quick=True),
    "1 process, one jackpot for all tables": Arrangement(linked=True),
    "2 processes, one jackpot for all tables": Arrangement(processes=2, linked=True),
}


class Round(TypedDict):
    """What a round of six players leaves behind."""

    commands: float
    rows: float
    data_bytes: float
    index_bytes: float
    largest: dict[str, float]  # bytes with indexes, by table of the database


class Arranged(TypedDict):
    """One arrangement: at a steady pace, and as fast as it goes."""

    steady: Pace
    fastest: Pace
    round: Round


class Commits(TypedDict):
    """Durable commits a second of several connections that do nothing else."""

    writers: int
    plain: float
    with_notice: float  # each tells the other processes something, as the service's do


def arranged(one: Arrangement, scale: Scale) -> Arranged:
    """Tables of six players, played at a steady pace and then as fast as it goes."""
    with database(one.kind) as place, tempfile.TemporaryDirectory() as folder:
        book, key = place.new("house"), Path(folder) / "key"
        layout, jackpots, stakes = LAYOUT, dict[str, str](), STAKES
        if one.linked:
            layout, jackpots, stakes = "lucky-ladies-jackpot", {LINKED: "Linked"}, {"Ante": 1000, LINKED: 500}
        names = set_up(book, scale.full_tables, key=key, layout=layout, jackpots=jackpots)
        with several(book, Path(folder), one.processes, key=key) as servers:
            addresses, pids = list(servers), list(servers.values())
            shares = [addresses] if one.together else [[address] for address in addresses]
            at = {table: shares[number % len(shares)] for number, table in enumerate(names)}
            paces = [(0.0, WARM_UP), (scale.think, scale.seconds), (0.0, scale.seconds)]
            crowd = Crowd(at, paces, seats=SEATS, stakes=stakes, seated=True, after=scale.after)
            play(crowd, WARM_UP, pids, place)
            before: dict[str, Size] = {}
            steady = play(crowd, scale.seconds, pids, place, lambda: before.update(sizes(book)))
            fastest = play(crowd, scale.seconds, pids, place)
            after = sizes(book)
            crowd.end()
        return Arranged(steady=steady, fastest=fastest, round=_round(growth(before, after), _records_a_round(book)))


def _round(grown: Mapping[str, Size], records: float) -> Round:
    """By the records of a round, since most tables are in the middle of one when the time is over."""
    part = records / grown["history"].rows
    whole = total(grown)
    largest = sorted(grown.items(), key=lambda pair: -pair[1].bytes)[:6]
    return Round(
        commands=records,
        rows=whole.rows * part,
        data_bytes=whole.data * part,
        index_bytes=whole.indexes * part,
        largest={name: size.bytes * part for name, size in largest},
    )


def _records_a_round(book: str) -> float:
    store = Store.open(book)
    with store.view() as unit:
        found = unit.connection.exec_driver_sql("SELECT CAST(avg(last - first + 1) AS FLOAT) FROM rounds").scalar_one()
    store.close()
    return float(found)


def commits(scale: Scale) -> list[Commits]:
    """What the disk and PostgreSQL's queue of notices allow, whoever writes."""
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
    """Somebody who hears the notices, or nobody would queue them."""
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
