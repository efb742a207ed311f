"""Plays as guests over WebSocket in a separate process, and measures how quickly they hear of each decision.

The first line of input is an `Assignment`. For each pace the process prints "ready", waits for a line, plays, and
prints one line of JSON, a `PaceResults`. `Crowd` controls such a process. All guests of a table are in one process,
whichever server they connect to, so that a decision and its last listener are timed by the same clock.
"""

import asyncio
import gc
import json
import random
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import httpx
from websockets.asyncio.client import ClientConnection, connect

STAKES = {"Ante": 1000, "Match the Dealer": 500}
AFTER = 1.5  # seconds to wait for late messages after a pace


class Assignment(TypedDict):
    """Where the guests sit and how they play."""

    tables: dict[str, list[str]]  # servers that the table's guests use in turn, by table
    seats: int
    watchers: int  # per table, in addition to the players
    stakes: dict[str, int]
    seated: bool  # guests take their seats before the first pace
    paces: list[tuple[float, float]]  # seconds per decision, and how long the pace lasts
    after: float  # seconds to wait for late messages


class PaceResults(TypedDict):
    """What a crowd measured at one pace."""

    waits: list[float]  # from each decision until the last guest of the table heard of it
    acknowledged: list[str]  # ids
    refused: list[str]
    unheard: int
    gaps: int
    events: int  # messages with a record
    bytes: int  # in those messages


