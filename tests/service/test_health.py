"""Health: the book takes a write, no table is stopped, the clock is right; asking costs little."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from service.crash_images import contents, full_disk
from service.desk_driver import DeskDriver

from upcard.ledger.store import is_server
from upcard.service import commands as s
from upcard.service import health as health_module
from upcard.service.health import HealthCheck, prove_write
from upcard.service.refusals import ServiceRefused
from upcard.service.steady_clock import SteadyClock


@contextmanager
def running(driver: DeskDriver) -> Iterator[HealthCheck]:
    driver.open(Brook="the-brook")
    driver.desk.start()
    try:
        yield HealthCheck(driver.desk)
    finally:
        driver.desk.stop()


def test_a_sound_house_is_healthy(desk_driver: DeskDriver) -> None:
    with running(desk_driver) as health:
        assert health.report() == {"status": "ok", "problems": [], "tables_stopped": 0}
    assert health.report()["problems"] == ["DESK_STOPPED"]
    desk_driver.check()


def test_the_write_reaches_the_disk_and_changes_nothing(tmp_path: Path, empty_file: Path) -> None:
    book = tmp_path / "book.db"
    book.write_bytes(empty_file.read_bytes())
    driver = DeskDriver(str(book))
    driver.open(Brook="the-brook")
    before, log = contents(book), Path(f"{book}-wal").read_bytes()
    prove_write(driver.store)
    assert Path(f"{book}-wal").read_bytes() != log
    assert contents(book) == before
    driver.store.close()


def test_a_full_disk_is_noticed(tmp_path: Path, empty_file: Path) -> None:
    book = tmp_path / "book.db"
    book.write_bytes(empty_file.read_bytes())
    driver = DeskDriver(str(book))
    with running(driver) as health:
        with full_disk(book, 0):
            report = health.report()
        assert (report["status"], report["problems"]) == ("failing", ["BOOK_NOT_WRITTEN"])
    driver.store.close()


def test_a_database_that_went_away_is_noticed(desk_driver: DeskDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(desk_driver) as health:

        def fail(*_: object) -> None:
            raise sa.exc.OperationalError("UPDATE", None, Exception("the server closed the connection"))

        monkeypatch.setattr(health_module, "prove_write", fail)
        assert health.report()["status"] == "failing"


def test_a_write_that_hangs_is_failing_and_holds_up_nobody(
    desk_driver: DeskDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, writes = threading.Event(), list[int]()

    def hang(_: object) -> None:
        writes.append(1)
        over.wait(60)

    monkeypatch.setattr(health_module, "prove_write", hang)
    monkeypatch.setattr(health_module, "LONGEST_WRITE", 0.05)
    with running(desk_driver) as health:
        for _ in range(5):
            assert health.report()["status"] == "failing"
        over.set()
    assert writes == [1]


def test_many_questions_cause_one_write(desk_driver: DeskDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = list[int]()
    monkeypatch.setattr(health_module, "prove_write", lambda _: writes.append(1))
    monkeypatch.setattr(health_module, "FRESH_SECONDS", 60.0)
    with running(desk_driver) as health:
        for _ in range(100):
            assert health.report()["status"] == "ok"
    assert writes == [1]


def test_a_stopped_table_makes_the_house_degraded(desk_driver: DeskDriver) -> None:
    desk_driver.open(Brook="the-brook", Creek="the-brook")
    desk_driver.sit("Brook", "Ann", 1)
    desk_driver.do(s.Bet(table="Brook", spot=1, stakes={"Ante": 10_00}))
    with desk_driver.store.engine.begin() as connection:
        if is_server(desk_driver.address):
            connection.execute(sa.text("SET session_replication_role = replica"))
        else:
            connection.execute(sa.text("DROP TRIGGER history_no_update"))
        connection.execute(sa.text("UPDATE history SET actor = 'Mallory' WHERE stream = 'table:Brook' AND number = 4"))
    desk_driver.desk.cache.forget(["table:Brook"])
    with pytest.raises(ServiceRefused):
        desk_driver.desk.live("Brook")
    desk_driver.desk.start()
    report = HealthCheck(desk_driver.desk).report()
    desk_driver.desk.stop()
    assert report == {"status": "degraded", "problems": ["TABLES_STOPPED"], "tables_stopped": 1}


def test_a_moved_clock_makes_the_house_degraded(desk_driver: DeskDriver) -> None:
    with running(desk_driver) as health:
        ahead = [timedelta(0)]
        clock = SteadyClock(wall=lambda: desk_driver.now + ahead[0], passed=lambda: 0.0)
        desk_driver.desk.clock = clock
        assert health.report()["status"] == "ok"
        ahead[0] = timedelta(hours=-1)
        assert health.report()["problems"] == ["CLOCK_MOVED"]
