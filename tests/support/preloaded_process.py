"""Servers as processes of their own, forked from one process that has loaded the program.

Loading the API takes longer than most tests of it. A server that is forked is the same program with the same
arguments; `tests/api/test_first_start.py` starts `upcard serve` as an operator does.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["upcard.api.app", "upcard.cli.app", "upcard.cli.commands.serve_run"])


class PreloadedProcess:
    """Runs a program's `main` with the words of a command line; its output goes to files in the folder it runs in."""

    def __init__(
        self, main: Callable[[], object], words: Sequence[str], folder: Path, environment: Mapping[str, str], log: str
    ) -> None:
        self.out, self.log = folder / f"{log}.out", folder / f"{log}.log"
        self._process = _FORKS.Process(
            target=_run, args=(main, list(words), str(folder), dict(environment), str(self.out), str(self.log))
        )
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.exitcode

    def wait(self, seconds: float) -> int | None:
        self._process.join(seconds)
        assert self._process.exitcode is not None, f"it still runs after {seconds} s"
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(
    main: Callable[[], object], words: list[str], folder: str, environment: dict[str, str], out: str, log: str
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for stream, path in ((1, out), (2, log)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, stream)
        os.close(file)
    for text in (sys.stdout, sys.stderr):
        getattr(text, "reconfigure")(line_buffering=True)  # noqa: B009 - typing does not know that they are files
    sys.argv = words
    main()
