"""Hints: asks the worker for hints what hands are worth, and keeps what was asked lately.

The worker starts when somebody first asks whether hints are ready; in a demo where nothing was compiled yet, with the
server.
"""

import asyncio
from collections import OrderedDict
from concurrent.futures import Future
from functools import partial

from upcard.api.problems import ProblemError
from upcard.odds.main.hint_question import HintQuestion
from upcard.odds.main.jit import must_compile
from upcard.workers import hints
from upcard.workers.hints import ActionValues
from upcard.workers.pool import WorkerKind, WorkerLost, Workers
from upcard.workers.worker import JobFailed, JobRefused

MOST_WAITING = 32
MOST_KEPT = 1_000


class Pricing:
    """What was asked lately is answered at once."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._ready: Future[None] | None = None
        self._kept: OrderedDict[HintQuestion, ActionValues | str] = OrderedDict()
        self._waiting = 0

    @property
    def ready(self) -> bool:
        """Whether an answer comes at once."""
        made = self._ready
        return made is not None and made.done() and made.exception() is None

    def warm_up(self) -> None:
        """Begins to get ready, if that has not begun."""
        if self._ready is None:
            self._ready = self._workers.submit(WorkerKind.HINTS, hints.prepare)

    def compile_ahead(self) -> None:
        """On a machine where nothing was compiled yet: so that nobody's first hint waits for it."""
        if must_compile("kernel"):
            self.warm_up()

    async def worths(self, question: HintQuestion) -> ActionValues:
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

    async def _asked(self, question: HintQuestion) -> ActionValues | str:
        if self._waiting >= MOST_WAITING:
            raise ProblemError(503, "HINTS_BUSY", "many ask for hints now: ask again in a moment")
        self.warm_up()
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._workers.submit(WorkerKind.HINTS, partial(hints.compute, question)))
        except JobRefused as wrong:
            return str(wrong)
        except (WorkerLost, JobFailed):
            self._ready = None  # the next one has to get ready first
            raise ProblemError(503, "NO_HINTS_NOW", "hints cannot be worked out now: play on without") from None
        finally:
            self._waiting -= 1