class Crowd:
    """Starts and controls a process with guests."""

    def __init__(
        self,
        tables: Mapping[str, Sequence[str]],
        paces: Sequence[tuple[float, float]],
        *,
        seats: int = 2,
        watchers: int = 0,
        stakes: Mapping[str, int] = STAKES,
        seated: bool = False,
        after: float = AFTER,
    ) -> None:
        assignment = Assignment(
            tables={name: list(addresses) for name, addresses in tables.items()},
            seats=seats,
            watchers=watchers,
            stakes=dict(stakes),
            seated=seated,
            paces=list(paces),
            after=after,
        )
        words = [sys.executable, __file__]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self._send_line(json.dumps(assignment))

    def wait_until_ready(self) -> None:
        """Waits until everybody is seated and has the table's state."""
        line = self._read_line()
        if line != "ready\n":
            raise RuntimeError(f"unexpected output of the bots: {line!r}")

    def go(self) -> None:
        """Starts the next pace."""
        self._send_line("go")

    def results(self) -> PaceResults:
        """Waits for the end of the pace."""
        results: PaceResults = json.loads(self._read_line())
        return results

    def end(self) -> None:
        """Waits until the guests have left, which they do after the last pace."""
        self.process.wait(60)

    def _send_line(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def _read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@dataclass
class TableTimes:
    """Times at one table: when each record was requested, and when each guest received it."""

    requested: dict[int, float] = field(default_factory=dict)
    received: dict[int, list[float]] = field(default_factory=dict)


@dataclass
class Pace:
    """Seconds a bot thinks, and the time after which no bot sends anything."""

    seconds: float
    until: float
    sitting: bool = False  # bots only take their seats


class Bot:
    """A guest who hits below 17; at spot 0 a guest who only watches."""

    def __init__(self, table: str, spot: int, times: TableTimes, pace: Pace, stakes: Mapping[str, int]) -> None:
        self.table, self.spot, self.times, self.pace, self.stakes = table, spot, times, pace, stakes
        self.name = ""
        self.number = -1
        self.state: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.gaps = self.events = self.bytes = 0
        self._socket: ClientConnection | None = None
        self._pending: tuple[str, float] | None = None
        self._thinking = False
        self._count = 0

    async def come_in(self, http: httpx.AsyncClient) -> None:
        """Signs in, opens a socket and watches."""
        me = (await http.post("/api/guest", json={})).raise_for_status().json()
        self.name = me["name"]
        bearer = {"Authorization": f"Bearer {me['token']}"}
        ticket = (await http.post("/api/ticket", json={}, headers=bearer)).raise_for_status().json()["ticket"]
        where = f"ws{str(http.base_url).removeprefix('http').rstrip('/')}/ws?ticket={ticket}"
        self._socket = await connect(where, compression=None, max_size=2**22, ping_interval=None, proxy=None)
        await self._socket.send(json.dumps({"type": "watch", "table": self.table}))

    async def play(self) -> None:
        """Receives and answers messages until the socket is closed."""
        socket = self._socket
        assert socket is not None
        async for text in socket:
            now = time.perf_counter()
            message = json.loads(text)
            kind = message["type"]
            if kind == "events" or kind == "snapshot":
                self._update(message, now, len(text))
            elif kind == "answer" or kind == "refused":
                self._answered(message)
            else:
                raise RuntimeError(f"{self.name} received {text!r}")
            self.think()

    async def leave(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    def _update(self, message: dict[str, Any], now: float, size: int) -> None:
        if message["type"] == "events":
            self.gaps += message["number"] != self.number + 1
            self.events += 1
            self.bytes += size
            self.times.received.setdefault(message["number"], []).append(now)
        self.number = message["number"]
        self.state = message.get("state", self.state)
        if "mine" in message:
            self.choices = message["mine"]["choices"]

    def _answered(self, message: dict[str, Any]) -> None:
        assert self._pending is not None
        name, requested = self._pending
        assert message["id"] == name
        self._pending = None
        if message["type"] == "answer":
            self.times.requested[message["number"]] = requested
            self.acknowledged.append(f"{self.name}:{name}")
        else:
            self.refused.append(message["reason"])

    @property
    def seated(self) -> bool:
        """Whether the last known state shows this bot in its seat."""
        return bool(self.state["seats"].get(str(self.spot)) == self.name)

    def think(self) -> None:
        """Starts thinking about the next command, if one is due."""
        if self._thinking or self._pending is not None or time.perf_counter() > self.pace.until:
            return
        if self._decision() is not None:
            self._thinking = True
            asyncio.get_running_loop().create_task(self._send_decision())

    async def _send_decision(self) -> None:
        if self.pace.seconds:
            await asyncio.sleep(self.pace.seconds * random.uniform(0.5, 1.5))
        self._thinking = False
        command = self._decision()  # the table may have changed while the bot was thinking
        if command is None or time.perf_counter() > self.pace.until:
            return
        self._count += 1
        name = f"b{self._count}"
        message = json.dumps({"type": "command", "id": name, "command": {**command, "table": self.table}})
        self._pending = (name, time.perf_counter())
        assert self._socket is not None
        await self._socket.send(message)

    def _decision(self) -> dict[str, Any] | None:
        if not self.spot:
            return None
        if not self.seated:
            return {"do": "seat", "player": self.name, "spot": self.spot}
        if self.pace.sitting:
            return None
        playing = self.state["round"]
        if playing is None:
            return {"do": "bet", "spot": self.spot, "stakes": self.stakes}
        allowed = {choice["do"] for choice in self.choices}
        spots = [spot for spot in playing["spots"] if spot["spot"] == self.spot]
        if "bet" in allowed and not spots:
            return {"do": "bet", "spot": self.spot, "stakes": self.stakes}
        if "ready" in allowed:
            return {"do": "ready", "player": self.name}
        if "decline-insurance" in allowed:
            return {"do": "decline-insurance", "spot": self.spot}
        if "stay" in allowed or "hit" in allowed:
            hand = spots[0]["hands"][playing["turn"]["hand"]]
            return {"do": "hit" if hand["total"] < 17 and "hit" in allowed else "stay", "spot": self.spot}
        return None


async def play(assignment: Assignment) -> None:
    """Runs all guests of the assignment, pace after pace."""
    pace = Pace(seconds=0, until=0, sitting=assignment["seated"])
    tables = {table: TableTimes() for table in assignment["tables"]}
    spots = [*range(1, assignment["seats"] + 1), *[0] * assignment["watchers"]]
    connections = [
        (addresses[place % len(addresses)], Bot(table, spot, tables[table], pace, assignment["stakes"]))
        for table, addresses in assignment["tables"].items()
        for place, spot in enumerate(spots)
    ]
    bots = [bot for _, bot in connections]
    servers = {address for address, _ in connections}
    await asyncio.gather(
        *(_come_in(server, [bot for address, bot in connections if address == server]) for server in servers)
    )
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    while any(bot.number < 0 for bot in bots):
        await asyncio.sleep(0.05)
    if pace.sitting:
        await _sit_down(bots, pace)
        _measured(bots, tables, len(spots))
    gc.collect()
    gc.freeze()
    for seconds, lasting in assignment["paces"]:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        pace.seconds, pace.until = seconds, time.perf_counter() + lasting
        loop = asyncio.get_running_loop()
        for bot in bots:
            loop.call_later(random.random() * seconds, bot.think)
        await asyncio.sleep(lasting + assignment["after"])
        print(json.dumps(_measured(bots, tables, len(spots))), flush=True)
    await asyncio.gather(*(bot.leave() for bot in bots))
    for task in playing:
        task.cancel()


async def _come_in(address: str, bots: Sequence[Bot]) -> None:
    limits = httpx.Limits(max_connections=8)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120, trust_env=False) as http:
        await asyncio.gather(*(bot.come_in(http) for bot in bots))


async def _sit_down(bots: Sequence[Bot], pace: Pace) -> None:
    """Waits until all have their seats."""
    pace.until = time.perf_counter() + 60
    for bot in bots:
        bot.think()
    while any(bot.spot and not bot.seated for bot in bots):
        await asyncio.sleep(0.05)
    pace.sitting = False


def _measured(bots: Sequence[Bot], tables: Mapping[str, TableTimes], listeners: int) -> PaceResults:
    """Collects the measurements since the last call."""
    waits, unheard = [], 0
    for times in tables.values():
        for number, requested in times.requested.items():
            received = times.received.get(number, [])
            unheard += listeners - len(received)
            waits.append(max(received, default=requested + 60) - requested)
        times.requested.clear()
        times.received.clear()
    results = PaceResults(
        waits=waits,
        acknowledged=[name for bot in bots for name in bot.acknowledged],
        refused=[reason for bot in bots for reason in bot.refused],
        unheard=unheard,
        gaps=sum(bot.gaps for bot in bots),
        events=sum(bot.events for bot in bots),
        bytes=sum(bot.bytes for bot in bots),
    )
    for bot in bots:
        bot.acknowledged, bot.refused = [], []
        bot.gaps = bot.events = bot.bytes = 0
    return results


if __name__ == "__main__":
    import uvloop

    uvloop.run(play(json.loads(sys.stdin.readline())))
