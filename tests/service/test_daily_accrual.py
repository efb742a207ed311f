"""The daily accrual of 000 happens by itself: once per gaming day, in order, after downtime, in any process."""

import threading
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial

import pytest
from service.conftest import NewDriver
from service.linked_tables import JACKPOT, LinkedTables
from service.table_driver import StackedShoe, TableDriver

from upcard.catalog import shipped
from upcard.ledger.jackpots import requests as j
from upcard.ledger.statement import history
from upcard.ledger.store import Store
from upcard.people.person import CLOCK
from upcard.service import commands as s
from upcard.service.accruals import LOOK_AGAIN, DailyAccruals, accrue_due
from upcard.service.check_results import CheckResult, Installation, Status
from upcard.service.doctor import examine
from upcard.service.refusals import Refused
from upcard.service.timers import Timers
from upcard.service.trail import TrailFilter, read_trail
from upcard.service.whole_book_check import check_everything

SUITED_ACES = "Ah Ah Ah 9c"
A_DAY = 24 * 3600.0


def accruals(driver: TableDriver) -> list[tuple[str, int, int, str]]:
    """The id, both values and the actor of every accrual."""
    with driver.service.desk.store.view() as unit:
        moves = history(unit, JACKPOT)
    return [(move.command, move.before, move.after, move.actor) for move in moves if move.reason == "accrued"]


def sound(driver: TableDriver) -> bool:
    with driver.service.desk.store.view() as unit:
        return check_everything(unit, driver.service.desk.store.keyring).findings == ()


def test_the_first_jackpot_wager_of_a_day_finds_yesterdays_tenth_added(
    new_driver_any_database: NewDriver, stack_shoe: StackedShoe
) -> None:
    """Bob's $5 of the first day make $1,250.50, which Ann wins on the second."""
    tables = LinkedTables(new_driver_any_database, "the-brook")
    driver = tables.driver
    tables.play("T2")
    driver.later(A_DAY)
    assert tables.meter == 125_000
    stack_shoe(SUITED_ACES)
    tables.bet("T1")
    assert tables.meter == 125_050
    assert accruals(driver) == [("accrue/J/2026-03-02", 125_000, 125_050, CLOCK)]
    tables.say("T1", s.Ready)
    tables.play_on("T1")
    assert [win.amount for win in tables.state.wins.values()] == [125_050]
    (entry,) = [line for line in read_trail(driver.service.queries, TrailFilter(house=True)) if line["actor"] == CLOCK]
    assert entry["command"] == {
        "do": "house",
        "request": {"order": "accrue-day", "jackpot": JACKPOT, "day": "2026-03-02"},
    }
    (line,) = driver.service.queries.jackpots()
    assert line["accrued"] is not None
    assert (line["accrued"]["day"], line["accrued"]["amount"]) == ("2026-03-02", 50)


def test_a_wager_down_when_the_day_changes_plays_for_the_new_value(new_driver_any_database: NewDriver) -> None:
    """It is dealt after the morning's accrual: the meter at the deal counts."""
    tables = LinkedTables(new_driver_any_database, "the-brook")
    tables.play("T1")
    tables.bet("T1")
    tables.driver.now += timedelta(days=1)
    tables.say("T1", s.Ready)
    assert tables.state.running["T1"].values == {"Bonus Jackpot": 125_050}
    assert [name for name, *_ in accruals(tables.driver)] == ["accrue/J/2026-03-02"]


def test_several_days_are_added_in_order_after_downtime(new_driver_any_database: NewDriver) -> None:
    tables = LinkedTables(new_driver_any_database, "the-brook")
    driver = tables.driver
    tables.play("T1")
    driver.later(A_DAY)
    tables.play("T1", jackpot=False)
    tables.play("T2")
    driver.now += timedelta(days=9)
    driver.restart()
    tables.bet("T2")
    assert accruals(driver) == [
        ("accrue/J/2026-03-02", 125_000, 125_050, CLOCK),
        ("accrue/J/2026-03-03", 125_050, 125_100, CLOCK),
    ]
    assert sound(driver)


