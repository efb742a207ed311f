"""000-C2 and C3, 001-C1 and C3, 002-C1 and C2: a gaming day begins with verified and shuffled decks."""

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from service.conftest import NewDriver
from service.table_driver import TableDriver, events, one_round

from upcard.service import commands as s
from upcard.service import schema
from upcard.service.new_day_shoes import NewDayShoes
from upcard.service.refusals import Refused

A_DAY = timedelta(days=1)


def records(driver: TableDriver) -> list[tuple[str, list[str]]]:
    """Each record of the table, oldest first: its command and its events."""
    query = sa.select(schema.history).where(schema.history.c.stream.like("table:%")).order_by(schema.history.c.number)
    with driver.service.desk.store.view() as unit:
        rows = unit.connection.execute(query).all()
    return [(json.loads(row.command)["do"], [event["event"] for event in json.loads(row.events)]) for row in rows]


def refused_bet(driver: TableDriver) -> str:
    bet = s.Bet(table="T1", spot=1, stakes={"Ante": 10_00})
    with pytest.raises(Refused) as refused:
        driver.service.desk.do(bet, id=f"bet-{driver.live.version}", actor="Ann", role="player")
    return f"{refused.value.reason}: {refused.value}"


def test_the_first_bet_of_a_day_waits_for_a_new_shoe(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    driver.sit("Ann")
    one_round(driver)
    shoe = driver.live.shoe
    driver.now += A_DAY
    sentence = "a new gaming day has begun: the shoe was changed, so place your wagers again"
    assert refused_bet(driver) == f"NEW_GAMING_DAY: {sentence}"
    assert driver.live.shoe == shoe + 1
    assert records(driver)[-1] == (
        "end-shoe-of-day",
        ["shoe-ended", "gaming-day-began", "decks-verified", "shoe-revealed", "shoe-committed"],
    )
    assert "shoe-begun" in events(driver.bet("Ann", 1))


def test_a_player_who_sits_down_in_the_morning_can_bet_at_once(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    driver.sit("Ann")
    one_round(driver)
    driver.now += A_DAY
    driver.floor(s.BuyIn, player="Bob", amount=100_00)
    driver.say("Bob", s.Seat, spot=2)
    assert [do for do, _ in records(driver)].count("end-shoe-of-day") == 1
    assert "shoe-begun" in events(driver.bet("Bob", 2))


def test_a_round_over_midnight_is_finished_and_then_the_shoe_ends(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    shoe = driver.live.shoe
    driver.now += A_DAY
    driver.say("Ann", s.Ready)
    while driver.live.table.round is not None:
        driver.later(60)
    assert driver.live.shoe == shoe
    driver.say("Ann", s.Cut, words="luck")
    assert driver.live.shoe == shoe + 1


def test_a_shoe_continues_within_a_gaming_day(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    driver.sit("Ann")
    one_round(driver)
    shoe = driver.live.shoe
    driver.now += timedelta(hours=2)
    driver.bet("Ann", 1)
    assert driver.live.shoe == shoe


def test_the_clock_changes_the_shoe_of_a_quiet_table_once_in_two_processes(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    driver.sit("Ann")
    one_round(driver)
    driver.now += A_DAY
    for service in (driver.service, driver.another_service()):
        service.desk.live(driver.live.name)
        NewDayShoes(service.desk).run()
    assert [do for do, _ in records(driver)].count("end-shoe-of-day") == 1
    driver.restart()
    assert "shoe-begun" in events(driver.bet("Ann", 1))


def test_a_dealer_is_asked_to_verify_and_shuffle(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger", by_hand=True)
    driver.sit("Ann")
    driver.floor(s.PlaceShoe)
    driver.bet("Ann", 1)
    driver.say("Ann", s.ClearWagers, spot=1)
    driver.now += A_DAY
    assert refused_bet(driver).startswith("NEW_GAMING_DAY")
    assert records(driver)[-1] == ("end-shoe-of-day", ["shoe-ended", "gaming-day-began", "decks-to-verify"])
    assert refused_bet(driver) == "NO_SHOE: the shoe is over: shuffle first"
