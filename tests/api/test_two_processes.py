"""Two processes on one PostgreSQL serve one table: what is done at one is seen at the other at once, in order."""

import os
import secrets
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg
from api.house import receive, send
from api.server_process import server_process, without_a_core
from support.empty_books import emptied
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from upcard.client import Client, Table
from upcard.ledger.jackpots.requests import Suspend
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.running import bootstrap, keyring_beside
from upcard.service.server_messages import AnswerMessage, Events, Snapshot
from upcard.service.wire_models import EventSent

TABLE = "the-brook"
EVENTS = 120 if os.environ.get("UPCARD_SOAK") else 60
SOON = 0.2  # seconds


class Watching:
    """A watcher at one process, and the time at which each record arrived."""

    def __init__(self, address: str) -> None:
        self.client = Client.guest(address)
        self.table = self.client.watch(TABLE)
        self.first = self.table.number
        self.at: dict[int, float] = {}
        self.events: dict[int, list[EventSent]] = {}
        update = self.table.update

        def written(message: Snapshot | Events) -> None:
            update(message)
            self.at[message["number"]] = time.perf_counter()
            self.events[message["number"]] = message["events"] if message["type"] == "events" else []

        self.table.update = written  # type: ignore[method-assign]  # listened to for a while
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                self.client.hear(seconds=0.1)
            except ConnectionClosed:
                return

    def wait(self, number: int, *, seconds: float = 10) -> None:
        until = time.monotonic() + seconds
        while number not in self.at:
            assert time.monotonic() < until, f"record {number} was not told within {seconds} s"
            time.sleep(0.002)

    def close(self) -> None:
        self._over.set()
        self._thread.join(5)
        self.client.close()


def test_what_is_done_at_one_process_is_seen_at_the_other_at_once(server: str, tmp_path: Path) -> None:
    address, key = emptied(server), tmp_path / "operator.key"
    with ExitStack() as stack:
        first_process = stack.enter_context(server_process(address, key=key))
        two = stack.enter_context(server_process(address, key=key))
        here_client, there_client = Watching(first_process.address), Watching(two.address)
        stack.callback(here_client.close)
        stack.callback(there_client.close)
        players = [stack.enter_context(Client.guest(child.address)) for child in (first_process, two)]
        waits, busy = _played(
            players, (here_client, there_client), (first_process.process.pid, two.process.pid, os.getpid())
        )
        first, last = max(here_client.first, there_client.first) + 1, max(here_client.at)
        for watching in (here_client, there_client):
            receive = [number for number in watching.events if number >= first]
            assert receive == list(range(first, last + 1)), "each number once and in order"
        assert [here_client.events[number] for number in range(first, last + 1)] == [
            there_client.events[number] for number in range(first, last + 1)
        ]
        waits.sort()
        print(
            f"\n{len(waits)} events from process to process: p50 {waits[len(waits) // 2] * 1000:.0f} ms, "
            f"p95 {waits[len(waits) * 95 // 100] * 1000:.0f} ms, most {waits[-1] * 1000:.0f} ms"
        )
        assert waits[len(waits) // 2] < SOON
        assert sorted(busy)[len(busy) * 95 // 100] < SOON, "also without the time in which they had no core"
        _a_suspension_closes_the_circle_at_both(address, key, players)
        _the_listener_comes_back(address, players[0], there_client)


def _played(
    players: list[Client], watching: tuple[Watching, Watching], processes: tuple[int, ...]
) -> tuple[list[float], list[float]]:
    """Rounds of a player at each process; from saying something at one to hearing of it at the other."""
    tables = [player.watch(TABLE) for player in players]
    for spot, (player, table) in enumerate(zip(players, tables, strict=True), 1):
        table.say("seat", player=player.name, spot=spot)
    waits: list[float] = []
    busy: list[float] = []  # the same without the time in which the processes had no core: others use the machine too
    while len(waits) < EVENTS:
        for spot, (player, table) in enumerate(zip(players, tables, strict=True), 1):
            idle, begun = without_a_core(*processes), time.perf_counter()
            answer = _next(player, table, spot)
            if answer is None:
                player.hear(seconds=0.2)
                continue
            for watcher in watching:
                watcher.wait(answer["number"])
            waits.append(watching[spot % 2].at[answer["number"]] - begun)  # at the other process
            busy.append(waits[-1] - (without_a_core(*processes) - idle))
    return waits, busy


def _next(player: Client, table: Table, spot: int) -> AnswerMessage | None:
    """Says what comes next at a spot, if anything does."""
    playing = table.state["round"]
    may = {choice["do"] for choice in table.choices}
    has_bet = playing is not None and any(seat["spot"] == spot for seat in playing["spots"])
    if playing is None or ("bet" in may and not has_bet):
        return table.say("bet", spot=spot, stakes={"Ante": 1000})
    if "ready" in may:
        return table.say("ready", player=player.name)
    for do in ("decline-insurance", "stay", "hit"):
        if do in may:
            return table.say(do, spot=spot)
    return None


def _a_suspension_closes_the_circle_at_both(address: str, key: Path, players: list[Client]) -> None:
    """A third process suspends the jackpot: the watchers at both servers hear it at once, though no table changed."""
    why = {"code": "SUSPENDED", "jackpot": f"{TABLE} Galaxy Bonus Jackpot", "why": "the meter is tested"}
    store = Store(address, keyring_beside(address, key))
    with ExitStack() as stack:
        stack.callback(store.close)
        sockets = [stack.enter_context(connect(_socket_address(player), proxy=None)) for player in players]
        for socket in sockets:
            send(socket, {"type": "watch", "table": TABLE, "shown": True})
            assert receive(socket, "meters")["off"] == {}
        suspend = s.House(request=Suspend(jackpot=why["jackpot"], why=why["why"]))
        bootstrap(store).desk.do(suspend, id="suspend", actor="Jack")
        begun = time.perf_counter()
        for socket in sockets:
            while not (off := receive(socket, "meters", seconds=3)["off"]):
                pass  # a meter moved with the rounds played before
            assert off == {"Galaxy Bonus Jackpot": why}
        assert time.perf_counter() - begun < 2, "not only at the next slow read"


def _socket_address(player: Client) -> str:
    ticket = player.post("/api/ticket", {})["ticket"]
    return f"ws{player.address.removeprefix('http')}/ws?ticket={ticket}"


def _the_listener_comes_back(address: str, player: Client, watcher: Watching) -> None:
    """Its connection to the database is cut, something happens meanwhile, and it is told all the same."""
    with psycopg.connect(address, autocommit=True) as connection:
        cut = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        ).fetchall()
    assert len(cut) == 2, "each process listens once"
    body = {"do": "back", "table": TABLE, "player": player.name}
    for _ in range(3):
        number = player.say(body, name=secrets.token_hex(8))["number"]
    watcher.wait(number, seconds=10)
    time.sleep(0.5)
    begun = time.perf_counter()
    number = player.say(body)["number"]
    watcher.wait(number)
    assert watcher.at[number] - begun < 2, "it listens again"
