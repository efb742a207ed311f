"""Simulations of signed-in people: one plays at a time, in a process of its own; the others wait their turn.

What a person may have going, how many may wait, how many rounds and seconds one has: all is capped. Nothing is kept
longer than the process lives.
"""

import asyncio
import itertools
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import structlog

from upcard.api.lab.process import Process
from upcard.api.problems import ProblemError
from upcard.api.settings import Settings

_log = structlog.get_logger("upcard.lab")

MOST_KEPT = 64  # of all people, over or not
GRACE = 300.0  # seconds beyond its time, which the compiler may take the very first time on a busy machine
AT_ONCE = 3.0  # seconds within which a simulation ends that is cancelled; else its process does
STILL_HERE = 10.0  # seconds between two signs of life in a stream

OVER = ("done", "cancelled", "out of time", "failed")
LOST = "the simulation was lost; start it again"


@dataclass
class Simulation:
    """One simulation, from its place in the queue to its end."""

    number: int
    person: str
    asking: dict[str, Any]
    state: str = "waiting"
    why: str = ""
    points: list[dict[str, Any]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        """Whether nothing more will be said of it."""
        return self.state in OVER

    def tell(self) -> None:
        """Whoever waits for news gets them."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class Simulations:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self.process = Process(lambda said: self._soon(lambda: self._heard(said)), lambda: self._soon(self._gone))
        self._numbers = itertools.count(1)
        self._all: OrderedDict[int, Simulation] = OrderedDict()
        self._playing: Simulation | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, person: str, asking: dict[str, Any], settings: Settings) -> Simulation:
        """Puts one at the end of the queue. Called on the event loop."""
        self._loop = asyncio.get_running_loop()
        if asking["rounds"] > settings.lab_rounds:
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
        made = Simulation(number=next(self._numbers), person=person, asking={**asking, "seconds": settings.lab_seconds})
        self._all[made.number] = made
        for number, one in list(self._all.items()):
            if len(self._all) > MOST_KEPT and one.over:
                del self._all[number]
        self._play_next()
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
        """Ends one, now or after its present chunk; one that is over stays as it is."""
        if one.state == "waiting":
            self._end(one, "cancelled")
        elif one.state == "running":
            self.process.say({"say": "cancel", "id": one.number})
            self._watch(AT_ONCE, "cancelled", "")

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

    def end(self) -> None:
        """No more simulations."""
        self.process.end()

    def _play_next(self) -> None:
        if self._playing is not None:
            return
        self._playing = next((one for one in self._all.values() if one.state == "waiting"), None)
        for one in self._all.values():
            if one.state == "waiting":
                one.tell()  # everybody has moved up
        if self._playing is not None:
            self._playing.state = "running"
            self._watch(self._playing.asking["seconds"] + GRACE, "failed", LOST)
            self.process.say({"say": "simulate", "id": self._playing.number, "asking": self._playing.asking})

    def _heard(self, said: dict[str, Any]) -> None:
        one = self._playing
        if one is None or one.number != said["id"]:
            return
        match said["say"]:
            case "point":
                one.points.append(said["point"])
                one.tell()
            case "ended":
                self._end(one, said["how"])
            case "refused":
                self._end(one, "failed", said["why"])
            case _:
                _log.error("a simulation failed", why=said["why"])
                self._end(one, "failed", LOST)

    def _gone(self) -> None:
        if self._playing is not None:
            self._end(self._playing, "failed", LOST)

    def _end(self, one: Simulation, state: str, why: str = "") -> None:
        one.state, one.why = state, why
        one.tell()
        if one is self._playing:
            self._playing = None
            if self._alarm is not None:
                self._alarm.cancel()
        self._play_next()

    def _watch(self, seconds: float, state: str, why: str) -> None:
        """If the simulation is still playing then, its process is ended."""
        one, loop = self._playing, asyncio.get_running_loop()
        if self._alarm is not None:
            self._alarm.cancel()

        def late() -> None:
            if one is not None and self._playing is one:
                self.process.end()
                self._end(one, state, why)

        self._alarm = loop.call_later(seconds, late)

    def _soon(self, do: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(do)


def _event(name: str, told: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(told)}\n\n"
