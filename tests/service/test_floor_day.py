"""The floor's day: drop and win by the hour of the house, and ratings that add up to the hold of the day."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, one_round, play_on

from upcard.ledger.report import table_days
from upcard.service import commands as s
from upcard.service.day_report import GamingDays
from upcard.service.hours_and_ratings import FloorDays, Rating
from upcard.workers.pool import Workers

DaysOf = Callable[[TableDriver], FloorDays]

DAY = date(2026, 3, 2)  # the driver's clock starts at 13:00 in New York; a gaming day begins at 6:00
FIRST_HOUR = 7


@pytest.fixture
def days_of() -> Iterator[DaysOf]:
    workers = Workers()

    def make(driver: TableDriver) -> FloorDays:
        return FloorDays(driver.service, GamingDays(driver.service, workers).solver)

    yield make
    workers.stop()


def ratings(days: FloorDays, day: date = DAY) -> dict[str, Rating]:
    return {rating["player"]: rating for rating in days.ratings(day, None)["ratings"]}


def test_drop_and_win_are_in_their_hour_and_add_up_to_the_day(
    new_driver_any_database: NewDriver, days_of: DaysOf
) -> None:
    driver = new_driver_any_database("bet-bigger")
    days = days_of(driver)
    driver.sit("Ann")
    one_round(driver)
    driver.later(3700)
    driver.floor(s.BuyIn, player="Ann", amount=250_00)
    driver.say("Ann", s.Back)
    one_round(driver)
    of_day = days.hours(DAY, None)
    (line,) = of_day["tables"]
    assert len(of_day["starts"]) == 24
    assert of_day["starts"][0] == "2026-03-02T11:00:00.000000Z"  # six in New York
    assert [line["hours"][number]["rounds"] for number in (FIRST_HOUR, FIRST_HOUR + 1)] == [1, 1]
    assert [line["hours"][number]["drop"] for number in (FIRST_HOUR, FIRST_HOUR + 1)] == [1000_00, 250_00]
    with driver.service.desk.book.look() as clerk:
        _, of_book = table_days(clerk.unit, DAY)["T1"]
    assert (line["total"]["drop"], line["total"]["win"]) == (of_book.buy_ins, of_book.win)
    assert line["total"]["rounds"] == of_book.rounds
    assert of_day["together"]["total"] == line["total"]
    one_round(driver)  # read from the last record on
    assert days.hours(DAY, None)["together"]["total"]["rounds"] == of_book.rounds + 1


def test_a_rating_has_bets_time_and_the_result_of_the_book(
    new_driver: NewDriver, stack_shoe: StackedShoe, days_of: DaysOf
) -> None:
    stack_shoe("Ts Tc 6d Th 7c Td 9d")
    driver = new_driver("bet-bigger")
    days = days_of(driver)
    driver.sit("Ann", "Bob")
    before = driver.bankroll("Ann")
    for amount in (10_00, 5_00):
        driver.bet("Ann", 1, amount, **({"Break Bonus": 5_00} if amount == 10_00 else {}))
        driver.bet("Bob", 2)
        driver.floor(s.Deal)
        play_on(driver)
    ann = ratings(days)["Ann"]
    assert (ann["hands"], ann["average_bet"], ann["side"]) == (2, 7_50, 5_00)
    assert ann["won"] == driver.bankroll("Ann") - before
    assert (ann["bought_in"], ann["tables"]) == (1000_00, ["T1"])
    assert 0 < ann["seconds"] < 15 * 60
    assert ann["first_at"] < ann["last_at"]
    assert set(ratings(days)) == {"Ann", "Bob"}
    assert ratings(days, date(2026, 3, 1)) == {}


def test_a_void_round_rates_nobody(new_driver: NewDriver, days_of: DaysOf) -> None:
    driver = new_driver("bet-bigger")
    days = days_of(driver)
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.floor(s.Void, why="misdeal")
    assert ratings(days)["Ann"]["hands"] == 0
    assert days.hours(DAY, None)["together"]["total"]["rounds"] == 0


def test_a_long_pause_is_no_time_at_the_table(new_driver: NewDriver, days_of: DaysOf) -> None:
    driver = new_driver("bet-bigger")
    days = days_of(driver)
    driver.sit("Ann")
    one_round(driver)
    driver.now += timedelta(hours=3)
    one_round(driver)
    assert ratings(days)["Ann"]["seconds"] < 15 * 60
