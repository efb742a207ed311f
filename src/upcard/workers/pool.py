"""The pool: at most two processes, kept by the library pebble. One does hints and nothing else, the other all the rest.

Neither starts before its first job. A job is a plain function with its arguments, all of which can be pickled. One that
is cancelled, or has used up its time, ends its worker, and another takes its place; a worker that is killed loses the
job it was doing and nothing else. Nobody's place in a queue is kept here: whoever hands in jobs hands in one at a time.
"""

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from multiprocessing import get_context
from typing import Any, Generic, TypeVar

import structlog

from upcard.workers.worker import JobFailed, Refused, Told, begin, run

_log = structlog.get_logger("upcard.workers")

T = TypeVar("T")
Hear = Callable[[Told], object]  # called from a thread

LOOK = 1.0  # seconds between two looks at a worker that tells nothing
IDLE = 600.0  # seconds without a job after which the worker for the long ones ends
TIME = 360.0  # seconds no job needs, not even one that waits for the compiler on a busy machine


class Line(Enum):
    """Where a job waits, and how far its worker gives way to everything else on the machine."""

    HINTS = 5
    LONG = 10


class WorkerLost(Exception):  # noqa: N818 - what happened, not a mistake of the caller's
    """The worker ended before it had an answer: killed, out of time, or never able to start."""


@dataclass(eq=False, kw_only=True)
class _Order(Generic[T]):
    """A job, and where its answer goes."""

    number: int
    line: Line
    job: Callable[[], T]
    hear: Hear | None
    answer: "Future[T]" = field(default_factory=Future)
    crew: "_Crew | None" = None
    again: bool = True  # whether it may be handed in once more, if nobody had begun it


class Workers:
    """Jobs go in from any thread. `stop` ends everything."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._crews: dict[Line, _Crew] = {}
        self._open: dict[int, _Order[Any]] = {}
        self._numbers = count(1)
        self._stopped = False

    def submit(self, line: Line, job: Callable[[], T], hear: Hear | None = None) -> "Future[T]":
        """The answer to come, or `Refused`, `JobFailed` or `WorkerLost`; cancelling it ends the job, begun or not."""
        order = _Order(number=next(self._numbers), line=line, job=job, hear=hear)
        self._open[order.number] = order
        order.answer.add_done_callback(lambda _: self._open.pop(order.number, None))
        self._hand_in(order)
        return order.answer

    def stop(self) -> None:
        """No more jobs; whoever waits for one is told."""
        with self._lock:
            self._stopped = True
            crews, self._crews = tuple(self._crews.values()), {}
        for order in tuple(self._open.values()):
            _fail(order, WorkerLost("the service stops"))
        for crew in crews:
            crew.end()

    def _hand_in(self, order: _Order[T]) -> None:
        try:
            with self._lock:
                if self._stopped:
                    raise WorkerLost("the service stops")
                order.crew = crew = self._crew(order.line)
                begun = crew.pool.schedule(run, (order.number, order.job), timeout=TIME)
        except (OSError, RuntimeError, WorkerLost) as wrong:
            self._discard(order.crew)
            _fail(order, WorkerLost(str(wrong)))
            return
        begun.add_done_callback(lambda _: self._done(order, crew, begun))
        order.answer.add_done_callback(lambda answer: answer.cancelled() and begun.cancel())

    def _crew(self, line: Line) -> "_Crew":
        """The one at work; another where it broke, as when a worker with nothing to do was killed."""
        crew = self._crews.get(line)
        if crew is None or not crew.pool.active:
            self._discard(crew)
            crew = self._crews[line] = _Crew(line, self._heard, self._look)
        crew.used = time.monotonic()
        return crew

    def _discard(self, crew: "_Crew | None") -> None:
        with self._lock:
            if crew is not None and self._crews.get(crew.line) is crew:
                del self._crews[crew.line]
                threading.Thread(target=self._clear, args=(crew,)).start()  # this may be a thread of the crew's own

    def _clear(self, crew: "_Crew") -> None:
        """Ends a crew; what the library left lying when its worker broke is handed in again."""
        crew.end()
        for order in tuple(self._open.values()):
            self._hand_in_again(order, crew)

    def _heard(self, number: int, told: Told) -> None:
        order = self._open.get(number)
        if order is not None and order.hear is not None:
            order.hear(told)

    def _done(self, order: _Order[T], crew: "_Crew", begun: "Future[T]") -> None:
        crew.hear()  # all that was told comes before the answer
        if begun.cancelled():
            return
        wrong = begun.exception()
        if wrong is None:
            with suppress(InvalidStateError):  # cancelled just now
                order.answer.set_result(begun.result())
        elif isinstance(wrong, BrokenProcessPool):
            self._hand_in_again(order, crew)
        else:
            _fail(order, wrong if isinstance(wrong, Refused | JobFailed) else WorkerLost(str(wrong)))

    def _hand_in_again(self, order: _Order[T], crew: "_Crew") -> None:
        """The worker ended before it had begun with this."""
        with self._lock:
            if order.crew is not crew:
                return  # that was done already
            order.crew = None
            again, order.again = order.again, False
        if again:
            self._hand_in(order)
        else:
            _fail(order, WorkerLost("no worker could begin"))

    def _look(self, crew: "_Crew") -> None:
        """One that broke is cleared away, and so is one that was idle for long."""
        with self._lock:
            busy = crew.line is Line.HINTS or any(order.crew is crew for order in tuple(self._open.values()))
            idle = not busy and time.monotonic() - crew.used > IDLE
            if self._crews.get(crew.line) is crew and (idle or not crew.pool.active):
                self._discard(crew)


class _Crew:
    """One worker, whoever takes its place, and the pipe on which they tell how far they are."""

    def __init__(self, line: Line, heard: Callable[[int, Told], None], look: "Callable[[_Crew], None]") -> None:
        from pebble import ProcessPool

        spawn = get_context("spawn")
        self.line, self.used = line, 0.0
        self._heard, self._look = heard, look
        self._reader, self._writer = spawn.Pipe(duplex=False)
        self.pool = ProcessPool(1, initializer=begin, initargs=(line.value, self._writer), context=spawn)
        self._door, self._over = threading.Lock(), False
        self._thread = threading.Thread(target=self._listen, name="upcard-workers", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Ends the worker, whatever it is doing."""
        self.pool.stop()
        self.pool.join()
        with self._door:
            self._over = True
            self._writer.send_bytes(b"")  # wakes whoever listens
        self._thread.join()
        self._reader.close()
        self._writer.close()

    def hear(self) -> bool:
        """Hands on what was told so far; whether more may come."""
        with self._door:
            while not self._over and self._reader.poll():
                self._heard(*pickle.loads(self._reader.recv_bytes()))
            return not self._over

    def _listen(self) -> None:
        while self.hear():
            if not self._reader.poll(LOOK):
                self._look(self)


def _fail(order: _Order[Any], wrong: BaseException) -> None:
    if not isinstance(wrong, Refused):
        log = _log.error if isinstance(wrong, JobFailed) else _log.warning
        log("a job has no answer", job=getattr(order.job, "func", order.job).__qualname__, why=str(wrong))
    with suppress(InvalidStateError):
        order.answer.set_exception(wrong)
