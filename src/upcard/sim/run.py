"""A run: chunks played by a crew until enough rounds are done, somebody stops it, or it is precise enough."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from upcard.sim.chunk import Tallied
from upcard.sim.compile import Compiled
from upcard.sim.crew import ClusterLost, Crew
from upcard.sim.gather import Gathered, Sums, net_of
from upcard.sim.statistics import Figure, work_out

PRECISION_CHECKED = 8  # chunks: the same for every crew, so that all stop after the same round


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Play until a wager's standard error is small enough."""

    wager: str
    stderr: float

    def is_met(self, run: "Run") -> bool:
        """Whether a run is precise enough."""
        figure = run.figure(self.wager)
        return figure.made > 0 and figure.stderr <= self.stderr


@dataclass(kw_only=True)
class Run:
    """What is asked, and what has been played of it."""

    compiled: Compiled
    seed: int
    block: int = 0  # rounds whose results are added up for the distribution
    gathered: Gathered = field(init=False)
    seconds: float = 0.0
    stopped: str = ""  # why before its time

    def __post_init__(self) -> None:
        self.gathered = Gathered(whole=Sums.nothing(self.compiled.program))

    @property
    def sums(self) -> Sums:
        """Everything counted."""
        return self.gathered.sums(self.compiled.program)

    def figure(self, wager: str) -> Figure:
        """One wager's figure so far."""
        found = work_out(self.compiled, self.sums)
        return next(one.figure for one in found.wagers if one.wager == wager)


def play(
    run: Run, crew: Crew, rounds: int, *, target: Target | None = None, watch: Callable[[Run], None] = lambda _: None
) -> None:
    """Plays up to so many rounds in all. Ctrl-C and a lost cluster stop it; what was finished stays."""
    began = time.perf_counter()
    program = run.compiled.program
    run.gathered.trim(rounds)
    if target and _is_precise(run, target):
        return
    coming = crew.play(program, run.seed, run.block, run.gathered.wanted(rounds))
    try:
        for number, one in _in_order(coming, run) if target else coming:
            with _undisturbed():
                run.gathered.take(number, one, net_of(program, one))
            run.seconds += time.perf_counter() - began
            began = time.perf_counter()
            watch(run)
            if target and _is_precise(run, target):
                break
    except KeyboardInterrupt:
        run.stopped = "stopped by hand"
    except ClusterLost as lost:
        run.stopped = str(lost)
    run.seconds += time.perf_counter() - began


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A chunk is taken in whole or not at all: Ctrl-C waits until it is."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals do not come here
        return
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


def _in_order(coming: Iterator[tuple[int, Tallied]], run: Run) -> Iterator[tuple[int, Tallied]]:
    """Chunks in the order of their numbers, whoever finished first."""
    early: dict[int, Tallied] = {}
    due = (number for number in count() if number not in run.gathered.done)
    following = next(due)
    for number, one in coming:
        early[number] = one
        while following in early:
            yield following, early.pop(following)
            following = next(due)


def _is_precise(run: Run, target: Target) -> bool:
    return len(run.gathered.done) % PRECISION_CHECKED == 0 and target.is_met(run)
