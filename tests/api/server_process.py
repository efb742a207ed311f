"""`upcard serve` as a process of its own, to be killed or asked to stop."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

UPCARD = str(Path(sys.executable).with_name("upcard"))
FREE = {
    "UPCARD_REQUESTS_PER_MINUTE": "1000000",
    "UPCARD_SIGN_INS_PER_MINUTE": "1000000",
    "UPCARD_MESSAGES_PER_SECOND": "10000",
    "UPCARD_HINTS": "false",  # nobody here asks for one, and a helper would be started for it
}


class Child:
    """A server that runs."""

    def __init__(self, process: "subprocess.Popen[str]", address: str, log: Path) -> None:
        self.process, self.address, self.log = process, address, log
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
    words = [UPCARD, "serve", "--book", str(book), "--port", str(port), "--demo" if demo else "--no-demo"]
    folder = (key or Path(str(book))).parent
    log = folder / f"serve-{time.monotonic_ns()}.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*words, *(["--key", str(key)] if key else [])],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={
                **os.environ,
                **FREE,
                "COLUMNS": "300",
                "PYTHONUNBUFFERED": "1",
                "UPCARD_RECONNECT_SECONDS": str(reconnect_seconds),
            },
            cwd=folder,
        )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert " at http" in line, log.read_text()
        child = Child(process, line.rpartition(" at ")[2].strip().replace("localhost", "127.0.0.1"), log)
        _wait(child)
        yield child
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def _wait(child: Child) -> None:
    for _ in range(1200):
        try:
            assert httpx.get(f"{child.address}/healthz", trust_env=False, verify=False, timeout=30).json()["healthy"]
        except httpx.TransportError:
            assert child.process.poll() is None, child.log.read_text()
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server did not start within a minute")
