"""A run: an executor plays chunks until there are enough rounds, the run is stopped, or it is precise enough."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from upcard.sim.chunk import ChunkResult
from upcard.sim.compile import Compiled
from upcard.sim.executors import ClusterLost, Executor
from upcard.sim.figures import Figure, Statistics
from upcard.sim.shoe_errors import SAMPLE, sampled_ratios, with_shoe_errors
from upcard.sim.statistics import compute_statistics
from upcard.sim.sums import RunState, Sums, net_of

PRECISION_CHECKED = 8  # chunks; the same for every executor, so that all stop after the same round


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Play until a wager's standard error is small enough."""

    wager: str
    stderr: float

    def is_met(self, run: "Run") -> bool:
        figure = run.figure(self.wager)
        return figure.made > 0 and figure.stderr <= self.stderr


@dataclass(kw_only=True)
class Run:
    """What to simulate, and what has been played of it."""

    compiled: Compiled
    seed: int
    block: int = 0  # rounds per block of the distribution
    state: RunState = field(init=False)
    seconds: float = 0.0
    stopped: str = ""  # why it ended early
    _ratios: tuple[int, dict[str, float]] | None = None  # by shoes, from so many rounds

    def __post_init__(self) -> None:
        self.state = RunState(complete=Sums.empty(self.compiled.program))

    @property
    def sums(self) -> Sums:
        return self.state.sums(self.compiled.program)

    def statistics(self) -> Statistics:
        """What has been played, with shoes as the units of error if there are enough of them."""
        sample = min(self.state.rounds, SAMPLE)
        if self._ratios is None or self._ratios[0] < sample:
            self._ratios = sample, sampled_ratios(self.compiled, self.seed, sample)
        return with_shoe_errors(compute_statistics(self.compiled, self.sums), self._ratios[1])

    def figure(self, wager: str) -> Figure:
        return next(figures.figure for figures in self.statistics().wagers if figures.wager == wager)


def play(
    run: Run,
    executor: Executor,
    rounds: int,
    *,
    target: Target | None = None,
    watch: Callable[[Run], None] = lambda _: None,
) -> None:
    """Plays up to so many rounds in all. Ctrl-C or a lost cluster stops it; finished chunks are kept."""
    began = time.perf_counter()
    program = run.compiled.program
    run.state.trim(rounds)
    if target and _is_precise(run, target):
        return
    results = executor.play(program, run.seed, run.block, run.state.missing(rounds))
    try:
        for number, result in _in_order(results, run) if target else results:
            with _undisturbed():
                run.state.add_chunk(number, result, net_of(program, result))
            run.seconds += time.perf_counter() - began
            began = time.perf_counter()
            watch(run)
            if target and _is_precise(run, target):
                break
    except KeyboardInterrupt:
        run.stopped = "stopped by hand"
    except ClusterLost as error:
        run.stopped = str(error)
    run.seconds += time.perf_counter() - began


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Delays Ctrl-C until a chunk has been added completely."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    interrupts: list[int] = []
    former_handler = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former_handler)
    if interrupts:
        raise KeyboardInterrupt


def _in_order(results: Iterator[tuple[int, ChunkResult]], run: Run) -> Iterator[tuple[int, ChunkResult]]:
    """Yields chunks in the order of their numbers, whatever order they finish in."""
    waiting: dict[int, ChunkResult] = {}
    numbers = (number for number in count() if number not in run.state.done)
    expected = next(numbers)
    for number, result in results:
        waiting[number] = result
        while expected in waiting:
            yield expected, waiting.pop(expected)
            expected = next(numbers)


def _is_precise(run: Run, target: Target) -> bool:
    return len(run.state.done) % PRECISION_CHECKED == 0 and target.is_met(run)
