"""Bots over WebSocket: a process of its own with guests at some tables, told what to do and asked what they measured.

The first line on its input is a `Plan`. For each pace it says "ready", waits for a line, plays, and answers with one
line of JSON, a `Heard`. `Crowd` is the other end of that talk. A table's guests are all in one such process, whichever
server each of them is connected to: from a decision to the last guest who heard of it is one clock.
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
AFTER = 1.5  # seconds


class Plan(TypedDict):
    """Where the guests sit and how they play."""

    tables: dict[str, list[str]]  # addresses of the servers that its guests use in turn
    seats: int
    watchers: int  # at each table, beside those who play
    stakes: dict[str, int]
    seated: bool  # they take their seats before the first pace
    paces: list[tuple[float, float]]  # seconds a guest thinks, and how long that goes on
    after: float  # seconds in which the last word of a pace is still heard


class Heard(TypedDict):
    """What a crowd measured at one pace."""

    waits: list[float]  # from each decision to the last guest of the table who heard of it
    kept: list[str]  # ids that were acknowledged
    refused: list[str]
    unheard: int
    gaps: int
    events: int  # messages that told of a record
    bytes: int  # in them


class Crowd:
    """A process with guests, seen by whoever measures."""

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
        plan = Plan(
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
        self._say(json.dumps(plan))

    def wait_until_ready(self) -> None:
        """Until everybody has sat down and knows how the table stands."""
        line = self._line()
        if line != "ready\n":
            raise RuntimeError(f"the guests said {line!r}")

    def go(self) -> None:
        """Begins the next pace."""
        self._say("go")

    def heard(self) -> Heard:
        """What they measured, when the pace is over."""
        told: Heard = json.loads(self._line())
        return told

    def end(self) -> None:
        """They have left by themselves after the last pace."""
        self.process.wait(60)

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@dataclass
class Felt:
    """What the guests of a table measured: when a record was asked for, and when each of them heard of it."""

    said: dict[int, float] = field(default_factory=dict)
    heard: dict[int, list[float]] = field(default_factory=dict)


@dataclass
class Pace:
    """Seconds a bot thinks; nobody says anything after the end."""

    seconds: float
    until: float
    sitting: bool = False  # all that is said is where they sit


class Bot:
    """A guest at a table, who hits below seventeen; at spot 0 he only watches."""

    def __init__(self, table: str, spot: int, felt: Felt, pace: Pace, stakes: Mapping[str, int]) -> None:
        self.table, self.spot, self.felt, self.pace, self.stakes = table, spot, felt, pace, stakes
        self.name = ""
        self.number = -1
        self.state: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.kept: list[str] = []
        self.refused: list[str] = []
        self.gaps = self.events = self.bytes = 0
        self._socket: ClientConnection | None = None
        self._asked: tuple[str, float] | None = None
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
        """Hears and answers until its socket is closed."""
        socket = self._socket
        assert socket is not None
        async for text in socket:
            now = time.perf_counter()
            message = json.loads(text)
            kind = message["type"]
            if kind == "events" or kind == "snapshot":
                self._told(message, now, len(text))
            elif kind == "answer" or kind == "refused":
                self._answered(message)
            else:
                raise RuntimeError(f"{self.name} was told {text!r}")
            self.think()

    async def go(self) -> None:
        """Lets go of its socket."""
        if self._socket is not None:
            await self._socket.close()

    def _told(self, message: dict[str, Any], now: float, size: int) -> None:
        if message["type"] == "events":
            self.gaps += message["number"] != self.number + 1
            self.events += 1
            self.bytes += size
            self.felt.heard.setdefault(message["number"], []).append(now)
        self.number = message["number"]
        self.state = message.get("state", self.state)
        if "mine" in message:
            self.choices = message["mine"]["choices"]

    def _answered(self, message: dict[str, Any]) -> None:
        assert self._asked is not None
        name, said = self._asked
        assert message["id"] == name
        self._asked = None
        if message["type"] == "answer":
            self.felt.said[message["number"]] = said
            self.kept.append(f"{self.name}:{name}")
        else:
            self.refused.append(message["reason"])

    @property
    def seated(self) -> bool:
        """Whether he has his seat, as far as he knows."""
        return bool(self.state["seats"].get(str(self.spot)) == self.name)

    def think(self) -> None:
        """Thinks about what to say, if there is anything."""
        if self._thinking or self._asked is not None or time.perf_counter() > self.pace.until:
            return
        if self._decision() is not None:
            self._thinking = True
            asyncio.get_running_loop().create_task(self._speak())

    async def _speak(self) -> None:
        if self.pace.seconds:
            await asyncio.sleep(self.pace.seconds * random.uniform(0.5, 1.5))
        self._thinking = False
        command = self._decision()  # as the table stands now
        if command is None or time.perf_counter() > self.pace.until:
            return
        self._count += 1
        name = f"b{self._count}"
        message = json.dumps({"type": "command", "id": name, "command": {**command, "table": self.table}})
        self._asked = (name, time.perf_counter())
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
        may = {one["do"] for one in self.choices}
        own = [one for one in playing["spots"] if one["spot"] == self.spot]
        if "bet" in may and not own:
            return {"do": "bet", "spot": self.spot, "stakes": self.stakes}
        if "ready" in may:
            return {"do": "ready", "player": self.name}
        if "decline-insurance" in may:
            return {"do": "decline-insurance", "spot": self.spot}
        if "stay" in may or "hit" in may:
            hand = own[0]["hands"][playing["turn"]["hand"]]
            return {"do": "hit" if hand["total"] < 17 and "hit" in may else "stay", "spot": self.spot}
        return None


async def play(plan: Plan) -> None:
    """All guests of the plan, pace after pace."""
    pace = Pace(seconds=0, until=0, sitting=plan["seated"])
    felts = {table: Felt() for table in plan["tables"]}
    spots = [*range(1, plan["seats"] + 1), *[0] * plan["watchers"]]
    at = [
        (addresses[place % len(addresses)], Bot(table, spot, felts[table], pace, plan["stakes"]))
        for table, addresses in plan["tables"].items()
        for place, spot in enumerate(spots)
    ]
    bots = [bot for _, bot in at]
    await asyncio.gather(*(_come_in(one, [bot for to, bot in at if to == one]) for one in {to for to, _ in at}))
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    while any(bot.number < 0 for bot in bots):
        await asyncio.sleep(0.05)
    if pace.sitting:
        await _sit_down(bots, pace)
        _measured(bots, felts, len(spots))
    gc.collect()
    gc.freeze()
    for seconds, lasting in plan["paces"]:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        pace.seconds, pace.until = seconds, time.perf_counter() + lasting
        loop = asyncio.get_running_loop()
        for bot in bots:
            loop.call_later(random.random() * seconds, bot.think)
        await asyncio.sleep(lasting + plan["after"])
        print(json.dumps(_measured(bots, felts, len(spots))), flush=True)
    await asyncio.gather(*(bot.go() for bot in bots))
    for task in playing:
        task.cancel()


async def _come_in(address: str, bots: Sequence[Bot]) -> None:
    limits = httpx.Limits(max_connections=8)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120, trust_env=False) as http:
        await asyncio.gather(*(bot.come_in(http) for bot in bots))


async def _sit_down(bots: Sequence[Bot], pace: Pace) -> None:
    """Until all have their seats."""
    pace.until = time.perf_counter() + 60
    for bot in bots:
        bot.think()
    while any(bot.spot and not bot.seated for bot in bots):
        await asyncio.sleep(0.05)
    pace.sitting = False


def _measured(bots: Sequence[Bot], felts: Mapping[str, Felt], listeners: int) -> Heard:
    """What was measured since the last time."""
    waits, unheard = [], 0
    for felt in felts.values():
        for number, said in felt.said.items():
            heard = felt.heard.get(number, [])
            unheard += listeners - len(heard)
            waits.append(max(heard, default=said + 60) - said)
        felt.said.clear()
        felt.heard.clear()
    told = Heard(
        waits=waits,
        kept=[name for bot in bots for name in bot.kept],
        refused=[one for bot in bots for one in bot.refused],
        unheard=unheard,
        gaps=sum(bot.gaps for bot in bots),
        events=sum(bot.events for bot in bots),
        bytes=sum(bot.bytes for bot in bots),
    )
    for bot in bots:
        bot.kept, bot.refused = [], []
        bot.gaps = bot.events = bot.bytes = 0
    return told


if __name__ == "__main__":
    import uvloop

    uvloop.run(play(json.loads(sys.stdin.readline())))
