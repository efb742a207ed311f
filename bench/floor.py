"""Measures how often the floor console is updated with 300 tables in play, and what that costs.

A separate server runs the tables and plays at them at a steady pace. Its processor time is measured without a console,
with a socket that only listens, and with the real page in a browser, whose own work is measured too.
"""

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import httpx
import pyotp
from playwright.sync_api import Page, sync_playwright
from websockets.sync.client import ClientConnection, connect

from upcard.api.signed_in import COOKIE

sys.path.insert(0, str(Path(__file__).parent))

TABLES = 300
PAUSE = 1.5  # seconds between two commands at a table
PROMISE = 0.5  # minimum updates per second
MAP_PROMISE = 0.9  # of the pit map, which is sent once per second; the last second of a run may be cut off
SLOW_FRAME = 100  # ms
SLOW_PROMISE = 0.01  # the share of slower frames at most
NAME, PASSWORD = "Flo", "seven red chairs by the door"


def serve(book: str, port: int, tables: int) -> None:
    """Runs the application, with players at its tables."""
    import uvicorn

    players = import_module("service")  # bench/service.py, whose players these are
    from upcard.api.app import create_app
    from upcard.api.settings import Settings
    from upcard.ledger.store import Store
    from upcard.people import PasswordCost
    from upcard.service.running import keyring_beside

    store = Store.create(book, keyring_beside(book, None))
    players.open_service(store, tables)
    store.close()
    settings = Settings(book=book, port=port, requests_per_minute=10**9, sign_ins_per_minute=10**9, log="json")
    app = create_app(settings, cost=PasswordCost(passes=1, memory_kib=64))

    def play() -> None:
        while not hasattr(app.state, "server"):
            time.sleep(0.05)
        server = app.state.server
        token = server.people.setup_token()
        if token is not None:
            server.people.set_up(token, NAME, PASSWORD)
        desk, turn = server.service.desk, 0
        begun = time.perf_counter()
        while True:
            name, player = f"T{turn % tables}", f"P{turn % tables}"
            with contextlib.suppress(Exception):  # refused: a timer moved the table on
                command = players.next_command(desk.live(name), player)
                desk.submit(command, id=f"{player}:{secrets.token_hex(8)}", actor=player, role="player")
            turn += 1
            time.sleep(max(0.0, begun + turn * PAUSE / tables - time.perf_counter()))

    threading.Thread(target=play, daemon=True).start()
    asyncio.run(uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, access_log=False)).serve())


def processor_seconds(process: int) -> float:
    """Processor time of a process, in seconds."""
    parts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def overview_socket(address: str, token: str) -> Iterator[ClientConnection]:
    """A socket subscribed to the overview."""
    client = httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=30)
    ticket = client.post("/api/ticket").json()["ticket"]
    with connect(f"ws{address[4:]}/ws?ticket={ticket}", max_size=2**24, compression=None) as connection:
        connection.send(json.dumps({"type": "overview"}))
        yield connection


def receive(console: ClientConnection, seconds: float) -> tuple[int, int, int]:
    """Receives for some seconds; returns the number of messages, rows and bytes."""
    until, messages, rows, size = time.monotonic() + seconds, 0, 0, 0
    while (left := until - time.monotonic()) > 0:
        try:
            text = console.recv(timeout=left)
        except TimeoutError:
            break
        messages, rows, size = messages + 1, rows + len(json.loads(text)["tables"]), size + len(text)
    return messages, rows, size


def page_load(page: Page, seconds: float) -> tuple[float, float]:
    """The share of time in which the page's one thread was busy, and the longest delay of a click."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

    before, slowest, until = busy(), 0.0, time.monotonic() + seconds
    while time.monotonic() < until:
        started = time.perf_counter()
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        slowest = max(slowest, time.perf_counter() - started)
        time.sleep(0.2)
    return (busy() - before) / seconds, slowest


FRAMES = """() => {
    const gaps = (window.frameGaps = []);
    let last = performance.now();
    const next = (now) => { gaps.push(now - last); last = now; requestAnimationFrame(next); };
    requestAnimationFrame(next);
}"""
CHANGES = """() => {
    window.tileChanges = [];
    new MutationObserver(() => window.tileChanges.push(performance.now())).observe(
        document.querySelector('[aria-label="Pit map"]'), { subtree: true, childList: true, characterData: true,
        attributes: true });
}"""


def pit_map(page: Page, seconds: float) -> tuple[int, float, float]:
    """How many felts are drawn, how often they change per second, and the share of frames over 100 ms."""
    page.evaluate(FRAMES)
    page.evaluate(CHANGES)
    time.sleep(seconds)
    gaps: list[float] = page.evaluate("window.frameGaps.slice(1)")
    changes: list[float] = page.evaluate("window.tileChanges")
    updates = 1 + sum(after - before > 200 for before, after in pairwise(changes)) if changes else 0
    return page.locator("[data-tile] svg").count(), updates / seconds, sum(gap > SLOW_FRAME for gap in gaps) / len(gaps)


class ServerLoad:
    """Measures the server's processor use inside a `with` block."""

    def __init__(self, process: int) -> None:
        self.process = process

    def __enter__(self) -> "ServerLoad":
        self.began, self.used = time.monotonic(), processor_seconds(self.process)
        return self

    def __exit__(self, *_: object) -> None:
        self.share = (processor_seconds(self.process) - self.used) / (time.monotonic() - self.began)

    def line(self, label: str) -> str:
        return f"{label:<24} server {100 * self.share:5.1f}% of a core"


