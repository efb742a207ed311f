"""Who plays the chunks: threads of this machine, or the workers of a Dask cluster. Neither changes a single count."""

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
from upcard.sim.chunk import Tallied, play_chunk
from upcard.sim.compile import Program

if TYPE_CHECKING:
    from distributed import Client

Asked = tuple[int, int]  # a chunk's number and its rounds
CHUNKS_A_TASK = 8  # at most; the last tasks are smaller, so that all workers end together
TASKS_A_WORKER = 3  # under way
LOOKED_AT_EVERY = 0.05  # seconds
CONNECT_SECONDS = 10
LOST_AFTER_SECONDS = 15  # without a worker, or without an answer of the scheduler
COUNTED_EVERY = 1.0  # seconds; workers come and go


class ClusterLost(UpcardError):  # noqa: N818 - casino English, not a traceback
    """The cluster does not answer any more; what it had finished is kept."""


class Crew(Protocol):
    """Plays chunks and gives them back in any order."""

    def play(self, program: Program, seed: int, block: int, asked: Iterable[Asked]) -> Iterator[tuple[int, Tallied]]:
        """Plays these chunks."""

    def close(self) -> None:
        """Goes home."""


class Threads:
    """Threads of this process: the kernel needs no lock of Python's."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="chunk")

    def play(self, program: Program, seed: int, block: int, asked: Iterable[Asked]) -> Iterator[tuple[int, Tallied]]:
        """Two chunks a thread are under way, so that none waits."""
        waiting = iter(asked)
        playing: dict[Future[Tallied], int] = {}
        while True:
            for number, rounds in islice(waiting, 2 * self.count - len(playing)):
                playing[self._pool.submit(play_chunk, program, seed, number, rounds, block)] = number
            if not playing:
                return
            finished, _ = wait(playing, return_when=FIRST_COMPLETED)
            for one in finished:
                yield playing.pop(one), one.result()

    def close(self) -> None:
        """Chunks not begun are dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """A Dask cluster: one that runs somewhere, or one of this machine's own processes."""

    def __init__(self, client: "Client", stop: object = None) -> None:
        self.client, self._stop = client, stop
        self._counted, self._counted_at = 1, float("-inf")

    def play(self, program: Program, seed: int, block: int, asked: Iterable[Asked]) -> Iterator[tuple[int, Tallied]]:
        """Tasks of a few chunks; one whose worker dies is played anew by another, and brings the same integers."""
        from distributed import as_completed

        self._wait_for_workers()
        packed = pickle.dumps(replace(program))  # a copy: without what was worked out from it here
        waiting, ahead = iter(asked), deque[Asked]()
        coming = as_completed()
        under_way = 0
        quiet_since = time.monotonic()
        while True:
            workers = self._count()
            while under_way < TASKS_A_WORKER * workers:
                ahead.extend(islice(waiting, max(2 * CHUNKS_A_TASK * workers - len(ahead), 0)))
                size = min(-(-len(ahead) // (2 * workers)), CHUNKS_A_TASK)
                task = [ahead.popleft() for _ in range(size)]
                if not task:
                    break
                coming.add(self.client.submit(play_task, packed, seed, block, task, pure=False, retries=8))
                under_way += 1
            if not under_way:
                return
            if not coming.has_ready():
                time.sleep(LOOKED_AT_EVERY)
                self._check_alive(quiet_since)
                continue
            for future in coming.next_batch(block=False):
                under_way -= 1
                quiet_since = time.monotonic()
                yield from (unpack(*one) for one in self._result(future))

    def close(self) -> None:
        """Takes leave; a cluster of our own goes too."""
        import contextlib

        with contextlib.suppress(Exception):  # a cluster that is gone cannot be told
            self.client.close(timeout=2)
        close = getattr(self._stop, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close(timeout=5)

    def _count(self) -> int:
        """Threads of all workers that were there a moment ago; one at least, for those that will be.

        Whoever asks the scheduler keeps it from its work, and a worker's core with it.
        """
        now = time.monotonic()
        if now - self._counted_at > COUNTED_EVERY:
            self._counted, self._counted_at = max(self._ask_workers(), 1), now
        return self._counted

    def _ask_workers(self) -> int:
        if self.client.status != "running":
            raise ClusterLost("the cluster's scheduler does not answer any more")
        try:
            return sum(self.client.nthreads().values())
        except (OSError, TimeoutError):
            raise ClusterLost("the cluster's scheduler does not answer any more") from None

    def _wait_for_workers(self) -> None:
        end = time.monotonic() + LOST_AFTER_SECONDS
        while not self._ask_workers():
            if time.monotonic() > end:
                raise BadRequest("the cluster has no workers: start some with `dask worker`")
            time.sleep(0.1)

    def _check_alive(self, quiet_since: float) -> None:
        if self.client.status != "running":
            raise ClusterLost("the cluster's scheduler does not answer any more")
        if time.monotonic() - quiet_since > LOST_AFTER_SECONDS and not self._ask_workers():
            raise ClusterLost("the cluster has lost all its workers")

    def _result(self, future: object) -> list[tuple[int, "Packed"]]:
        try:
            found: list[tuple[int, Packed]] = future.result(timeout=CONNECT_SECONDS)  # type: ignore[attr-defined]  # dask has no types
        except UpcardError:
            raise
        except BaseException as wrong:  # cancelled futures, killed workers, closed connections: all of one meaning
            if isinstance(wrong, KeyboardInterrupt):
                raise
            raise ClusterLost(f"the cluster was lost: {type(wrong).__name__}") from None
        return found


def connect(address: str, workers: int) -> Cluster:
    """`local` starts workers of one thread each on this machine; else the address of a scheduler."""
    import logging

    import dask
    from distributed import Client, LocalCluster

    _hush("distributed", "distributed.client", "tornado.application", "asyncio")
    dask.config.set({"distributed.comm.timeouts.connect": CONNECT_SECONDS})
    if address == "local":
        dask.config.set(_UNWATCHED)
        own = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # what little it serves is for this machine
            silence_logs=logging.CRITICAL,
        )
        return Cluster(Client(own), own)
    if "://" not in address:
        raise BadRequest(f"--cluster is local or a scheduler's address like tcp://10.0.0.1:8786, not {address!r}")
    try:
        return Cluster(Client(address, timeout=CONNECT_SECONDS))
    except (OSError, ValueError) as wrong:
        del wrong
        raise BadRequest(f"no cluster answers at {address}") from None


def _hush(*names: str) -> None:
    """What is wrong we say in a sentence of our own."""
    import logging

    for name in names:
        logger = logging.getLogger(name)
        logger.setLevel(logging.CRITICAL)
        for handler in logger.handlers:
            handler.setLevel(logging.CRITICAL)


# Workers of our own need nobody who samples their stacks, weighs their memory and times their loops on their cores.
_UNWATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}


# What travels: of the histogram only the cells that were hit.
Packed = tuple[int, int, "np.typing.NDArray[np.uint32]", "np.typing.NDArray[np.uint32]", tuple[object, ...]]


def play_task(packed: bytes, seed: int, block: int, asked: list[Asked]) -> list[tuple[int, Packed]]:
    """A worker's task."""
    program = _unpacked(packed)
    return [pack(number, play_chunk(program, seed, number, rounds, block)) for number, rounds in asked]


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Program:
    """A worker unpacks the program once, not with every task."""
    program: Program = pickle.loads(packed)  # as safe as the task it came with
    return program


def pack(number: int, one: Tallied) -> tuple[int, Packed]:
    """A chunk as it travels."""
    hit = np.flatnonzero(one.cells).astype(np.uint32)
    return number, (one.rounds, len(one.cells), hit, one.cells[hit], (one.split_hands, one.squares, one.blocks))


def unpack(number: int, packed: Packed) -> tuple[int, Tallied]:
    """A chunk as it was."""
    rounds, size, hit, counts, (split_hands, squares, blocks) = packed
    cells = np.zeros(size, np.uint32)
    cells[hit] = counts
    return number, Tallied(rounds=rounds, cells=cells, split_hands=split_hands, squares=squares, blocks=blocks)  # type: ignore[arg-type]  # as packed
