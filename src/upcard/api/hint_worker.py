"""Has a worker process compute hints, and caches recent answers.

The worker starts when a page first asks whether hints are ready. In a demo whose kernels are not compiled yet, it
starts with the server.
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

MAX_WAITING = 32
MAX_CACHED = 1_000


class HintWorker:
    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._ready: Future[None] | None = None
        self._cache: OrderedDict[HintQuestion, ActionValues | str] = OrderedDict()
        self._waiting = 0

    @property
    def ready(self) -> bool:
        """Whether the worker has started, so that a hint needs no compilation."""
        job = self._ready
        return job is not None and job.done() and job.exception() is None

    def warm_up(self) -> None:
        """Starts the worker, if it has not started."""
        if self._ready is None:
            self._ready = self._workers.submit(WorkerKind.HINTS, hints.prepare)

    def compile_ahead(self) -> None:
        """Compiles the kernels now if they are not cached, so that the first hint does not wait."""
        if must_compile("kernel"):
            self.warm_up()

    async def worths(self, question: HintQuestion) -> ActionValues:
        """The expected value of each action; raises a problem that says why if there is none."""
        answer = self._cache.get(question)
        if answer is None:
            answer = await self._compute(question)
            self._cache[question] = answer
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        if isinstance(answer, str):
            raise ProblemError(409, "NO_HINT", answer)
        return answer

    async def _compute(self, question: HintQuestion) -> ActionValues | str:
        if self._waiting >= MAX_WAITING:
            raise ProblemError(503, "HINTS_BUSY", "too many hint requests right now; try again in a moment")
        self.warm_up()
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._workers.submit(WorkerKind.HINTS, partial(hints.compute, question)))
        except JobRefused as error:
            return str(error)
        except (WorkerLost, JobFailed):
            self._ready = None  # the next worker has to warm up first
            raise ProblemError(
                503, "NO_HINTS_NOW", "hints are not available right now; you can keep playing without them"
            ) from None
        finally:
            self._waiting -= 1
