"""The pricing room: one process of its own works out what hands are worth, so that no table waits for it.

The process starts when somebody first asks whether hints are ready (in a demo where nothing was compiled yet, with the
server), compiles once on a machine, and ends with its parent, however that ends: it reads until its input closes.
"""

import asyncio
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import structlog

from upcard.api.problems import ProblemError
from upcard.odds.main.decision import Question
from upcard.odds.main.jit import must_compile

_log = structlog.get_logger("upcard.pricing")

MOST_WAITING = 32
MOST_KEPT = 1_000
COMMAND = (sys.executable, "-m", "upcard.odds.main.answering")

Worths = dict[str, float]


class Pricing:
    """Asks its process, one question at a time; what was asked lately is answered at once."""

    def __init__(self) -> None:
        self.ready = False
        self._child: subprocess.Popen[bytes] | None = None
        self._one = ThreadPoolExecutor(1, thread_name_prefix="upcard-pricing")
        self._kept: OrderedDict[Question, Worths | str] = OrderedDict()
        self._waiting = 0
        self._lock = threading.Lock()
        self._stopped = False

    def warm_up(self) -> None:
        """Begins to get ready, if that has not begun."""
        with self._lock:
            if self._child is None and not self._stopped:
                self._start()
                self._one.submit(self._hear_ready)

    def compile_ahead(self) -> None:
        """On a machine where nothing was compiled yet: so that nobody's first hint waits for it."""
        if must_compile("kernel"):
            self.warm_up()

    async def worths(self, question: Question) -> Worths:
        """The worth of each action of a question; refused in words where there is none."""
        told = self._kept.get(question)
        if told is None:
            told = await self._asked(question)
            self._kept[question] = told
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        if isinstance(told, str):
            raise ProblemError(409, "NO_HINT", told)
        return told

    async def _asked(self, question: Question) -> Worths | str:
        if self._waiting >= MOST_WAITING:
            raise ProblemError(503, "HINTS_BUSY", "many ask for hints now: ask again in a moment")
        self.warm_up()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._one, self._ask, question)
        except (OSError, EOFError, RuntimeError) as wrong:
            _log.warning("the pricing room gave no answer", why=str(wrong))
            raise ProblemError(503, "NO_HINTS_NOW", "hints cannot be worked out now: play on without") from None
        finally:
            self._waiting -= 1

    def stop(self) -> None:
        """Nobody asks any more."""
        with self._lock:
            self._stopped = True
            child, self._child = self._child, None
        if child is not None:
            _end(child)
        self._one.shutdown(wait=True, cancel_futures=True)

    # --- in the one thread that talks to the process ---------------------------------------------------------------

    def _start(self) -> None:
        self.ready = False
        self._child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _hear_ready(self) -> None:
        with suppress(OSError, EOFError):
            self._hear()
            self.ready = True

    def _ask(self, question: Question) -> Worths | str:
        with self._lock:
            if self._child is not None and self._child.poll() is not None and not self._stopped:
                _end(self._child)
                self._start()  # it was ended from outside: another takes its place
        if not self.ready:
            self._hear_ready()
        child = self._child
        if child is None or child.stdin is None:
            raise EOFError("the pricing room is shut")
        pickle.dump(question, child.stdin)
        child.stdin.flush()
        told: Worths | str = self._hear()
        return told

    def _hear(self) -> Worths | str:
        child = self._child
        if child is None or child.stdout is None:
            raise EOFError("the pricing room is shut")
        told: Worths | str = pickle.load(child.stdout)
        return told


def _end(child: "subprocess.Popen[bytes]") -> None:
    """It may be compiling, and keeps nothing."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
