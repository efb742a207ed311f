"""A person's refusals are kept one by one up to a budget; more are counted, by code, in one row of the same chain."""

import time
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from service.desk_driver import DeskDriver
from support.empty_books import NewAddress

from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.whole_book_check import check_everything

BET = {"Ante": 10_00}
BUDGET = 5


@pytest.fixture
def driver(new_address: NewAddress) -> Iterator[DeskDriver]:
    """A house that keeps five refusals per person and minute, on both databases."""
    driver = DeskDriver(new_address(), refusals_per_minute=BUDGET)
    driver.open(Brook="the-brook", Creek="the-brook")
    yield driver
    with driver.store.view() as unit:
        report = check_everything(unit, driver.store.keyring)
    assert (report.findings, report.notes) == ((), ())
    driver.store.close()


def refused_rows(driver: DeskDriver) -> list[sa.Row[tuple[object, ...]]]:
    with driver.store.view() as unit:
        return list(unit.connection.execute(sa.select(schema.refusals).order_by(schema.refusals.c.number)))


def bet_without_a_seat(driver: DeskDriver, times: int, *, table: str = "Brook", actor: str = "Ann") -> set[str]:
    return {
        driver.refusal(s.Bet(table=table, spot=1, stakes=BET), actor=actor, role="player").reason for _ in range(times)
    }


def test_refusals_beyond_the_budget_are_counted(driver: DeskDriver) -> None:
    """One guest wrote 2,015 rows in 13 seconds."""
    assert bet_without_a_seat(driver, 200) == {"NOT_YOURS"}
    assert len(refused_rows(driver)) == BUDGET
    driver.refusal(s.Deal(table="Brook"), actor="Ann", role="player")
    driver.desk.store_refusal_counts(everything=True)
    rows = refused_rows(driver)
    assert [row.code for row in rows] == ["NOT_YOURS"] * BUDGET + ["MORE_REFUSALS"]
    trail = driver.queries.audit("Brook")["refused"][0]
    assert trail["actor"] == "Ann"
    assert {name: trail["details"][name] for name in ("count", "codes")} == {
        "count": 196,
        "codes": {"NOT_FOR_PLAYERS": 1, "NOT_YOURS": 195},
    }


def test_the_budget_is_one_per_person_and_fills_up_again(driver: DeskDriver) -> None:
    bet_without_a_seat(driver, 20)
    bet_without_a_seat(driver, 3, actor="Bob")
    assert len(refused_rows(driver)) == BUDGET + 3
    driver.later(seconds=60 / BUDGET)
    bet_without_a_seat(driver, 20)
    assert len(refused_rows(driver)) == BUDGET + 3 + 1


def test_other_tables_and_tables_that_do_not_exist_share_the_budget(driver: DeskDriver) -> None:
    for number in range(50):
        bet_without_a_seat(driver, 1, table="Creek")
        driver.refusal(s.Bet(table=f"No table {number}", spot=1, stakes=BET), actor="Ann", role="player")
    driver.desk.store_refusal_counts(everything=True)
    rows = refused_rows(driver)
    assert len(rows) == BUDGET + 2
    assert sorted(row.chain for row in rows if row.code == "MORE_REFUSALS") == ["refusals", "table:Creek"]


def test_a_kept_refusal_is_answered_again_and_a_counted_one_decided_anew(driver: DeskDriver) -> None:
    first = s.Bet(table="Brook", spot=1, stakes=BET)
    driver.refusal(first, id="kept", actor="Ann", role="player")
    bet_without_a_seat(driver, BUDGET)
    driver.refusal(first, id="counted", actor="Ann", role="player")
    driver.sit("Brook", "Ann", 1)
    assert driver.refusal(first, id="kept", actor="Ann", role="player").repeated
    driver.do(first, id="counted", actor="Ann", role="player")


def test_counts_are_stored_when_the_desk_stops_and_their_ids_are_reserved(driver: DeskDriver) -> None:
    driver.desk.start()
    bet_without_a_seat(driver, 2 * BUDGET)
    refused = driver.refusal(s.Deal(table="Brook"), id="refusals:mine", actor="Bob")
    driver.desk.stop()
    assert refused.reason == "BAD_COMMAND_ID"
    assert refused_rows(driver)[-1].code == "MORE_REFUSALS"


def test_counts_are_stored_after_a_minute_without_another_command(
    driver: DeskDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.service.refusal_budget.COUNT_SECONDS", 0.05)
    driver.desk.start()
    bet_without_a_seat(driver, 2 * BUDGET)
    until = time.monotonic() + 30
    while "MORE_REFUSALS" not in {row.code for row in refused_rows(driver)}:
        assert time.monotonic() < until, "they were never stored"
        time.sleep(0.02)
    driver.desk.stop()


FAILURES = (sa.exc.OperationalError("INSERT", None, Exception("disk full")), BadRequest("the key is gone"))


@pytest.mark.parametrize("error", FAILURES)
def test_counts_that_cannot_be_stored_are_stored_later(
    driver: DeskDriver, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    bet_without_a_seat(driver, 2 * BUDGET)
    with monkeypatch.context() as broken:

        def fail(*_: object) -> None:
            raise error

        broken.setattr("upcard.service.desk.chain_refusals", fail)
        driver.desk.store_refusal_counts(everything=True)
    assert len(refused_rows(driver)) == BUDGET
    driver.desk.store_refusal_counts(everything=True)
    assert len(refused_rows(driver)) == BUDGET + 1