def test_the_clock_adds_a_day_before_anybody_bets(new_driver_any_database: NewDriver) -> None:
    tables = LinkedTables(new_driver_any_database, "the-brook")
    driver = tables.driver
    tables.play("T1")
    clock = DailyAccruals(driver.service.desk)
    assert clock.run() == []
    driver.now += timedelta(days=1)
    assert len(clock.run()) == 1
    assert tables.meter == 125_050
    driver.now += LOOK_AGAIN
    assert clock.run() == []  # once
    tables.bet("T1")
    assert len(accruals(driver)) == 1
    assert sound(driver)


def test_a_running_service_adds_a_day_by_its_clock(new_driver: NewDriver) -> None:
    tables = LinkedTables(new_driver, "the-brook")
    driver = tables.driver
    tables.play("T1")
    driver.now += timedelta(days=1)
    timers = Timers(driver.service.desk, driver.service.queries, interval=0.01)
    timers.start()
    try:
        deadline = threading.Event()
        for _ in range(500):
            if tables.meter == 125_050:
                break
            deadline.wait(0.01)
    finally:
        timers.stop()
    assert tables.meter == 125_050


def problems_of(actions: Sequence[Callable[[], object]]) -> list[Exception]:
    """What goes wrong when all of these happen at once."""
    start, problems = threading.Barrier(len(actions)), list[Exception]()

    def act(action: Callable[[], object]) -> None:
        start.wait()
        try:
            action()
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=act, args=[action]) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def test_two_processes_add_a_day_once(new_driver_any_database: NewDriver) -> None:
    """Their clocks and the first wagers at both tables all come at the same moment."""
    tables = LinkedTables(new_driver_any_database, "the-brook")
    driver = tables.driver
    for table in ("T1", "T2"):
        tables.play(table)
    for number in range(1, 5):
        driver.now += timedelta(days=1)
        for table in ("T1", "T2"):
            tables.say(table, s.Cut, words="a new day, and its shoe")
        actions: list[Callable[[], object]] = []
        for table in ("T1", "T2"):
            desk = driver.another_service().desk
            bet = s.Bet(table=table, spot=1, stakes={tables.main: 10_00, tables.wager: tables.stake})
            actions += [partial(accrue_due, desk), partial(desk.do, bet, id=f"{number} {table}", actor="Dana")]
        assert problems_of(actions) == []
        for table in ("T1", "T2"):
            tables.say(table, s.Ready)
        for table in ("T1", "T2"):
            tables.play_on(table)
    days = [f"accrue/J/2026-03-{day:02}" for day in range(2, 6)]
    assert [name for name, *_ in accruals(driver)] == days
    assert tables.meter == 125_000 + 4 * 100
    assert sound(driver)


def test_the_doctor_names_the_days_that_are_not_added(new_driver_any_database: NewDriver) -> None:
    tables = LinkedTables(new_driver_any_database, "the-brook")
    driver = tables.driver

    def doctor() -> list[CheckResult]:
        store = Store(driver.address)
        installation = Installation(
            address=driver.address, store=store, catalog=shipped(), key=None, clock=lambda: driver.now
        )
        results = [result for result in examine(installation) if result.what == "daily accrual"]
        store.close()
        return results

    tables.play("T1")
    assert [result.mark for result in doctor()] == [Status.OK]
    driver.now += timedelta(days=2)
    (result,) = doctor()
    assert result.mark is Status.WARN
    assert result.sentence.startswith("the wagers of 2026-03-02 are not added to J yet; a running service adds them")
    accrue_due(driver.service.desk)
    assert [result.mark for result in doctor()] == [Status.OK]


def test_a_person_may_still_add_a_day_and_nobody_may_use_the_clocks_id(new_driver: NewDriver) -> None:
    tables = LinkedTables(new_driver, "the-brook")
    tables.play("T1")
    tables.driver.now += timedelta(days=1)
    request = s.House(request=j.AccrueDay(jackpot=JACKPOT, day=date(2026, 3, 2)))
    with pytest.raises(Refused, match="is no timer's id"):
        tables.driver.do(request, id="accrue/J/2026-03-02")
    tables.driver.do(request)
    assert accrue_due(tables.driver.service.desk) == []
    assert tables.meter == 125_050
