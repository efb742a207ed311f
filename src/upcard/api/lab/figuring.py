"""Asking the lab's process for figures: each question once, answers kept, and nobody's queue grows without end."""

import asyncio
import itertools
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog

from upcard.api.lab.process import Process
from upcard.api.problems import ProblemError

_log = structlog.get_logger("upcard.lab")

MOST_WAITING = 24
MOST_KEPT = 256
PATIENCE = 120.0  # seconds; the very first main game waits for the compiler

BUSY = "the lab is busy with other questions; ask again in a moment"
TOO_LONG = "this takes the lab too long; ask for something smaller"


@dataclass(eq=False)
class Asked:
    """A question, and whoever waits for its answer."""

    number: int
    asking: dict[str, Any]
    answer: "asyncio.Future[str]"
    waiting: int = 0


class Figuring:
    """Belongs to one event loop. One question is worked out at a time; nobody waits for one that nobody wants."""

    def __init__(self) -> None:
        self.process = Process(lambda said: self._soon(lambda: self._heard(said)), lambda: self._soon(self._gone))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._numbers = itertools.count(1)
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._queue: OrderedDict[str, Asked] = OrderedDict()  # the first is being worked out
        self._working: Asked | None = None

    async def ask(self, asking: dict[str, Any]) -> str:
        """The answer's text; whoever asks the same meanwhile waits for the same answer."""
        self._loop = asyncio.get_running_loop()
        key = json.dumps(asking, sort_keys=True)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        one = self._queue.get(key) or self._queued(key, asking)
        one.waiting += 1
        try:
            return await asyncio.wait_for(asyncio.shield(one.answer), PATIENCE)
        except TimeoutError:
            if one is not self._working:  # others were before it
                self._end_unwanted()
                raise ProblemError(503, "LAB_BUSY", BUSY, {"Retry-After": "2"}) from None
            self.process.end()
            self._gone()
            raise ProblemError(503, "LAB_TOO_LONG", TOO_LONG) from None
        finally:
            one.waiting -= 1
            if not one.waiting and one is not self._working and self._queue.get(key) is one:
                del self._queue[key]  # nobody wants to know any longer

    def _end_unwanted(self) -> None:
        """What holds up the others is ended if nobody waits for it any longer."""
        if self._working is not None and not self._working.waiting:
            self.process.end()
            self._gone()

    def end(self) -> None:
        """No more questions."""
        self.process.end()

    def _queued(self, key: str, asking: dict[str, Any]) -> Asked:
        if len(self._queue) >= MOST_WAITING:
            raise ProblemError(503, "LAB_BUSY", BUSY, {"Retry-After": "2"})
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        one = self._queue[key] = Asked(next(self._numbers), asking, future)
        self._work()
        return one

    def _work(self) -> None:
        if self._working is None and self._queue:
            self._working = next(iter(self._queue.values()))
            self.process.say({"say": "work out", "id": self._working.number, "asking": self._working.asking})

    def _heard(self, said: dict[str, Any]) -> None:
        one = self._working
        if one is None or one.number != said["id"]:
            return
        match said["say"]:
            case "done":
                self._over(said["text"])
            case "refused":
                self._over(ProblemError(400, "BAD_REQUEST", said["why"]))
            case _:
                _log.error("a figure failed", why=said["why"])
                self._over(ProblemError(500, "INTERNAL", "something went wrong here; nothing was lost"))

    def _gone(self) -> None:
        self._over(ProblemError(503, "LAB_BUSY", BUSY, {"Retry-After": "2"}))

    def _over(self, answer: str | Exception) -> None:
        """The question being worked out has its answer, and the next has its turn."""
        if self._working is None:
            return
        one, self._working = self._working, None
        key = next(key for key, other in self._queue.items() if other is one)
        del self._queue[key]
        if isinstance(answer, str):
            self._kept[key] = answer
            one.answer.set_result(answer)
        else:
            one.answer.set_exception(answer)
            one.answer.exception()  # whether or not anybody still waits for it
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._work()

    def _soon(self, do: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(do)
