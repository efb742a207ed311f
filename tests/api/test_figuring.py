"""The queue of the lab's figures: who gives up waiting harms nobody who still waits."""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from upcard.api.lab.figuring import Figuring
from upcard.api.problems import ProblemError

Patience = pytest.MonkeyPatch


async def _impatient(figuring: Figuring, patience: Patience) -> str:
    """Somebody at the end of the queue whose patience ends; why he has no answer."""
    patience.setattr("upcard.api.lab.figuring.PATIENCE", 0.01)
    with pytest.raises(ProblemError) as wrong:
        await figuring.ask({"figure": "another"})
    return wrong.value.reason


def _busy() -> tuple[Figuring, Mock, "asyncio.Task[str]"]:
    figuring = Figuring()
    figuring.process = process = Mock()
    return figuring, process, asyncio.create_task(figuring.ask({"figure": "slow"}))


def test_who_waited_too_long_in_the_queue_ends_nobody_elses_question(monkeypatch: Patience) -> None:
    async def asked() -> Any:
        figuring, process, first = _busy()
        await asyncio.sleep(0)
        assert await _impatient(figuring, monkeypatch) == "LAB_BUSY"
        process.end.assert_not_called()
        figuring._heard({"id": 1, "say": "done", "text": "its answer"})
        return await first

    assert asyncio.run(asked()) == "its answer"


def test_a_question_nobody_waits_for_any_longer_does_not_hold_up_the_others(monkeypatch: Patience) -> None:
    async def asked() -> None:
        figuring, process, first = _busy()
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        assert await _impatient(figuring, monkeypatch) == "LAB_BUSY"
        process.end.assert_called_once()

    asyncio.run(asked())
