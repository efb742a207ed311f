"""Simulations of signed-in people: one runs at a time, in a worker; the others wait in a queue.

Simulations per person, the length of the queue, and each simulation's rounds and seconds are capped. Results are kept
in memory only.
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

MAX_CACHED = 64  # of all people, finished or not
KEEP_ALIVE_SECONDS = 10.0  # between two keep-alive comments in a stream

OVER = ("done", "cancelled", "out of time", "failed")
SIMULATION_LOST = "the simulation was lost; start it again"


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
        """Whether it has finished."""
        return self.state in OVER

    def report_progress(self) -> None:
        """Wakes every stream that waits for changes."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class Simulations:
    """Belongs to one event loop."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._numbers = itertools.count(1)
        self._all: OrderedDict[int, Simulation] = OrderedDict()
        self._turn = asyncio.Lock()

    def start(self, person: str, run: SimulationRequest, settings: Settings) -> Simulation:
        """Adds a simulation to the end of the queue. Call it on the event loop."""
        if run.rounds > settings.lab_rounds:
            raise ProblemError(400, "TOO_MANY_ROUNDS", f"a simulation can have at most {settings.lab_rounds:,} rounds")
        unfinished = [simulation for simulation in self._all.values() if not simulation.over]
        owned = sum(simulation.person == person for simulation in unfinished)
        if owned >= settings.lab_simulations:
            detail = f"you have {owned} simulations waiting or running; cancel one, or wait until it is done"
            raise ProblemError(429, "TOO_MANY_SIMULATIONS", detail)
        if len(unfinished) >= settings.lab_waiting:
            raise ProblemError(503, "LAB_BUSY", "the lab is busy; try again in a minute", {"Retry-After": "60"})
        new = Simulation(number=next(self._numbers), person=person, wanted=run)
        self._all[new.number] = new
        for number, simulation in list(self._all.items()):
            if len(self._all) > MAX_CACHED and simulation.over:
                del self._all[number]
        new.playing = asyncio.create_task(self._play(new))
        return new

    def of(self, person: str, number: int) -> Simulation:
        """A person's own simulation; those of others are not found."""
        simulation = self._all.get(number)
        if simulation is None or simulation.person != person:
            raise ProblemError(404, "SIMULATION_UNKNOWN", f"you have no simulation {number}")
        return simulation

    def owned(self, person: str) -> list[Simulation]:
        """A person's simulations, newest first."""
        return [simulation for simulation in reversed(self._all.values()) if simulation.person == person]

    def place(self, simulation: Simulation) -> int:
        """How many unfinished simulations are ahead of it."""
        return sum(not other.over and other.number < simulation.number for other in self._all.values())

    def cancel(self, simulation: Simulation) -> None:
        """Ends a simulation and stops its worker; a finished one stays as it is."""
        if simulation.playing is not None and not simulation.over:
            self._end(simulation, "cancelled")
            simulation.playing.cancel()

    async def stream(self, simulation: Simulation, stopping: Callable[[], bool]) -> AsyncIterator[str]:
        """All progress so far and from now on, as server-sent events, until the simulation is over."""
        points_sent, state = 0, None
        while True:
            changed = simulation.changed
            for point in simulation.points[points_sent:]:
                yield _event("point", point)
            points_sent = len(simulation.points)
            now = {"state": simulation.state, "why": simulation.why, "before": self.place(simulation)}
            if now != state:
                state = now
                yield _event("state", now)
            if simulation.over or stopping():
                return
            try:
                await asyncio.wait_for(changed.wait(), KEEP_ALIVE_SECONDS)
            except TimeoutError:
                yield ": keep-alive\n\n"

    async def _play(self, simulation: Simulation) -> None:
        """Waits for its turn, then runs in slices until it is over."""
        so_far, loop = SimulationState(), asyncio.get_running_loop()
        hear = partial(loop.call_soon_threadsafe, partial(self._add_point, simulation))
        async with self._turn:
            simulation.state = "running"
            simulation.report_progress()
            try:
                while not so_far.ended:
                    job = partial(play, simulation.wanted, so_far)
                    so_far = await asyncio.wrap_future(self._workers.submit(WorkerKind.LONG, job, hear))
            except JobRefused as error:
                self._end(simulation, "failed", str(error))
            except (JobFailed, WorkerLost):
                self._end(simulation, "failed", SIMULATION_LOST)
            else:
                self._end(simulation, so_far.ended)

    def _add_point(self, simulation: Simulation, point: Progress) -> None:
        if not simulation.over:
            simulation.points.append(point)
            simulation.report_progress()

    def _end(self, simulation: Simulation, state: str, why: str = "") -> None:
        if not simulation.over:
            simulation.state, simulation.why = state, why
            simulation.report_progress()
            for other in self._all.values():
                if other.state == "waiting":
                    other.report_progress()  # all of them move up by one


def _event(name: str, data: Mapping[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
