"""One server process on SQLite with 300 tables and 600 bots over WebSocket: at human pace, then as fast as it goes.

The promise is measured at human pace (each bot decides in two seconds): from the moment a bot says something to the
moment the last of its table has heard of it, 99 of 100 in less than 150 ms. At full speed the server is set beside the
table service itself, without any network, in the same run. Afterwards nothing may be lost, and the book must be sound.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect

from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.running import bootstrap, keyring_beside

UPCARD = str(Path(sys.executable).parent / "upcard")
TABLES, SEATS = 300, 2
PROMISE_MS = 150
STAKES = {"Ante": 1000, "Match the Dealer": 500}
SETTINGS = {
    "UPCARD_DEMO_CHIPS": "100000000",
    "UPCARD_REQUESTS_A_MINUTE": "1000000000",
    "UPCARD_SIGN_INS_A_MINUTE": "1000000000",
    "UPCARD_MESSAGES_A_SECOND": "100000",
    "UPCARD_LOG": "json",
}


# --- the bots -----------------------------------------------------------------------------------------------------


@dataclass
class Felt:
    """What the bots of a table measured: when a record was asked for, and when each of them heard of it."""

    said: dict[int, float] = field(default_factory=dict)
    heard: dict[int, list[float]] = field(default_factory=dict)


@dataclass
class Pace:
    """Seconds a bot thinks; nobody says anything after the end."""

    seconds: float
    until: float


class Bot:
    """A guest at a table, who hits below seventeen."""

    def __init__(self, table: str, spot: int, felt: Felt, pace: Pace) -> None:
        self.table, self.spot, self.felt, self.pace = table, spot, felt, pace
        self.name = ""
        self.number = -1
        self.state: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.kept: list[str] = []  # ids that were acknowledged
        self.refused: list[str] = []
        self.gaps = 0
        self._socket: ClientConnection | None = None
        self._asked: tuple[str, float] | None = None
        self._thinking = False
        self._count = 0

    async def come_in(self, http: httpx.AsyncClient, address: str) -> None:
        """Signs in, opens a socket and watches."""
        me = (await http.post("/api/guest", json={})).raise_for_status().json()
        self.name = me["name"]
        bearer = {"Authorization": f"Bearer {me['token']}"}
        ticket = (await http.post("/api/ticket", json={}, headers=bearer)).raise_for_status().json()["ticket"]
        where = f"ws{address.removeprefix('http')}/ws?ticket={ticket}"
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
                self._told(message, now)
            elif kind == "answer" or kind == "refused":
                self._answered(message)
            else:
                raise RuntimeError(f"{self.name} was told {text!r}")
            self._think()

    async def go(self) -> None:
        """Lets go of its socket."""
        if self._socket is not None:
            await self._socket.close()

    def _told(self, message: dict[str, Any], now: float) -> None:
        if message["type"] == "events":
            self.gaps += message["number"] != self.number + 1
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

    def _think(self) -> None:
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
        if self.state["seats"].get(str(self.spot)) != self.name:
            return {"do": "seat", "player": self.name, "spot": self.spot}
        playing = self.state["round"]
        if playing is None:
            return {"do": "bet", "spot": self.spot, "stakes": STAKES}
        may = {one["do"] for one in self.choices}
        own = [one for one in playing["spots"] if one["spot"] == self.spot]
        if "bet" in may and not own:
            return {"do": "bet", "spot": self.spot, "stakes": STAKES}
        if "ready" in may:
            return {"do": "ready", "player": self.name}
        if "decline-insurance" in may:
            return {"do": "decline-insurance", "spot": self.spot}
        if "stay" in may or "hit" in may:
            hand = own[0]["hands"][playing["turn"]["hand"]]
            return {"do": "hit" if hand["total"] < 17 and "hit" in may else "stay", "spot": self.spot}
        return None


async def crowd(address: str, tables: list[str], paces: list[tuple[float, float]]) -> None:
    """Bots at some tables, in this process: for each pace a line of JSON tells what they measured."""
    pace = Pace(seconds=0, until=0)
    felts = {table: Felt() for table in tables}
    bots = [Bot(table, spot, felts[table], pace) for table in tables for spot in range(1, SEATS + 1)]
    limits = httpx.Limits(max_connections=8)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120, trust_env=False) as http:
        await asyncio.gather(*(bot.come_in(http, address) for bot in bots))
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    while any(bot.number < 0 for bot in bots):
        await asyncio.sleep(0.05)
    gc.collect()
    gc.freeze()
    for seconds, lasting in paces:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        pace.seconds, pace.until = seconds, time.perf_counter() + lasting
        loop = asyncio.get_running_loop()
        for bot in bots:
            loop.call_later(random.random() * seconds, bot._think)
        await asyncio.sleep(lasting + 1.5)
        told: dict[str, Any] = {"gaps": sum(bot.gaps for bot in bots), "waits": [], "unheard": 0}
        for felt in felts.values():
            for number, said in felt.said.items():
                heard = felt.heard.get(number, [])
                told["unheard"] += SEATS - len(heard)
                told["waits"].append(max(heard, default=said + 60) - said)
            felt.said.clear()
        told["kept"] = [name for bot in bots for name in bot.kept]
        told["refused"] = [one for bot in bots for one in bot.refused]
        for bot in bots:
            bot.kept, bot.refused = [], []
        print(json.dumps(told), flush=True)
    await asyncio.gather(*(bot.go() for bot in bots))
    for task in playing:
        task.cancel()


# --- the server ---------------------------------------------------------------------------------------------------


def set_up(book: str, tables: int) -> list[str]:
    """A book with tables that are open."""
    store = Store.create(book, keyring_beside(book, None))
    desk = bootstrap(store).desk
    hours = Hours(since=date(2020, 1, 1), zone="America/New_York", start=6)
    desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="bench")
    desk.start()
    names = [f"T{number:03}" for number in range(tables)]
    waiting = [
        desk.submit(s.OpenTable(table=name, layout="bet-bigger", tray=1_000_000_00), id=f"open-{name}", actor="bench")
        for name in names
    ]
    for one in waiting:
        one.result()
    desk.stop()
    store.close()
    return names


@contextmanager
def served(book: str, log: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A server process; gives its address."""
    words = [UPCARD, "serve", "--book", book, "--port", "0", "--demo"]
    with log.open("w") as errors:
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **SETTINGS}
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = line.split(" at ")[1].strip()
        for _ in range(600):
            try:
                httpx.get(f"{address}/healthz", trust_env=False).raise_for_status()
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def cpu_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waited_seconds(pid: int) -> float:
    """How long its threads were ready to run and had no core: what other programs of the machine took from it."""
    waited = 0
    for one in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            waited += int(one.read_text().split()[1])
    return waited / 1e9


