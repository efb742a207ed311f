"""A demo server and a real browser for all browser tests of a worker."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from browser.player import Player
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
PAGES = HERE.parent.parent / "src" / "upcard" / "web" / "index.html"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A demo of its own, with cards to be stacked."""
    if not PAGES.is_file():
        pytest.fail("the pages are not built: run `make web` first", pytrace=False)
    with demo(tmp_path_factory.mktemp("felt")) as where:
        yield where


@contextmanager
def demo(folder: Path) -> Iterator[str]:
    """The server of the browser tests, on a port of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(HERE / "stacked.py"), "--book", str(folder / "book.db"), "--port", str(port)]
    with (folder / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        where = f"http://localhost:{port}"
        try:
            _wait_for(where, server)
            yield where
        finally:
            server.terminate()


def _wait_for(where: str, server: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        try:
            httpx.get(f"{where}/healthz", timeout=2)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server of the browser tests did not start", pytrace=False)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; gone after the last test here, for its loop would be in the way of others."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield started
        started.close()


def chromium() -> str:
    """Where it is; a test without a browser fails, it is not skipped."""
    found = os.environ.get("UPCARD_CHROMIUM") or shutil.which("chromium") or ""
    if not found:
        pytest.fail("there is no Chromium: scripts/chromium.sh installs one, or says how", pytrace=False)
    return found


@pytest.fixture
def newcomer(browser: Browser, address: str) -> Iterator[Callable[..., Player]]:
    """Somebody new with a browser of his own; nothing may go wrong in it unseen."""
    made: list[Player] = []

    def come(**options: object) -> Player:
        player = Player(browser, address, **options)
        made.append(player)
        return player

    yield come
    wrong = [one for player in made for one in player.wrong]
    for player in made:
        player.go_home()
    assert not wrong
