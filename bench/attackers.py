"""Abuses a server on this machine, in a process of its own: slow clients, idle sockets, floods, refusals, a busy lab.

The first line of input is a `Plan`. The process prints "ready", abuses the server until its input ends, and prints one
line of JSON: how often it did what. It connects to 127.0.0.1 only, from many loopback addresses, and every kind of
abuse has a limit in number and rate. Signed-in abusers are guests like any other.
"""

import asyncio
import contextlib
import json
import os
import random
import resource
import sys
from collections import Counter
from collections.abc import Coroutine
from typing import Any, TypedDict

import httpx
from websockets.asyncio.client import connect

SLOW_CLIENTS, IDLE_SOCKETS, ADDRESSES = 4_100, 1_100, 80
OPENED_PER_SECOND = 800  # new connections, of each kind
FLOOD_CLIENTS, FLOOD_PER_SECOND = 8, 800  # requests, together
REFUSED_GUESTS, REFUSED_PER_SECOND = 4, 20  # commands, each
LAB_GUESTS, LAB_PER_SECOND = 6, 2  # requests, each
HALF_A_REQUEST = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
_LAB = (
    "/api/lab/wagers/da6-4?decks=6",
    "/api/lab/odds/da6-4?decks=6",
    "/api/lab/main/the-brook",
    "/api/lab/removal/da6-4?decks=6",
    "/api/lab/paytables",
)

KINDS = ("slow", "idle", "flood", "refusals", "lab")


class Plan(TypedDict):
    """What to do."""

    port: int
    table: str
    kinds: list[str]


class Attack:
    """Everything that one process does."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.done = plan, Counter[str]()
        self.address = f"http://127.0.0.1:{plan['port']}"
        self._guests: list[dict[str, Any]] = []

    async def prepare(self) -> None:
        """Signs guests in before anything is measured."""
        count = REFUSED_GUESTS * ("refusals" in self.plan["kinds"]) + LAB_GUESTS * ("lab" in self.plan["kinds"])
        async with httpx.AsyncClient(base_url=self.address, trust_env=False, timeout=60) as http:
            for _ in range(count):
                self._guests.append((await http.post("/api/guest", json={})).raise_for_status().json())

    def tasks(self) -> list[Coroutine[Any, Any, None]]:
        running: list[Coroutine[Any, Any, None]] = []
        guests = iter(self._guests)
        for kind in self.plan["kinds"]:
            match kind:
                case "slow":
                    running.append(self._keep_open("half-sent requests", SLOW_CLIENTS, HALF_A_REQUEST))
                case "idle":
                    running.append(self._keep_open("idle connections", IDLE_SOCKETS, b""))
                case "flood":
                    running += [self._flood(number) for number in range(FLOOD_CLIENTS)]
                case "refusals":
                    running += [self._be_refused(next(guests)) for _ in range(REFUSED_GUESTS)]
                case "lab":
                    running += [self._use_lab(next(guests)) for _ in range(LAB_GUESTS)]
        return running

    async def _keep_open(self, name: str, count: int, first: bytes) -> None:
        """Keeps so many connections open, as far as the server lets it; one that was closed is opened again."""
        open_ones: set[asyncio.StreamWriter] = set()

        async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                await reader.read(1)
            open_ones.discard(writer)
            writer.close()

        holding: set[asyncio.Task[None]] = set()
        while True:
            for _ in range(min(OPENED_PER_SECOND // 10, count - len(open_ones))):
                source = (f"127.0.1.{random.randrange(1, ADDRESSES)}", 0)
                try:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.plan["port"], local_addr=source)
                except OSError:
                    self.done[f"{name}: refused"] += 1
                    continue
                writer.write(first)
                open_ones.add(writer)
                self.done[name] += 1
                self.done[f"most open {name}"] = max(self.done[f"most open {name}"], len(open_ones))
                task = asyncio.create_task(hold(reader, writer))
                holding.add(task)
                task.add_done_callback(holding.discard)
            await asyncio.sleep(0.1)

    async def _flood(self, number: int) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=f"127.0.2.{1 + number % 2}")
        async with httpx.AsyncClient(base_url=self.address, transport=transport, timeout=60) as http:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    answer = await http.get("/api/games")
                    self.done[f"flood: {answer.status_code}"] += 1
                await asyncio.sleep(FLOOD_CLIENTS / FLOOD_PER_SECOND)

    async def _be_refused(self, guest: dict[str, Any]) -> None:
        """Sends commands over a socket that the table must refuse."""
        headers = {"Authorization": f"Bearer {guest['token']}"}
        async with httpx.AsyncClient(base_url=self.address, headers=headers, trust_env=False, timeout=60) as http:
            ticket = (await http.post("/api/ticket", json={})).raise_for_status().json()["ticket"]
        where = f"ws://127.0.0.1:{self.plan['port']}/ws?ticket={ticket}"
        async with connect(where, compression=None, proxy=None) as socket:
            for number in range(10**9):
                command = {"do": "hit", "table": self.plan["table"], "spot": 6}
                await socket.send(json.dumps({"type": "command", "id": f"r{number}", "command": command}))
                self.done[json.loads(await socket.recv())["type"]] += 1
                await asyncio.sleep(1 / REFUSED_PER_SECOND)

    async def _use_lab(self, guest: dict[str, Any]) -> None:
        headers = {"Authorization": f"Bearer {guest['token']}"}
        simulation = {"paytable": "da6-4", "decks": 6, "rounds": 50_000_000}
        async with httpx.AsyncClient(base_url=self.address, headers=headers, trust_env=False, timeout=60) as http:
            while True:
                for request in random.sample(_LAB, len(_LAB)):
                    with contextlib.suppress(httpx.HTTPError):
                        answer = await http.get(request)
                        self.done[f"lab: {answer.status_code}"] += 1
                        answer = await http.post("/api/lab/simulations", json=simulation)
                        self.done[f"simulation: {answer.status_code}"] += 1
                    await asyncio.sleep(1 / LAB_PER_SECOND)


async def run(plan: Plan) -> None:
    attack = Attack(plan)
    await attack.prepare()
    tasks = [asyncio.create_task(task) for task in attack.tasks()]
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    failed = [str(task.exception() or "it ended") for task in tasks if task.done()]
    print(json.dumps({**attack.done, **({"failed": failed} if failed else {})}), flush=True)
    os._exit(0)  # the sockets end with the process


if __name__ == "__main__":
    import uvloop

    os.nice(10)  # as on another machine: it does not take the server's processor
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384), hard))
    uvloop.run(run(json.loads(sys.stdin.readline())))
