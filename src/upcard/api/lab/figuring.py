"""Asking the lab's process for figures: each question once, answers kept, and nobody's queue grows without end."""

import asyncio
import itertools
import json
from collections import OrderedDict
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


class Figuring:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self.process = Process(self._heard, self._gone)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._numbers = itertools.count(1)
        self._asked: OrderedDict[str, asyncio.Future[str]] = OrderedDict()  # answered ones too, the oldest first
        self._waiting: dict[int, asyncio.Future[str]] = {}

    async def ask(self, asking: dict[str, Any]) -> str:
        """The answer's text; whoever asks the same meanwhile waits for the same answer."""
        self._loop = asyncio.get_running_loop()
        key = json.dumps(asking, sort_keys=True)
        found = self._asked.get(key)
        if found is None:
            found = self._ask(key, asking)
        self._asked.move_to_end(key)
        try:
            return await asyncio.wait_for(asyncio.shield(found), PATIENCE)
        except TimeoutError:
            self.process.end()
            self._nobody_answers()
            raise ProblemError(503, "LAB_TOO_LONG", TOO_LONG) from None

    def end(self) -> None:
        """No more questions."""
        self.process.end()

    def _ask(self, key: str, asking: dict[str, Any]) -> "asyncio.Future[str]":
        if len(self._waiting) >= MOST_WAITING:
            raise ProblemError(503, "LAB_BUSY", BUSY, {"Retry-After": "2"})
        number, future = next(self._numbers), asyncio.get_running_loop().create_future()
        self._asked[key], self._waiting[number] = future, future

        def over(done: "asyncio.Future[str]") -> None:
            self._waiting.pop(number, None)
            if done.exception() is not None and self._asked.get(key) is done:
                del self._asked[key]  # what failed may be asked again

        future.add_done_callback(over)
        while len(self._asked) > MOST_KEPT:
            self._asked.popitem(last=False)
        self.process.say({"say": "work out", "id": number, "asking": asking})
        return future

    def _heard(self, said: dict[str, Any]) -> None:
        self._soon(lambda: self._answered(said))

    def _gone(self) -> None:
        self._soon(self._nobody_answers)

    def _soon(self, do: Any) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(do)

    def _answered(self, said: dict[str, Any]) -> None:
        future = self._waiting.get(said["id"])
        if future is None or future.done():
            return
        match said["say"]:
            case "done":
                future.set_result(said["text"])
            case "refused":
                future.set_exception(ProblemError(400, "BAD_REQUEST", said["why"]))
            case _:
                _log.error("a figure failed", why=said["why"])
                future.set_exception(ProblemError(500, "INTERNAL", "something went wrong here; nothing was lost"))

    def _nobody_answers(self) -> None:
        for future in list(self._waiting.values()):
            if not future.done():
                future.set_exception(ProblemError(503, "LAB_BUSY", BUSY, {"Retry-After": "2"}))
