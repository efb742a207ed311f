"""A busy house gathers what several tables say into one transaction; a lone table never waits."""

import queue
import time
from itertools import pairwise

import pytest
from service.conftest import NewDriver

from upcard.service import commands as s
from upcard.service import desk
from upcard.service.desk import ACTIVE_SECONDS, BATCH_SECONDS, BatchPacing
from upcard.service.pending import PendingCommand


class Time:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    time_ = Time()
    monkeypatch.setattr(desk, "time", time_)
    return time_


def said(table: str) -> PendingCommand:
    return PendingCommand(s.Ready(table=table, player="ann"), "1", "ann", "player")


def gather(rhythm: BatchPacing, *tables: str) -> list[PendingCommand]:
    first, *others = (said(table) for table in tables)
    waiting: desk.Waiting = queue.SimpleQueue()
    for pending in others:
        waiting.put(pending)
    return rhythm.gather(first, waiting)


def test_a_single_busy_table_is_never_delayed(clock: Time) -> None:
    rhythm = BatchPacing()
    for _ in range(50):
        gather(rhythm, "T1")
        clock.now += 0.001
    assert clock.slept == 0


def test_in_a_busy_house_transactions_begin_apart(clock: Time) -> None:
    rhythm = BatchPacing()
    begun = []
    for number in range(40):
        gather(rhythm, f"T{number}")
        begun.append(clock.now)
        clock.now += 0.002
    apart = [after - before for before, after in pairwise(begun[10:])]
    assert min(apart) == pytest.approx(BATCH_SECONDS)


def test_old_activity_does_not_delay_commands(clock: Time) -> None:
    rhythm = BatchPacing()
    assert len(gather(rhythm, *(f"T{number}" for number in range(100)))) == 100
    clock.now += ACTIVE_SECONDS + 0.001
    gather(rhythm, "T1")
    assert clock.slept == 0


def test_a_wait_is_never_longer_than_the_time_between_two_transactions(clock: Time) -> None:
    rhythm = BatchPacing()
    assert len(gather(rhythm, *(f"T{number}" for number in range(100)))) == 100
    gather(rhythm, "T1")
    assert clock.slept == pytest.approx(BATCH_SECONDS)


def test_a_busy_desk_commits_commands_of_many_tables_together(
    new_driver: NewDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With time between transactions drawn out, what takes milliseconds each alone is one commit."""
    monkeypatch.setattr(desk, "BATCH_SECONDS", 0.5)
    monkeypatch.setattr(desk, "ACTIVE_SECONDS", 5.0)
    driver = new_driver()
    tables = [f"T{number}" for number in range(2, 10)]
    for table in tables:
        driver.do(s.OpenTable(table=table, layout="bet-bigger", tray=100_000_00))
    house, commits = driver.service.desk, []
    house.watchers.append(lambda moved: commits.append({update.live.name for update in moved}))
    house.start()
    buying = []
    for table in tables:
        buying.append(house.submit(s.BuyIn(table=table, player="ann", amount=5_00), id=f"buy-{table}", actor="ann"))
        time.sleep(0.03)  # alone, each would be written before the next is said
    for future in buying:
        future.result(10)
    house.stop()
    assert set().union(*commits) == set(tables)
    assert max(map(len, commits)) >= 4
