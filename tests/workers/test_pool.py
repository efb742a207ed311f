"""The pool of workers: two at most, one for hints alone; cancelling or killing one job does not affect the others."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import pytest
from workers import jobs

from upcard.workers import pool
from upcard.workers.pool import WorkerKind, WorkerLost, Workers
from upcard.workers.worker import MOST_PROGRESS_BYTES, JobFailed, JobRefused, Progress, report_progress

SOON = 60.0  # seconds, on a machine that does other things too


@pytest.fixture
def workers() -> Iterator[Workers]:
    pool_of_workers = Workers()
    yield pool_of_workers
    pool_of_workers.stop()


def alive(process: int) -> bool:
    """Whether it runs; one that has ended and was not yet asked for its end does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def worker_processes() -> set[int]:
    """Children of this process that were spawned as workers."""
    task = Path(f"/proc/{os.getpid()}/task")
    children = {int(pid) for file in task.glob("*/children") for pid in file.read_text().split()}
    return {child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


def begun(workers: Workers, kind: WorkerKind = WorkerKind.LONG, seconds: float = SOON) -> tuple["Future[None]", int]:
    """A job that lasts, and the process it has begun in."""
    reports: SimpleQueue[Progress] = SimpleQueue()
    job = workers.submit(kind, partial(jobs.last, seconds), on_progress=reports.put)
    return job, int(reports.get(timeout=SOON)["pid"])


def test_no_worker_process_starts_before_it_is_needed(workers: Workers) -> None:
    assert worker_processes() == set()
    assert workers.submit(WorkerKind.LONG, partial(jobs.add, 2, 3)).result(SOON) == 5
    assert len(worker_processes()) == 1


def test_a_worker_does_job_after_job(workers: Workers) -> None:
    answers = {workers.submit(WorkerKind.LONG, jobs.pid).result(SOON) for _ in range(3)}
    assert len(answers) == 1
    assert answers == worker_processes()


def test_progress_of_a_job_arrives_in_order_and_before_its_answer(workers: Workers) -> None:
    heard: list[float | str] = []
    counting = partial(jobs.count_to, 500)
    answer = workers.submit(WorkerKind.LONG, counting, on_progress=lambda progress: heard.append(progress["number"]))
    answer.add_done_callback(lambda done: heard.append(done.result()))
    answer.result(SOON)
    until(lambda: heard[-1:] == ["counted"])
    assert heard == [*range(500), "counted"]


def test_a_progress_message_is_small_enough_to_be_written_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.workers.worker._number", 1, raising=False)
    with pytest.raises(ValueError, match="too long"):
        report_progress({"a" * MOST_PROGRESS_BYTES: 1})


def test_a_cancelled_jobs_worker_is_gone_and_the_next_job_runs(workers: Workers) -> None:
    job, process = begun(workers)
    assert job.cancel()
    assert workers.submit(WorkerKind.LONG, partial(jobs.add, 2, 3)).result(SOON) == 5
    until(lambda: not alive(process))
    assert workers.submit(WorkerKind.LONG, jobs.pid).result(SOON) != process
    assert len(worker_processes()) == 1


def test_a_killed_worker_loses_only_its_own_job_and_is_replaced(workers: Workers) -> None:
    job, process = begun(workers)
    behind = workers.submit(WorkerKind.LONG, partial(jobs.add, 2, 3))
    hint, other = begun(workers, WorkerKind.HINTS, 2)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(WorkerLost, match="Abnormal termination"):
        job.result(SOON)
    assert behind.result(SOON) == 5
    assert hint.result(SOON) is None
    assert alive(other)
    assert workers.submit(WorkerKind.LONG, jobs.pid).result(SOON) != process


def test_a_worker_killed_while_idle_is_replaced_without_an_error(workers: Workers) -> None:
    for pause in (0.0, 0.5):  # before the pool has noticed, and after
        process = workers.submit(WorkerKind.HINTS, jobs.pid).result(SOON)
        os.kill(process, signal.SIGKILL)
        time.sleep(pause)
        assert workers.submit(WorkerKind.HINTS, jobs.pid).result(SOON) != process
    until(lambda: len(worker_processes()) == 1)


def test_a_job_out_of_time_is_ended(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as short:
        short.setattr(pool, "JOB_SECONDS", 0.3)
        slow = workers.submit(WorkerKind.LONG, partial(jobs.last, SOON))
    with pytest.raises(WorkerLost, match="timeout"):
        slow.result(SOON)
    assert workers.submit(WorkerKind.LONG, partial(jobs.add, 2, 3)).result(SOON) == 5


def test_hints_are_answered_while_a_long_job_runs(workers: Workers) -> None:
    long, process = begun(workers)
    assert workers.submit(WorkerKind.HINTS, jobs.pid).result(SOON) != process
    assert not long.done()
    assert alive(process)


def test_no_more_than_one_worker_of_each_kind_runs_at_once(workers: Workers) -> None:
    answers = [workers.submit(kind, partial(jobs.last, 0.05)) for kind in WorkerKind for _ in range(10)]
    most = 0
    while wait(answers, timeout=0.01).not_done:
        most = max(most, len(worker_processes()))
    assert most == len(WorkerKind) == 3


def test_workers_run_at_a_lower_priority_than_the_tables(workers: Workers) -> None:
    own_priority = os.getpriority(os.PRIO_PROCESS, 0)
    for kind in WorkerKind:
        process = workers.submit(kind, jobs.pid).result(SOON)
        assert os.getpriority(os.PRIO_PROCESS, process) == min(19, own_priority + kind.value)


def test_a_failing_job_is_reported_with_a_sentence(workers: Workers) -> None:
    with pytest.raises(JobRefused, match="not with these cards"):
        workers.submit(WorkerKind.LONG, jobs.refuse).result(SOON)
    with pytest.raises(JobFailed, match="1 and 2"):
        workers.submit(WorkerKind.LONG, jobs.fail).result(SOON)
    assert workers.submit(WorkerKind.LONG, partial(jobs.add, 2, 3)).result(SOON) == 5


def test_a_worker_that_cannot_start_is_reported(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "begin", jobs.give_up)
    for answer in [workers.submit(WorkerKind.LONG, jobs.pid) for _ in range(5)]:
        with pytest.raises(WorkerLost):
            answer.result(SOON)
    monkeypatch.undo()
    assert workers.submit(WorkerKind.LONG, partial(jobs.add, 2, 3)).result(SOON) == 5


def test_an_idle_worker_ends_and_the_next_job_starts_another(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "IDLE_SECONDS", 0.5)
    process = workers.submit(WorkerKind.LONG, jobs.pid).result(SOON)
    until(lambda: not alive(process))
    assert workers.submit(WorkerKind.LONG, jobs.pid).result(SOON) != process


def test_waiting_callers_are_answered_at_shutdown_and_no_process_stays() -> None:
    workers = Workers()
    job, process = begun(workers)
    waiting = workers.submit(WorkerKind.LONG, jobs.pid)
    workers.stop()
    for future in (job, waiting, workers.submit(WorkerKind.HINTS, jobs.pid)):
        with pytest.raises(WorkerLost, match="the service is stopping"):
            future.result(SOON)
    assert not alive(process)
    assert worker_processes() == set()


PARENT = """
import time
from functools import partial
from workers import jobs
from upcard.workers.pool import WorkerKind, Workers

if __name__ == "__main__":
    workers = Workers()
    for kind in WorkerKind:
        workers.submit(kind, partial(jobs.last, 600), on_progress=lambda told: print(told["pid"], flush=True))
    time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent_however_that_ends(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    path = os.pathsep.join(folder for folder in sys.path if folder)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as parent:
        assert parent.stdout is not None
        processes = [int(parent.stdout.readline()) for _ in WorkerKind]
        assert all(map(alive, processes))
        parent.send_signal(how)
        parent.wait(SOON)
    until(lambda: not any(map(alive, processes)))
