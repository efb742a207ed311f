"""Simulations of signed-in people: one plays at a time, in a worker; the others wait their turn.

What a person may have going, how many may wait, how many rounds and seconds one has: all is capped. Nothing is kept
longer than the process lives.
"""

import asyncio
import itertools
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from upcard.api.problems import ProblemError
from upcard.api.settings import Settings
from upcard.workers.pool import WorkerKind, WorkerLost, Workers
from upcard.workers.simulation import SimulationRequest, SimulationState, play
from upcard.workers.worker import JobFailed, JobRefused, Progress

MOST_KEPT = 64  # of all people, over or not
STILL_HERE = 10.0  # seconds between two signs of life in a stream

OVER = ("done", "cancelled", "out of time", "failed")
LOST = "the simulation was lost; start it again"


@dataclass
class Simulation:
    """One simulation, from its place in the queue to its end."""

    number: int
    person: str
    wanted: SimulationRequest
    state: str = "waiting"
    why: str = ""
    points: list[Progress] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    playing: "asyncio.Task[None] | None" = None

    @property
    def over(self) -> bool:
        """Whether nothing more will be said of it."""
        return self.state in OVER

    def report_progress(self) -> None:
        """Whoever waits for news gets them."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class Simulations:
    """Belongs to one event loop."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._numbers = itertools.count(1)
        self._all: OrderedDict[int, Simulation] = OrderedDict()
        self._turn = asyncio.Lock()

    def start(self, person: str, wanted: SimulationRequest, settings: Settings) -> Simulation:
        """Puts one at the end of the queue. Called on the event loop."""
        if wanted.rounds > settings.lab_rounds:
            raise ProblemError(400, "TOO_MANY_ROUNDS", f"a simulation has at most {settings.lab_rounds:,} rounds here")
        going = [one for one in self._all.values() if not one.over]
        own = sum(one.person == person for one in going)
        if own >= settings.lab_simulations:
            said = f"you have {own} simulations waiting or running: cancel one, or let it end"
            raise ProblemError(429, "TOO_MANY_SIMULATIONS", said)
        if len(going) >= settings.lab_waiting:
            raise ProblemError(
                503, "LAB_BUSY", "the lab has its hands full; try again in a minute", {"Retry-After": "60"}
            )
        made = Simulation(number=next(self._numbers), person=person, wanted=wanted)
        self._all[made.number] = made
        for number, one in list(self._all.items()):
            if len(self._all) > MOST_KEPT and one.over:
                del self._all[number]
        made.playing = asyncio.create_task(self._play(made))
        return made

    def of(self, person: str, number: int) -> Simulation:
        """A person's own; others' are nobody's business."""
        found = self._all.get(number)
        if found is None or found.person != person:
            raise ProblemError(404, "SIMULATION_UNKNOWN", f"you have no simulation {number}")
        return found

    def owned(self, person: str) -> list[Simulation]:
        """All of a person's that are still known, the newest first."""
        return [one for one in reversed(self._all.values()) if one.person == person]

    def place(self, one: Simulation) -> int:
        """How many are before it."""
        return sum(not other.over and other.number < one.number for other in self._all.values())

    def cancel(self, one: Simulation) -> None:
        """Ends one, and the worker that plays it; one that is over stays as it is."""
        if one.playing is not None and not one.over:
            self._end(one, "cancelled")
            one.playing.cancel()

    async def stream(self, one: Simulation, stopping: Callable[[], bool]) -> AsyncIterator[str]:
        """Everything told of a simulation so far and from now on, as server-sent events, until it is over."""
        told, state = 0, None
        while True:
            changed = one.changed
            for point in one.points[told:]:
                yield _event("point", point)
            told = len(one.points)
            now = {"state": one.state, "why": one.why, "before": self.place(one)}
            if now != state:
                state = now
                yield _event("state", now)
            if one.over or stopping():
                return
            try:
                await asyncio.wait_for(changed.wait(), STILL_HERE)
            except TimeoutError:
                yield ": still here\n\n"

    async def _play(self, one: Simulation) -> None:
        """Waits for its turn, then plays a while at a time until it is over."""
        so_far, loop = SimulationState(), asyncio.get_running_loop()
        hear = partial(loop.call_soon_threadsafe, partial(self._heard, one))
        async with self._turn:
            one.state = "running"
            one.report_progress()
            try:
                while not so_far.ended:
                    job = partial(play, one.wanted, so_far)
                    so_far = await asyncio.wrap_future(self._workers.submit(WorkerKind.LONG, job, hear))
            except JobRefused as wrong:
                self._end(one, "failed", str(wrong))
            except (JobFailed, WorkerLost):
                self._end(one, "failed", LOST)
            else:
                self._end(one, so_far.ended)

    def _heard(self, one: Simulation, point: Progress) -> None:
        if not one.over:
            one.points.append(point)
            one.report_progress()

    def _end(self, one: Simulation, state: str, why: str = "") -> None:
        if not one.over:
            one.state, one.why = state, why
            one.report_progress()
            for other in self._all.values():
                if other.state == "waiting":
                    other.report_progress()  # everybody has moved up


def _event(name: str, told: Mapping[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(told)}\n\n"
