"""Asking a worker for the lab's figures: each question once, answers kept, and nobody's queue grows without end."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial

from upcard.api.problems import ProblemError
from upcard.workers.figures import FigureRequest, compute
from upcard.workers.pool import WorkerKind, WorkerLost, Workers
from upcard.workers.worker import JobFailed, JobRefused

MOST_WAITING = 24
MOST_KEPT = 256
PATIENCE = 120.0  # seconds; the very first main game waits for the compiler

TOO_LONG = "this takes the lab too long; ask for something smaller"
BUSY = "the lab is busy with other questions; ask again in a moment"


@dataclass(eq=False)
class Asked:
    """A question on its way, and how many wait for its answer."""

    figure: FigureRequest
    answer: "asyncio.Task[str | ProblemError]"
    waiting: int = 0


class Figuring:
    """Belongs to one event loop. One question is worked out at a time; nobody waits for one that nobody wants."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._kept: OrderedDict[FigureRequest, str] = OrderedDict()
        self._queue: dict[FigureRequest, Asked] = {}
        self._turn = asyncio.Lock()
        self._working: FigureRequest | None = None

    async def ask(self, figure: FigureRequest) -> str:
        """The answer's text; whoever asks the same meanwhile waits for the same answer."""
        if figure in self._kept:
            self._kept.move_to_end(figure)
            return self._kept[figure]
        if figure not in self._queue:
            if len(self._queue) >= MOST_WAITING:
                raise _busy()
            self._queue[figure] = Asked(figure, asyncio.create_task(self._answer(figure)))
        one = self._queue[figure]
        one.waiting += 1
        try:
            told = await asyncio.wait_for(asyncio.shield(one.answer), PATIENCE)
        except TimeoutError:
            if self._working == figure:
                self._drop(one)
                raise ProblemError(503, "LAB_TOO_LONG", TOO_LONG) from None
            working = None if self._working is None else self._queue.get(self._working)
            if working is not None and not working.waiting:  # it holds up the others for nobody
                self._drop(working)
            raise _busy() from None
        finally:
            one.waiting -= 1
            if not one.waiting and self._working != figure:
                self._drop(one)  # nobody wants to know any longer
        if isinstance(told, ProblemError):
            raise told
        return told

    def _drop(self, one: Asked) -> None:
        if self._queue.get(one.figure) is one:
            del self._queue[one.figure]
            one.answer.cancel()

    async def _answer(self, figure: FigureRequest) -> str | ProblemError:
        """Waits for its turn, then for the worker."""
        told: str | ProblemError
        try:
            async with self._turn:
                self._working = figure
                try:
                    told = await asyncio.wrap_future(self._workers.submit(WorkerKind.LONG, partial(compute, figure)))
                finally:
                    self._working = None
        except asyncio.CancelledError:
            return _busy()  # whoever else waits for it may ask again
        except JobRefused as wrong:
            told = ProblemError(400, "BAD_REQUEST", str(wrong))
        except JobFailed:
            told = ProblemError(500, "INTERNAL", "something went wrong here; nothing was lost")
        except WorkerLost:
            told = _busy()
        else:
            self._kept[figure] = told
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        del self._queue[figure]
        return told


def _busy() -> ProblemError:
    return ProblemError(503, "LAB_BUSY", BUSY, {"Retry-After": "2"})
