"""Executors play the chunks: threads of this machine, or the workers of a Dask cluster. The counts are the same."""

import pickle
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import numpy as np

from upcard.problems import BadRequest, UpcardError
from upcard.sim.chunk import ChunkResult, play_chunk
from upcard.sim.compile import Program

if TYPE_CHECKING:
    from distributed import Client

ChunkRequest = tuple[int, int]  # a chunk's number and its rounds
CHUNKS_PER_TASK = 8  # at most; the last tasks are smaller, so that all workers end together
TASKS_PER_WORKER = 3  # under way
POLL_SECONDS = 0.05  # seconds
CONNECT_SECONDS = 10
LOST_AFTER_SECONDS = 15  # without a worker, or without an answer of the scheduler
WORKER_COUNT_SECONDS = 1.0  # seconds; workers come and go


class ClusterLost(UpcardError):  # noqa: N818 - casino English, not a traceback
    """The cluster no longer answers; the chunks it had finished are kept."""


class Executor(Protocol):
    """Plays chunks and yields them in any order."""

    def play(
        self, program: Program, seed: int, block: int, requests: Iterable[ChunkRequest]
    ) -> Iterator[tuple[int, ChunkResult]]: ...

    def close(self) -> None: ...


class ThreadExecutor:
    """Threads of this process: the kernel releases the GIL."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="chunk")

    def play(
        self, program: Program, seed: int, block: int, requests: Iterable[ChunkRequest]
    ) -> Iterator[tuple[int, ChunkResult]]:
        """Keeps two chunks per thread in progress, so that no thread waits."""
        waiting = iter(requests)
        playing: dict[Future[ChunkResult], int] = {}
        while True:
            for number, rounds in islice(waiting, 2 * self.count - len(playing)):
                playing[self._pool.submit(play_chunk, program, seed, number, rounds, block)] = number
            if not playing:
                return
            finished, _ = wait(playing, return_when=FIRST_COMPLETED)
            for future in finished:
                yield playing.pop(future), future.result()

    def close(self) -> None:
        """Drops chunks that have not started."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class ClusterExecutor:
    """A Dask cluster: a running one, or one started here from processes of this machine."""

    def __init__(self, client: "Client", stop: object = None) -> None:
        self.client, self._stop = client, stop
        self._counted, self._counted_at = 1, float("-inf")

    def play(
        self, program: Program, seed: int, block: int, requests: Iterable[ChunkRequest]
    ) -> Iterator[tuple[int, ChunkResult]]:
        """Sends tasks of a few chunks; if a worker dies, another plays its task again, with the same result."""
        from distributed import as_completed

        self._wait_for_workers()
        packed = pickle.dumps(replace(program))  # a copy, without cached properties
        waiting, ahead = iter(requests), deque[ChunkRequest]()
        coming = as_completed()
        under_way = 0
        quiet_since = time.monotonic()
        while True:
            workers = self._count()
            while under_way < TASKS_PER_WORKER * workers:
                ahead.extend(islice(waiting, max(2 * CHUNKS_PER_TASK * workers - len(ahead), 0)))
                size = min(-(-len(ahead) // (2 * workers)), CHUNKS_PER_TASK)
                task = [ahead.popleft() for _ in range(size)]
                if not task:
                    break
                coming.add(self.client.submit(play_task, packed, seed, block, task, pure=False, retries=8))
                under_way += 1
            if not under_way:
                return
            if not coming.has_ready():
                time.sleep(POLL_SECONDS)
                self._check_alive(quiet_since)
                continue
            for future in coming.next_batch(block=False):
                under_way -= 1
                quiet_since = time.monotonic()
                yield from (unpack(*packed) for packed in self._result(future))

    def close(self) -> None:
        """Disconnects; stops the cluster if it was started here."""
        import contextlib

        with contextlib.suppress(Exception):  # the cluster may be gone
            self.client.close(timeout=2)
        close = getattr(self._stop, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close(timeout=5)

    def _count(self) -> int:
        """Threads of all workers a moment ago, at least one.

        Cached, because each query costs time of the scheduler and of the core it shares with a worker.
        """
        now = time.monotonic()
        if now - self._counted_at > WORKER_COUNT_SECONDS:
            self._counted, self._counted_at = max(self._ask_workers(), 1), now
        return self._counted

    def _ask_workers(self) -> int:
        if self.client.status != "running":
            raise ClusterLost("the cluster's scheduler no longer answers")
        try:
            return sum(self.client.nthreads().values())
        except (OSError, TimeoutError):
            raise ClusterLost("the cluster's scheduler no longer answers") from None

    def _wait_for_workers(self) -> None:
        end = time.monotonic() + LOST_AFTER_SECONDS
        while not self._ask_workers():
            if time.monotonic() > end:
                raise BadRequest("the cluster has no workers: start some with `dask worker`")
            time.sleep(0.1)

    def _check_alive(self, quiet_since: float) -> None:
        if self.client.status != "running":
            raise ClusterLost("the cluster's scheduler no longer answers")
        if time.monotonic() - quiet_since > LOST_AFTER_SECONDS and not self._ask_workers():
            raise ClusterLost("the cluster has lost all its workers")

    def _result(self, future: object) -> list[tuple[int, "Packed"]]:
        try:
            packed: list[tuple[int, Packed]] = future.result(timeout=CONNECT_SECONDS)  # type: ignore[attr-defined]  # dask has no types
        except UpcardError:
            raise
        except BaseException as error:  # cancelled futures, killed workers, closed connections
            if isinstance(error, KeyboardInterrupt):
                raise
            raise ClusterLost(f"the cluster was lost: {type(error).__name__}") from None
        return packed


def connect(address: str, workers: int) -> ClusterExecutor:
    """`local` starts workers of one thread each on this machine; anything else is the address of a scheduler."""
    import logging

    import dask
    from distributed import Client, LocalCluster

    _silence_logs("distributed", "distributed.client", "tornado.application", "asyncio")
    dask.config.set({"distributed.comm.timeouts.connect": CONNECT_SECONDS})
    if address == "local":
        dask.config.set(_LIGHT_WORKERS)
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # reachable from this machine only
            silence_logs=logging.CRITICAL,
        )
        return ClusterExecutor(Client(cluster), cluster)
    if "://" not in address:
        raise BadRequest(f"--cluster must be local or a scheduler's address like tcp://10.0.0.1:8786, not {address!r}")
    try:
        return ClusterExecutor(Client(address, timeout=CONNECT_SECONDS))
    except (OSError, ValueError) as error:
        del error
        raise BadRequest(f"no cluster answers at {address}") from None


def _silence_logs(*names: str) -> None:
    """Silences these loggers: errors are reported in our own words."""
    import logging

    for name in names:
        logger = logging.getLogger(name)
        logger.setLevel(logging.CRITICAL)
        for handler in logger.handlers:
            handler.setLevel(logging.CRITICAL)


# Workers started here run without profiling and memory monitoring, which would cost their cores time.
_LIGHT_WORKERS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}


# What is sent: only the cells of the histogram that were hit.
Packed = tuple[int, int, "np.typing.NDArray[np.uint32]", "np.typing.NDArray[np.uint32]", tuple[object, ...]]


def play_task(packed: bytes, seed: int, block: int, requests: list[ChunkRequest]) -> list[tuple[int, Packed]]:
    program = _unpacked(packed)
    return [pack(number, play_chunk(program, seed, number, rounds, block)) for number, rounds in requests]


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Program:
    """Unpacks the program once per worker, not once per task."""
    program: Program = pickle.loads(packed)  # as safe as the task it came with
    return program


def pack(number: int, result: ChunkResult) -> tuple[int, Packed]:
    hit = np.flatnonzero(result.cells).astype(np.uint32)
    return number, (
        result.rounds,
        len(result.cells),
        hit,
        result.cells[hit],
        (result.split_hands, result.squares, result.blocks),
    )


def unpack(number: int, packed: Packed) -> tuple[int, ChunkResult]:
    rounds, size, hit, counts, (split_hands, squares, blocks) = packed
    cells = np.zeros(size, np.uint32)
    cells[hit] = counts
    return number, ChunkResult(rounds=rounds, cells=cells, split_hands=split_hands, squares=squares, blocks=blocks)  # type: ignore[arg-type]  # as packed
