"""Queues the lab's figures for a worker: computes each once, caches answers, and bounds the queue."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial

from upcard.api.problems import ProblemError
from upcard.workers.figures import FigureRequest, compute
from upcard.workers.pool import WorkerKind, WorkerLost, Workers
from upcard.workers.worker import JobFailed, JobRefused

MAX_WAITING = 24
MAX_CACHED = 256
TIMEOUT = 120.0  # seconds; the very first main game waits for the compiler

TOO_LONG_DETAIL = "this takes too long to compute; ask for something smaller"
BUSY_DETAIL = "the lab is busy; try again in a moment"


@dataclass(eq=False)
class Job:
    """A figure being computed, and how many requests wait for it."""

    figure: FigureRequest
    answer: "asyncio.Task[str | ProblemError]"
    waiting: int = 0


class JobQueue:
    """Belongs to one event loop. Computes one figure at a time, and drops figures that no request waits for."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._cache: OrderedDict[FigureRequest, str] = OrderedDict()
        self._queue: dict[FigureRequest, Job] = {}
        self._turn = asyncio.Lock()
        self._working: FigureRequest | None = None

    async def ask(self, figure: FigureRequest) -> str:
        """The answer's text. Requests for the same figure share one computation."""
        if figure in self._cache:
            self._cache.move_to_end(figure)
            return self._cache[figure]
        if figure not in self._queue:
            if len(self._queue) >= MAX_WAITING:
                raise _busy()
            self._queue[figure] = Job(figure, asyncio.create_task(self._answer(figure)))
        job = self._queue[figure]
        job.waiting += 1
        try:
            answer = await asyncio.wait_for(asyncio.shield(job.answer), TIMEOUT)
        except TimeoutError:
            if self._working == figure:
                self._drop(job)
                raise ProblemError(503, "LAB_TOO_LONG", TOO_LONG_DETAIL) from None
            working = None if self._working is None else self._queue.get(self._working)
            if working is not None and not working.waiting:  # it delays the others, and no request waits for it
                self._drop(working)
            raise _busy() from None
        finally:
            job.waiting -= 1
            if not job.waiting and self._working != figure:
                self._drop(job)  # no request waits for it any more
        if isinstance(answer, ProblemError):
            raise answer
        return answer

    def _drop(self, job: Job) -> None:
        if self._queue.get(job.figure) is job:
            del self._queue[job.figure]
            job.answer.cancel()

    async def _answer(self, figure: FigureRequest) -> str | ProblemError:
        """Waits for its turn, then for the worker."""
        answer: str | ProblemError
        try:
            async with self._turn:
                self._working = figure
                try:
                    answer = await asyncio.wrap_future(self._workers.submit(WorkerKind.LONG, partial(compute, figure)))
                finally:
                    self._working = None
        except asyncio.CancelledError:
            return _busy()  # other requests that wait for it may try again
        except JobRefused as error:
            answer = ProblemError(400, "BAD_REQUEST", str(error))
        except JobFailed:
            answer = ProblemError(500, "INTERNAL", "an internal error occurred; nothing was changed")
        except WorkerLost:
            answer = _busy()
        else:
            self._cache[figure] = answer
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        del self._queue[figure]
        return answer


def _busy() -> ProblemError:
    return ProblemError(503, "LAB_BUSY", BUSY_DETAIL, {"Retry-After": "2"})
