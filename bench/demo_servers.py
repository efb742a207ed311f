"""Starts a house for the network benchmarks: a book with open tables, and server processes on it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path

import httpx

from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.running import bootstrap, keyring_beside

UPCARD = str(Path(sys.executable).parent / "upcard")
LAYOUT = "bet-bigger"
SETTINGS = {
    "UPCARD_DEMO_CHIPS": "100000000",
    "UPCARD_REQUESTS_PER_MINUTE": "1000000000",
    "UPCARD_SIGN_INS_PER_MINUTE": "1000000000",
    "UPCARD_MESSAGES_PER_SECOND": "100000",
    "UPCARD_LOG": "json",
}


def set_up(
    book: str,
    tables: int,
    *,
    key: Path | None = None,
    layout: str = LAYOUT,
    jackpots: Mapping[str, str] | None = None,
) -> list[str]:
    """Creates a book with open tables; `jackpots` maps a wager to the jackpot that all tables share."""
    store = Store.create(book, keyring_beside(book, key))
    desk = bootstrap(store).desk
    hours = Hours(since=date(2020, 1, 1), zone="America/New_York", start=6)
    desk.do(s.House(request=SetHours(hours=hours)), id="hours", actor="bench")
    desk.start()
    names = [f"T{number:03}" for number in range(tables)]
    shared = dict(jackpots or {})
    waiting = [
        desk.submit(
            s.OpenTable(table=name, layout=layout, tray=1_000_000_00, jackpots=shared), id=f"open-{name}", actor="bench"
        )
        for name in names
    ]
    for opening in waiting:
        opening.result()
    desk.stop()
    store.close()
    return names


@contextmanager
def served(
    book: str,
    log: Path,
    *,
    key: Path | None = None,
    hints: bool = True,
    settings: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Starts a server process and waits until it answers."""
    words = [UPCARD, "serve", "--book", book, "--port", "0", "--demo"]
    words += ["--key", str(key)] if key is not None else []
    environment = {**os.environ, **SETTINGS, "UPCARD_HINTS": str(hints), **(settings or {})}
    with log.open("w") as errors:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split(" at ")[1].strip()
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


@contextmanager
def serve_several(book: str, folder: Path, count: int, *, key: Path | None = None) -> Iterator[dict[str, int]]:
    """Starts server processes on one book, without hints; yields their process ids by address."""
    with ExitStack() as running:
        entered = [served(book, folder / f"log-{number}", key=key, hints=False) for number in range(count)]
        with ThreadPoolExecutor(count) as starting:  # in parallel: each takes a while to start
            servers = list(starting.map(running.enter_context, entered))
        yield {address: process.pid for address, process in servers}
