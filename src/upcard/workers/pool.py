"""The pool: at most three worker processes, run by the library pebble. One does hints only, one checks the files
that people upload, the third does everything else.

Neither starts before its first job. A job is a plain function with its arguments, all of which can be pickled. A job
that is cancelled or runs out of time ends its worker, and a new one takes its place; a worker that is killed loses only
its current job. The pool does not queue fairly: callers submit one job at a time.
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

from upcard.workers.worker import JobFailed, JobRefused, Progress, begin, run

_log = structlog.get_logger("upcard.workers")

T = TypeVar("T")
OnProgress = Callable[[Progress], object]  # called from a thread

SWEEP_SECONDS = 1.0  # between two checks of a worker that reports nothing
IDLE_SECONDS = 600.0  # without a job, after which the worker for long jobs ends
JOB_SECONDS = 360.0  # more than any job needs, even one that compiles on a busy machine


class WorkerKind(Enum):
    """Which worker does a job; the value is the worker's niceness."""

    HINTS = 5
    FILES = 9
    LONG = 10


class WorkerLost(Exception):  # noqa: N818 - what happened, not a mistake of the caller's
    """The worker ended without an answer: killed, out of time, or unable to start."""


@dataclass(eq=False, kw_only=True)
class _SubmittedJob(Generic[T]):
    number: int
    kind: WorkerKind
    job: Callable[[], T]
    on_progress: OnProgress | None
    answer: "Future[T]" = field(default_factory=Future)
    worker: "_Worker | None" = None
    may_retry: bool = True  # whether it may be scheduled once more if no worker began it


class Workers:
    """Accepts jobs from any thread. `stop` ends everything."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._workers: dict[WorkerKind, _Worker] = {}
        self._open: dict[int, _SubmittedJob[Any]] = {}
        self._numbers = count(1)
        self._stopped = False

    def submit(self, kind: WorkerKind, job: Callable[[], T], on_progress: OnProgress | None = None) -> "Future[T]":
        """A future answer, or `JobRefused`, `JobFailed` or `WorkerLost`; cancelling it ends the job, begun or not."""
        submitted = _SubmittedJob(number=next(self._numbers), kind=kind, job=job, on_progress=on_progress)
        self._open[submitted.number] = submitted
        submitted.answer.add_done_callback(lambda _: self._open.pop(submitted.number, None))
        self._schedule(submitted)
        return submitted.answer

    def stop(self) -> None:
        """Accepts no more jobs; waiting callers get `WorkerLost`."""
        with self._lock:
            self._stopped = True
            workers, self._workers = tuple(self._workers.values()), {}
        for submitted in tuple(self._open.values()):
            _fail(submitted, WorkerLost("the service is stopping"))
        for worker in workers:
            worker.end()

    def _schedule(self, submitted: _SubmittedJob[T]) -> None:
        try:
            with self._lock:
                if self._stopped:
                    raise WorkerLost("the service is stopping")
                submitted.worker = worker = self._worker(submitted.kind)
                scheduled = worker.pool.schedule(run, (submitted.number, submitted.job), timeout=JOB_SECONDS)
        except (OSError, RuntimeError, WorkerLost) as error:
            self._discard(submitted.worker)
            _fail(submitted, WorkerLost(str(error)))
            return
        scheduled.add_done_callback(lambda _: self._done(submitted, worker, scheduled))
        submitted.answer.add_done_callback(lambda answer: answer.cancelled() and scheduled.cancel())

    def _worker(self, kind: WorkerKind) -> "_Worker":
        """The running worker, or a new one if it broke, for example if it was killed while idle."""
        worker = self._workers.get(kind)
        if worker is None or not worker.pool.active:
            self._discard(worker)
            worker = self._workers[kind] = _Worker(kind, self._progress, self._sweep)
        worker.used = time.monotonic()
        return worker

    def _discard(self, worker: "_Worker | None") -> None:
        with self._lock:
            if worker is not None and self._workers.get(worker.kind) is worker:
                del self._workers[worker.kind]
                threading.Thread(
                    target=self._clear, args=(worker,)
                ).start()  # the caller may be the worker's own thread

    def _clear(self, worker: "_Worker") -> None:
        """Ends a worker; jobs that the library dropped when it broke are scheduled again."""
        worker.end()
        for submitted in tuple(self._open.values()):
            self._resubmit(submitted, worker)

    def _progress(self, number: int, progress: Progress) -> None:
        submitted = self._open.get(number)
        if submitted is not None and submitted.on_progress is not None:
            submitted.on_progress(progress)

    def _done(self, submitted: _SubmittedJob[T], worker: "_Worker", scheduled: "Future[T]") -> None:
        worker.drain()  # all progress comes before the answer
        if scheduled.cancelled():
            return
        error = scheduled.exception()
        if error is None:
            with suppress(InvalidStateError):  # cancelled just now
                submitted.answer.set_result(scheduled.result())
        elif isinstance(error, BrokenProcessPool):
            self._resubmit(submitted, worker)
        else:
            _fail(submitted, error if isinstance(error, JobRefused | JobFailed) else WorkerLost(str(error)))

    def _resubmit(self, submitted: _SubmittedJob[T], worker: "_Worker") -> None:
        """Schedules a job again that the worker had not begun when it ended."""
        with self._lock:
            if submitted.worker is not worker:
                return  # already done
            submitted.worker = None
            may_retry, submitted.may_retry = submitted.may_retry, False
        if may_retry:
            self._schedule(submitted)
        else:
            _fail(submitted, WorkerLost("no worker could start"))

    def _sweep(self, worker: "_Worker") -> None:
        """Discards a worker that broke or was idle for long."""
        with self._lock:
            busy = worker.kind is WorkerKind.HINTS or any(
                submitted.worker is worker for submitted in tuple(self._open.values())
            )
            idle = not busy and time.monotonic() - worker.used > IDLE_SECONDS
            if self._workers.get(worker.kind) is worker and (idle or not worker.pool.active):
                self._discard(worker)


class _Worker:
    """One worker process, its replacements, and the pipe on which they report progress."""

    def __init__(
        self, kind: WorkerKind, progress: Callable[[int, Progress], None], sweep: "Callable[[_Worker], None]"
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
            self._writer.send_bytes(b"")  # wakes the listener
        self._thread.join()
        self._reader.close()
        self._writer.close()

    def drain(self) -> bool:
        """Passes on the progress reported so far; False if no more will come."""
        with self._pipe_lock:
            while not self._ended and self._reader.poll():
                self._progress(*pickle.loads(self._reader.recv_bytes()))
            return not self._ended

    def _listen(self) -> None:
        while self.drain():
            if not self._reader.poll(SWEEP_SECONDS):
                self._sweep(self)


def _fail(submitted: _SubmittedJob[Any], error: BaseException) -> None:
    if not isinstance(error, JobRefused):
        log = _log.error if isinstance(error, JobFailed) else _log.warning
        log("a job failed", job=getattr(submitted.job, "func", submitted.job).__qualname__, why=str(error))
    with suppress(InvalidStateError):
        submitted.answer.set_exception(error)
