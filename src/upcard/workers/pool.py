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

from upcard.workers.worker import JobFailed, Progress, Refused, begin, run

_log = structlog.get_logger("upcard.workers")

T = TypeVar("T")
OnProgress = Callable[[Progress], object]  # called from a thread

SWEEP_SECONDS = 1.0  # between two looks at a worker that reports nothing
IDLE_SECONDS = 600.0  # seconds without a job after which the worker for the long ones ends
JOB_SECONDS = 360.0  # seconds no job needs, not even one that waits for the compiler on a busy machine


class WorkerKind(Enum):
    """Where a job waits, and how far its worker gives way to everything else on the machine."""

    HINTS = 5
    LONG = 10


class WorkerLost(Exception):  # noqa: N818 - what happened, not a mistake of the caller's
    """The worker ended before it had an answer: killed, out of time, or never able to start."""


@dataclass(eq=False, kw_only=True)
class _Submitted(Generic[T]):
    """A job, and where its answer goes."""

    number: int
    kind: WorkerKind
    job: Callable[[], T]
    on_progress: OnProgress | None
    answer: "Future[T]" = field(default_factory=Future)
    slot: "_Slot | None" = None
    again: bool = True  # whether it may be handed in once more, if no worker had begun it


class Workers:
    """Jobs go in from any thread. `stop` ends everything."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._slots: dict[WorkerKind, _Slot] = {}
        self._open: dict[int, _Submitted[Any]] = {}
        self._numbers = count(1)
        self._stopped = False

    def submit(self, kind: WorkerKind, job: Callable[[], T], on_progress: OnProgress | None = None) -> "Future[T]":
        """The answer to come, or `Refused`, `JobFailed` or `WorkerLost`; cancelling it ends the job, begun or not."""
        submitted = _Submitted(number=next(self._numbers), kind=kind, job=job, on_progress=on_progress)
        self._open[submitted.number] = submitted
        submitted.answer.add_done_callback(lambda _: self._open.pop(submitted.number, None))
        self._hand_in(submitted)
        return submitted.answer

    def stop(self) -> None:
        """No more jobs; whoever waits for one gets `WorkerLost`."""
        with self._lock:
            self._stopped = True
            slots, self._slots = tuple(self._slots.values()), {}
        for submitted in tuple(self._open.values()):
            _fail(submitted, WorkerLost("the service stops"))
        for slot in slots:
            slot.end()

    def _hand_in(self, submitted: _Submitted[T]) -> None:
        try:
            with self._lock:
                if self._stopped:
                    raise WorkerLost("the service stops")
                submitted.slot = slot = self._slot(submitted.kind)
                scheduled = slot.pool.schedule(run, (submitted.number, submitted.job), timeout=JOB_SECONDS)
        except (OSError, RuntimeError, WorkerLost) as wrong:
            self._discard(submitted.slot)
            _fail(submitted, WorkerLost(str(wrong)))
            return
        scheduled.add_done_callback(lambda _: self._done(submitted, slot, scheduled))
        submitted.answer.add_done_callback(lambda answer: answer.cancelled() and scheduled.cancel())

    def _slot(self, kind: WorkerKind) -> "_Slot":
        """The one at work; another where it broke, as when a worker with nothing to do was killed."""
        slot = self._slots.get(kind)
        if slot is None or not slot.pool.active:
            self._discard(slot)
            slot = self._slots[kind] = _Slot(kind, self._progress, self._sweep)
        slot.used = time.monotonic()
        return slot

    def _discard(self, slot: "_Slot | None") -> None:
        with self._lock:
            if slot is not None and self._slots.get(slot.kind) is slot:
                del self._slots[slot.kind]
                threading.Thread(target=self._clear, args=(slot,)).start()  # this may be a thread of the slot's own

    def _clear(self, slot: "_Slot") -> None:
        """Ends a slot; what the library left lying when its worker broke is handed in again."""
        slot.end()
        for submitted in tuple(self._open.values()):
            self._hand_in_again(submitted, slot)

    def _progress(self, number: int, progress: Progress) -> None:
        submitted = self._open.get(number)
        if submitted is not None and submitted.on_progress is not None:
            submitted.on_progress(progress)

    def _done(self, submitted: _Submitted[T], slot: "_Slot", scheduled: "Future[T]") -> None:
        slot.drain()  # all progress comes before the answer
        if scheduled.cancelled():
            return
        wrong = scheduled.exception()
        if wrong is None:
            with suppress(InvalidStateError):  # cancelled just now
                submitted.answer.set_result(scheduled.result())
        elif isinstance(wrong, BrokenProcessPool):
            self._hand_in_again(submitted, slot)
        else:
            _fail(submitted, wrong if isinstance(wrong, Refused | JobFailed) else WorkerLost(str(wrong)))

    def _hand_in_again(self, submitted: _Submitted[T], slot: "_Slot") -> None:
        """The worker ended before it had begun this."""
        with self._lock:
            if submitted.slot is not slot:
                return  # that was done already
            submitted.slot = None
            again, submitted.again = submitted.again, False
        if again:
            self._hand_in(submitted)
        else:
            _fail(submitted, WorkerLost("no worker could begin"))

    def _sweep(self, slot: "_Slot") -> None:
        """One that broke is cleared away, and so is one that was idle for long."""
        with self._lock:
            busy = slot.kind is WorkerKind.HINTS or any(
                submitted.slot is slot for submitted in tuple(self._open.values())
            )
            idle = not busy and time.monotonic() - slot.used > IDLE_SECONDS
            if self._slots.get(slot.kind) is slot and (idle or not slot.pool.active):
                self._discard(slot)


class _Slot:
    """One worker, whoever takes its place, and the pipe on which they tell how far they are."""

    def __init__(
        self, kind: WorkerKind, progress: Callable[[int, Progress], None], sweep: "Callable[[_Slot], None]"
    ) -> None:
        from pebble import ProcessPool

        spawn = get_context("spawn")
        self.kind, self.used = kind, 0.0
        self._progress, self._sweep = progress, sweep
        self._reader, self._writer = spawn.Pipe(duplex=False)
        self.pool = ProcessPool(1, initializer=begin, initargs=(kind.value, self._writer), context=spawn)
        self._pipe_lock, self._ended = threading.Lock(), False
        self._thread = threading.Thread(target=self._listen, name="upcard-workers", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Ends the worker, whatever it is doing."""
        self.pool.stop()
        self.pool.join()
        with self._pipe_lock:
            self._ended = True
            self._writer.send_bytes(b"")  # wakes whoever listens
        self._thread.join()
        self._reader.close()
        self._writer.close()

    def drain(self) -> bool:
        """Hands on the progress reported so far; False: no more will come."""
        with self._pipe_lock:
            while not self._ended and self._reader.poll():
                self._progress(*pickle.loads(self._reader.recv_bytes()))
            return not self._ended

    def _listen(self) -> None:
        while self.drain():
            if not self._reader.poll(SWEEP_SECONDS):
                self._sweep(self)


def _fail(submitted: _Submitted[Any], wrong: BaseException) -> None:
    if not isinstance(wrong, Refused):
        log = _log.error if isinstance(wrong, JobFailed) else _log.warning
        log("a job has no answer", job=getattr(submitted.job, "func", submitted.job).__qualname__, why=str(wrong))
    with suppress(InvalidStateError):
        submitted.answer.set_exception(wrong)