def sign_in(address: str) -> str:
    """Signs the floor person in and sets up their authenticator; returns the session's token."""
    with httpx.Client(base_url=address, timeout=30) as client:
        answer = client.post("/api/sign-in", json={"name": NAME, "password": PASSWORD}).json()
        client.headers["Authorization"] = f"Bearer {answer['token']}"
        secret = client.post("/api/totp/enrol").json()["secret"]
        client.post("/api/totp/confirm", json={"code": pyotp.TOTP(secret).now()}).raise_for_status()
    return str(answer["token"])


def measure(address: str, process: int, seconds: float, chromium: str, tables: int) -> Iterator[str]:
    """Measures the three stages and yields the lines to print."""
    token = sign_in(address)
    with ServerLoad(process) as cost:
        time.sleep(seconds)
    yield cost.line("no console")
    with overview_socket(address, token) as console:
        receive(console, 2)
        with ServerLoad(process) as cost:
            messages, rows, size = receive(console, seconds)
    yield cost.line("a listening socket")
    rows, size = rows // max(messages, 1), size // max(messages, 1) // 1000
    yield f"    {messages / seconds:.2f} updates per second, {rows} tables and {size} kB in each"
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        where = address.replace("127.0.0.1", "localhost")
        page.context.add_cookies([{"name": COOKIE, "value": token, "domain": "localhost", "path": "/", "secure": True}])
        page.add_init_script("localStorage.setItem('upcard-signed-in', 'yes')")
        page.goto(f"{where}/floor")
        page.locator("tr[data-table]").nth(tables // 2).wait_for()
        with ServerLoad(process) as cost:
            share, slowest = page_load(page, seconds)
        yield cost.line("the page in Chromium")
        yield f"    page busy {100 * share:.1f}% of the time, slowest frame {1000 * slowest:.0f} ms"
        started = time.perf_counter()
        page.get_by_label("Find a table, game or player").fill(f"T{tables - 1}")
        page.locator("tr[data-table]").nth(1).wait_for(state="detached")
        yield f"    one table found among {tables} in {1000 * (time.perf_counter() - started):.0f} ms"
        page.goto(f"{where}/#/floor/map")
        page.locator("[data-tile] svg").nth(10).wait_for()
        time.sleep(2)
        with ServerLoad(process) as cost:
            drawn, updates, slow = pit_map(page, seconds)
        yield cost.line("the pit map in Chromium")
        yield f"    {drawn} felts drawn, {updates:.2f} updates per second, {100 * slow:.2f}% of frames over 100 ms"
    kept = messages / seconds >= PROMISE and updates >= MAP_PROMISE and slow <= SLOW_PROMISE
    frames = f"{100 * SLOW_PROMISE:.0f}% of frames over {SLOW_FRAME} ms"
    promise = f"{PROMISE} updates per second, the pit map {MAP_PROMISE} with at most {frames}"
    yield f"PROMISE {'kept' if kept else 'broken'}: {promise}"


def main() -> None:
    """Starts the server, measures, stops it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", nargs=2, metavar=("BOOK", "PORT"))
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve[0], int(options.serve[1]), options.tables)
        return
    chromium = os.environ.get("UPCARD_CHROMIUM") or shutil.which("chromium")
    if not chromium:
        sys.exit("there is no Chromium: scripts/chromium.sh installs one, or says how")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", f"{folder}/book.db", str(port), "--tables", str(options.tables)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            try:
                _wait_for(address, server)
                time.sleep(3)
                print(f"{options.tables} tables, {options.tables / PAUSE:.0f} commands per second")
                for line in measure(address, server.pid, options.seconds, chromium, options.tables):
                    print(line)
            finally:
                server.terminate()


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{address}/healthz", timeout=2).status_code == 200:
                return
        time.sleep(0.2)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
