"""The queue of the lab's figures: who gives up waiting harms nobody who still waits."""

import asyncio
from concurrent.futures import Future
from typing import Any
from unittest.mock import Mock

import pytest

from upcard.api.lab.job_queue import JobQueue
from upcard.api.problems import ProblemError
from upcard.catalog import shipped
from upcard.odds.question import PriceQuestion
from upcard.workers.figures import WagerFigureRequest
from upcard.workers.pool import WorkerLost

Patience = pytest.MonkeyPatch
SLOW, ANOTHER = (
    WagerFigureRequest(slug=slug, question=PriceQuestion(catalog=shipped()), form="json") for slug in ("da6-1", "mm4-1")
)


async def _impatient(figuring: JobQueue, patience: Patience, figure: WagerFigureRequest = ANOTHER) -> str:
    """A client that stops waiting, and why it got no answer."""
    patience.setattr("upcard.api.lab.job_queue.TIMEOUT", 0.01)
    with pytest.raises(ProblemError) as caught:
        await figuring.ask(figure)
    return caught.value.reason


async def _busy() -> tuple[JobQueue, "Future[str]", "asyncio.Task[str]"]:
    """A job that goes on, and somebody who waits for it."""
    job: Future[str] = Future()
    figuring = JobQueue(Mock(submit=Mock(side_effect=[job, Future()])))
    first = asyncio.create_task(figuring.ask(SLOW))
    while figuring._working is None:
        await asyncio.sleep(0)
    return figuring, job, first


def test_a_job_that_times_out_in_the_queue_ends_no_other_job(monkeypatch: Patience) -> None:
    async def run_queue() -> Any:
        figuring, job, first = await _busy()
        assert await _impatient(figuring, monkeypatch) == "LAB_BUSY"
        assert set(figuring._queue) == {SLOW}
        job.set_result("its answer")
        return await first, await figuring.ask(SLOW)

    assert asyncio.run(run_queue()) == ("its answer", "its answer")


def test_a_cancelled_job_does_not_delay_the_others(monkeypatch: Patience) -> None:
    async def run_queue() -> None:
        figuring, job, first = await _busy()
        first.cancel()
        await asyncio.sleep(0)
        assert not job.cancelled()  # somebody may ask again
        assert await _impatient(figuring, monkeypatch) == "LAB_BUSY"
        await asyncio.sleep(0.01)
        assert job.cancelled()
        assert figuring._queue == {}

    asyncio.run(run_queue())


def test_a_job_over_its_time_limit_is_ended_and_the_next_one_runs(monkeypatch: Patience) -> None:
    async def run_queue() -> None:
        figuring, job, first = await _busy()
        second = asyncio.create_task(figuring.ask(ANOTHER))
        await asyncio.sleep(0)
        assert await _impatient(figuring, monkeypatch, SLOW) == "LAB_TOO_LONG"
        with pytest.raises(ProblemError, match="busy"):  # for the same answer, and may ask again
            await first
        assert job.cancelled()
        assert figuring._working == ANOTHER
        second.cancel()

    asyncio.run(run_queue())


def test_a_lost_worker_is_reported_and_the_job_can_be_sent_again() -> None:
    async def run_queue() -> None:
        figuring, job, first = await _busy()
        job.set_exception(WorkerLost("killed"))
        with pytest.raises(ProblemError, match="busy"):
            await first
        assert figuring._queue == {}

    asyncio.run(run_queue())
