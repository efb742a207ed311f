"""`upcard serve` as a process of its own, to be killed or asked to stop."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
from support.preloaded_process import PreloadedProcess

from upcard.cli import main

FREE = {
    "UPCARD_REQUESTS_PER_MINUTE": "1000000",
    "UPCARD_SIGN_INS_PER_MINUTE": "1000000",
    "UPCARD_MESSAGES_PER_SECOND": "10000",
    "UPCARD_REFUSALS_PER_MINUTE": "1000000",
    "UPCARD_HINTS": "false",  # nobody here asks for one, and a helper would be started for it
}


class Child:
    """A server that runs."""

    def __init__(self, process: PreloadedProcess, address: str) -> None:
        self.process, self.address = process, address
        self.port = int(address.rpartition(":")[2])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def terminate(self) -> None:
        """Asks it to stop, as an operator's supervisor does."""
        self.process.send_signal(signal.SIGTERM)


def without_a_core(*processes: int) -> float:
    """Seconds these processes were ready to run and had no core, so far; where that is not told, none."""
    waited = 0
    for process in processes:
        for file in Path(f"/proc/{process}/task").glob("*/schedstat"):
            with suppress(OSError):  # a thread that has just ended
                waited += int(file.read_text().split()[1])
    return waited / 1e9


@contextmanager
def server_process(
    book: Path | str, *, port: int = 0, key: Path | None = None, demo: bool = True, reconnect_seconds: float = 60
) -> Iterator[Child]:
    """A server of its own process; ended when the test is over."""
    words = ["upcard", "serve", "--book", str(book), "--port", str(port), "--demo" if demo else "--no-demo"]
    process = PreloadedProcess(
        main,
        [*words, *(["--key", str(key)] if key else [])],
        (key or Path(str(book))).parent,
        {**os.environ, **FREE, "COLUMNS": "300", "UPCARD_RECONNECT_SECONDS": str(reconnect_seconds)},
        log=f"serve-{time.monotonic_ns()}",
    )
    try:
        child = Child(process, _address(process))
        _wait(child)
        yield child
    finally:
        process.kill()
        process.wait(10)


def _address(process: PreloadedProcess) -> str:
    """The address that its first line names."""
    for _ in range(6000):
        line, newline, _ = process.out.read_text().partition("\n") if process.out.exists() else ("", "", "")
        if newline:
            assert " at http" in line, process.log.read_text()
            return line.rpartition(" at ")[2].strip().replace("localhost", "127.0.0.1")
        assert process.poll() is None, process.log.read_text()
        time.sleep(0.01)
    raise AssertionError("the server did not name its address within a minute")


def _wait(child: Child) -> None:
    for _ in range(1200):
        try:
            assert httpx.get(f"{child.address}/healthz", trust_env=False, verify=False, timeout=30).json()["healthy"]
        except httpx.TransportError:
            assert child.process.poll() is None, child.process.log.read_text()
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server did not start within a minute")
