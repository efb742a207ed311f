"""A demo server and a real browser for all browser tests of a worker."""

import os
import shutil
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from browser.player import Player
from browser.stacked_demo_server import serve_stacked_demo
from browser.staff import At, Floor, Person
from playwright.sync_api import Browser, sync_playwright
from support.preloaded_process import PreloadedProcess

PAGES = Path(__file__).parents[2] / "src" / "upcard" / "web" / "index.html"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A demo of its own, with cards to be stacked."""
    check_pages()
    with demo(tmp_path_factory.mktemp("felt")) as serving:
        yield serving.address


def check_pages() -> None:
    """A server without pages would only keep a browser waiting."""
    if not PAGES.is_file():
        pytest.fail("the pages are not built: run `make web` first", pytrace=False)


class Demo:
    """The server of the browser tests, on a port of its own; it can be killed, and started again."""

    def __init__(self, folder: Path, *more: str, hints: bool = True) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.folder, self.address = folder, f"http://localhost:{port}"
        self.words = ["stacked_demo_server", "--book", str(folder / "book.db"), "--port", str(port), *more]
        self.environment = {**os.environ, "UPCARD_HINTS": str(hints)}
        self._server: PreloadedProcess | None = None

    def start(self) -> None:
        """Serves, as soon as this returns."""
        self._server = PreloadedProcess(serve_stacked_demo, self.words, self.folder, self.environment, log="demo")
        until = time.monotonic() + 60
        while time.monotonic() < until and self._server.poll() is None:
            try:
                httpx.get(f"{self.address}/healthz", timeout=2, verify=False)
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                return
        pytest.fail("the server of the browser tests did not start", pytrace=False)

    def kill(self) -> None:
        """At once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Gracefully."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(30)
            self._server = None


@contextmanager
def demo(folder: Path, *more: str, hints: bool = True) -> Iterator[Demo]:
    """A server that runs."""
    serving = Demo(folder, *more, hints=hints)
    serving.start()
    try:
        yield serving
    finally:
        serving.stop()


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium: its headless shell, or for a module that says so the whole browser, which draws as it does for people;
    gone after the last test here, for its loop would be in the way of others."""
    whole = getattr(request.module, "WHOLE_BROWSER", False)
    path, flags = (chromium(), []) if whole else (headless_shell(), ["--disable-gpu"])
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *flags])
        yield started
        started.close()


def headless_shell() -> str:
    """Chromium without its windows, or the whole of it where there is no such thing."""
    return shutil.which("chromium-headless-shell") or chromium()


def chromium() -> str:
    """Where it is; a test without a browser fails, it is not skipped."""
    found = os.environ.get("UPCARD_CHROMIUM") or shutil.which("chromium") or ""
    if not found:
        pytest.fail("there is no Chromium: scripts/chromium.sh installs one, or says how", pytrace=False)
    return found


@pytest.fixture
def newcomer(browser: Browser, address: str) -> Iterator[Callable[..., Player]]:
    """A new player with their own browser; the test fails on any error in its console."""
    made: list[Player] = []

    def come(**options: object) -> Player:
        player = Player(browser, address, **options)
        made.append(player)
        return player

    yield come
    wrong = [message for player in made for message in player.wrong]
    for player in made:
        player.go_home()
    assert not wrong


@pytest.fixture
def at(browser: Browser, floor: Floor) -> Iterator[At]:
    """Somebody signed in at a page; nothing may go wrong in it unseen."""
    made: list[Person] = []

    def come(name: str, where: str = "floor", **options: object) -> Person:
        made.append(Person(browser, floor, name, where, **options))
        return made[-1]

    yield come
    wrong = [message for person in made for message in person.wrong]
    for person in made:
        person.go_home()
    assert [
        message for message in wrong if "status of 4" not in message
    ] == []  # a refusal is told, and logged by the browser


@pytest.fixture
def dana(browser: Browser, floor: Floor) -> Iterator[Callable[[str], Person]]:
    """The dealer, at the page of a table."""
    people: list[Person] = []

    def come(table: str) -> Person:
        people.append(Person(browser, floor, "Dana", f"dealer/{table}"))
        return people[-1]

    yield come
    wrong = [
        message for person in people for message in person.wrong if "status of 4" not in message
    ]  # refusals are told
    for person in people:
        person.go_home()
    assert wrong == []