@contextmanager
def stillness() -> Iterator[list[float]]:
    """The longest time in which this idle process was not woken: no answer can be quicker than the machine."""
    over, found = threading.Event(), [0.0]

    def sleep() -> None:
        while not over.is_set():
            before = time.perf_counter()
            time.sleep(0.005)
            found[0] = max(found[0], time.perf_counter() - before - 0.005)

    thread = threading.Thread(target=sleep)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def rounds_of(book: str) -> int:
    """Rounds that ended so far."""
    store = Store.open(book)
    with store.view() as unit:
        count = unit.connection.execute(sa.select(sa.func.count()).select_from(schema.rounds)).scalar_one()
    store.close()
    return int(count)


def kept_in(book: str) -> set[str]:
    """The ids of everything that was done."""
    store = Store.open(book)
    with store.view() as unit:
        found = {row.id for row in unit.connection.execute(sa.select(schema.history.c.id))}
    store.close()
    return found


def run(told: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        book = str(Path(folder) / "house.db")
        tables = set_up(book, told.tables)
        paces = [(told.think, told.seconds), (0.0, told.full)]
        with served(book, Path(told.log or Path(folder) / "log")) as (address, process):
            found = _driven(told, book, address, process.pid, tables, paces)
        acknowledged = {name for one in found for name in one.pop("kept")}
        lost = acknowledged - kept_in(book)
        check = subprocess.run([UPCARD, "ledger", "check", book], check=False)
    return {"paces": found, "lost": len(lost), "acknowledged": len(acknowledged), "sound": check.returncode == 0}


def _driven(
    told: argparse.Namespace, book: str, address: str, pid: int, tables: list[str], paces: list[tuple[float, float]]
) -> list[dict[str, Any]]:
    shares = [tables[number :: told.generators] for number in range(told.generators)]
    order = json.dumps(paces)
    crowds = [
        subprocess.Popen(
            [sys.executable, __file__, "--crowd", address, "--paces", order, "--named", ",".join(share)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for share in shares
    ]
    found = []
    for _, lasting in paces:
        for one in crowds:
            assert one.stdout is not None
            line = one.stdout.readline()
            assert line == "ready\n", line
        rounds, cpu, waited = rounds_of(book), cpu_seconds(pid), waited_seconds(pid)
        for one in crowds:
            assert one.stdin is not None
            one.stdin.write("go\n")
            one.stdin.flush()
        with stillness() as still:
            lines = [json.loads(one.stdout.readline()) for one in crowds if one.stdout is not None]
        waits = sorted(wait for line in lines for wait in line["waits"])
        kept = [name for line in lines for name in line["kept"]]
        refused = [name for line in lines for name in line["refused"]]
        found.append(
            {
                "commands": len(kept) / lasting,
                "rounds": (rounds_of(book) - rounds) / lasting,
                "p50_ms": waits[len(waits) // 2] * 1000,
                "p99_ms": waits[len(waits) * 99 // 100] * 1000,
                "most_ms": waits[-1] * 1000,
                "still_ms": still[0] * 1000,
                "unheard": sum(line["unheard"] for line in lines),
                "gaps": sum(line["gaps"] for line in lines),
                "refused": len(refused),
                "cpu": (cpu_seconds(pid) - cpu) / (lasting + 1.5),
                "waited": (waited_seconds(pid) - waited) / (lasting + 1.5),
                "kept": kept,
            }
        )
    for one in crowds:
        one.wait(30)
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--full", type=float, default=10)
    parser.add_argument("--generators", type=int, default=1)
    parser.add_argument("--log", help="where the server's log goes")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--alone", action="store_true", help="without the service's own figures")
    parser.add_argument("--crowd", help=argparse.SUPPRESS)
    parser.add_argument("--paces", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("--named", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.crowd:
        import uvloop

        uvloop.run(crowd(told.crowd, told.named.split(","), told.paces))
        return 0
    found = run(told)
    if not told.alone:
        sys.path.insert(0, str(Path(__file__).parents[1]))
        from bench.service import measure

        found["service"] = measure("sqlite", told.full, told.tables)
    if told.json:
        print(json.dumps(found, indent=1))
    else:
        _show(told, found)
    human = found["paces"][0]
    clean = found["sound"] and not found["lost"] and not human["unheard"] and not human["gaps"]
    return 0 if clean and human["p99_ms"] < PROMISE_MS else 1


def _show(told: argparse.Namespace, found: dict[str, Any]) -> None:
    bots = told.tables * SEATS
    for name, one in zip((f"a decision in {told.think:g} s", "full speed"), found["paces"], strict=True):
        print(
            f"{told.tables} tables, {bots} bots, {name}: {one['commands']:.0f} commands/s  {one['rounds']:.1f} rounds/s"
            f"  decision to event p50 {one['p50_ms']:.0f} ms  p99 {one['p99_ms']:.0f} ms  most {one['most_ms']:.0f} ms"
            f"  server {one['cpu']:.0%} of a core, {one['waited']:.0%} of the time without one"
            f"  machine still for {one['still_ms']:.0f} ms"
            f"  {one['refused']} refused  {one['unheard']} unheard  {one['gaps']} gaps"
        )
    verdict = "kept" if found["paces"][0]["p99_ms"] < PROMISE_MS else "BROKEN"
    print(f"promise: p99 under {PROMISE_MS} ms at human pace: {verdict}")
    book = "clean" if found["sound"] else "NOT CLEAN"
    print(f"{found['acknowledged']} acknowledged, {found['lost']} lost, ledger check {book}")
    if "service" in found:
        own, full = found["service"], found["paces"][1]
        print(
            f"the service itself: {own['commands']:.0f} commands/s  {own['rounds']:.1f} rounds/s;"
            f" over WebSocket {full['commands'] / own['commands']:.2f} of its commands"
        )


if __name__ == "__main__":
    sys.exit(main())
