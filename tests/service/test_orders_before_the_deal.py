"""Bets are down and no card is dealt: the floor's orders are taken, and what they return is the player's again."""

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events, one_round, play_on
from support.empty_books import KEYRING

from upcard.service import commands as s
from upcard.service.history_check import check


def sound(driver: TableDriver) -> None:
    """Every record done again gives the same events and money."""
    with driver.service.desk.book.look() as clerk:
        assert check(clerk.unit, KEYRING).findings == []


def test_a_minimum_posted_while_bets_are_down_binds_the_next_wager(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1, 5_00)
    driver.floor(s.PostMinimum, amount=10_00)
    assert driver.refused("Ben", s.Bet, spot=2, stakes={"Ante": 5_00})[0] == "BELOW_MINIMUM"
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 6_00})[0] == "BELOW_MINIMUM"
    driver.restart()
    driver.bet("Ben", 2, 10_00)
    driver.floor(s.Deal)
    assert driver.refused_floor(s.PostMinimum, amount=5_00)[0] == "ROUND_RUNNING"
    play_on(driver)
    stakes = [slip["stake"] for slip in driver.round(1)["slips"] if slip["wager"] == "Ante"]
    assert stakes == [5_00, 10_00]
    sound(driver)


def test_wagers_that_a_flat_bettor_may_not_make_come_back_with_the_order(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann", "Ben")
    driver.bet("Ben", 2)
    one_round(driver)
    before = driver.bankroll("Ann")
    driver.bet("Ben", 2)
    driver.bet("Ann", 1, 10_00, **{"Bet Bigger 2": 10_00, "Lucky Ladies": 5_00})
    driver.say("Ann", s.Ready)
    answer = driver.floor(s.NotifyFlatBet, player="Ann")
    assert events(answer) == ["flat-bet-notified", "wagers-cleared", "wagers-cleared"]
    assert driver.bankroll("Ann") == before - 10_00
    assert driver.live.ready == frozenset()  # they may bet again
    driver.restart()
    driver.say("Ben", s.Ready)
    driver.say("Ann", s.Ready)
    play_on(driver)
    assert {slip["wager"] for slip in driver.round(2)["slips"] if slip["spot"] == 1} <= {"Ante", "insurance/Ante"}
    sound(driver)


def test_another_main_wager_of_a_flat_bettor_takes_everything_back_and_ends_an_empty_round(
    new_driver: NewDriver,
) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann")
    one_round(driver)
    before = driver.bankroll("Ann")
    driver.bet("Ann", 1, 5_00, **{"Bet Bigger 2": 5_00})
    answer = driver.floor(s.NotifyFlatBet, player="Ann")
    assert events(answer) == ["flat-bet-notified", "wagers-cleared", "round-over"]
    assert driver.bankroll("Ann") == before
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 5_00})[0] == "FLAT_BET"
    driver.bet("Ann", 1, 10_00)
    sound(driver)


def test_the_first_wagers_of_a_shoe_stay_when_a_flat_bet_is_ordered_on_them(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook")
    driver.sit("Ann")
    driver.bet("Ann", 1, 5_00)
    assert events(driver.floor(s.NotifyFlatBet, player="Ann")) == ["flat-bet-notified"]
    driver.say("Ann", s.Ready)
    play_on(driver)
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[0] == "FLAT_BET"
    sound(driver)


def test_spots_are_given_up_with_the_wagers_on_them(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.say("Ann", s.Seat, spot=2)
    before = driver.bankroll("Ann")
    driver.bet("Ann", 1)
    driver.bet("Ann", 2)
    answer = driver.floor(s.AskToRelinquish, player="Ann")
    assert events(answer) == ["asked-to-relinquish", "wagers-cleared", "spot-left"]
    assert (driver.bankroll("Ann"), dict(driver.live.table.seats)) == (before - 10_00, {1: "Ann"})
    driver.restart()
    driver.say("Ben", s.Seat, spot=2)
    driver.floor(s.Deal)
    assert driver.refused_floor(s.AskToRelinquish, player="Ann")[0] == "ROUND_RUNNING"
    play_on(driver)
    sound(driver)


def test_a_round_ends_when_its_only_wager_was_on_a_spot_that_is_given_up(new_driver: NewDriver) -> None:
    driver = new_driver()
    driver.sit("Ann")
    driver.say("Ann", s.Seat, spot=2)
    driver.bet("Ann", 2)
    assert "round-over" in events(driver.floor(s.AskToRelinquish, player="Ann"))
    assert driver.live.table.round is None
    sound(driver)


def test_by_hand_orders_are_taken_after_no_more_bets_and_before_the_first_card(new_driver: NewDriver) -> None:
    """Bets that are closed play; the order holds from the next hand on."""
    driver = new_driver("the-brook", by_hand=True)
    driver.floor(s.PlaceShoe)
    driver.sit("Ann")
    driver.say("Ann", s.Seat, spot=2)
    for spot in (1, 2):
        driver.bet("Ann", spot, 5_00)
    driver.floor(s.Deal)
    driver.floor(s.PostMinimum, amount=10_00)
    driver.floor(s.NotifyFlatBet, player="Ann")
    assert driver.refused_floor(s.AskToRelinquish, player="Ann")[0] == "ROUND_RUNNING"
    driver.floor(s.EnterCard, card="Th")
    assert driver.refused_floor(s.PostMinimum, amount=5_00)[0] == "ROUND_RUNNING"
    for card in ("9h", "9c", "8h", "9s"):
        driver.floor(s.EnterCard, card=card)
    driver.floor(s.TakeBack)
    driver.floor(s.EnterCard, card="8s")
    for spot in (1, 2):
        driver.floor(s.Stay, spot=spot)
    driver.floor(s.EnterCard, card="9d")
    driver.floor(s.Settle)
    assert driver.live.table.posted_minimum == 10_00
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[0] == "FLAT_BET"
    sound(driver)


# --- insurance


def declined(driver: TableDriver, stack_shoe: StackedShoe) -> None:
    """Ann has declined insurance; Ben has not answered."""
    stack_shoe("Tc 8c As 9d 9h 7h")
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1)
    driver.bet("Ben", 2)
    driver.floor(s.Deal)
    driver.say("Ann", s.DeclineInsurance, spot=1)


@pytest.mark.parametrize("amount", [None, 3_00])
def test_a_player_who_declined_insurance_may_take_it_until_it_closes(
    new_driver: NewDriver, stack_shoe: StackedShoe, amount: int | None
) -> None:
    driver = new_driver()
    declined(driver, stack_shoe)
    before = driver.bankroll("Ann")
    driver.restart()
    driver.say("Ann", s.Insure, spot=1, amount=amount)
    assert driver.bankroll("Ann") == before - (amount or 5_00)
    assert driver.refused("Ann", s.DeclineInsurance, spot=1)[0] == "INSURANCE_ANSWERED"
    driver.say("Ben", s.DeclineInsurance, spot=2)
    assert driver.refused("Ben", s.Insure, spot=2)[0] == "NOT_NOW"
    play_on(driver)
    assert [slip["stake"] for slip in driver.round(1)["slips"] if slip["wager"] == "insurance/Ante"] == [amount or 5_00]
    sound(driver)


def test_the_timer_of_insurance_does_not_start_again_with_an_answer(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    driver = new_driver()
    declined(driver, stack_shoe)
    due = driver.live.due
    driver.say("Ann", s.Insure, spot=1)
    assert driver.live.due == due
    driver.later(60)
    assert driver.refused("Ben", s.Insure, spot=2)[0] == "NOT_NOW"


def test_by_hand_insurance_is_open_until_the_dealer_closes_it(new_driver: NewDriver) -> None:
    """000 C&E: the dealer closes the offer with a wave of the hand; no insurance is taken after it."""
    driver = new_driver(by_hand=True)
    driver.floor(s.PlaceShoe)
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    for card in ("Tc", "As", "9d"):
        driver.floor(s.EnterCard, card=card)
    driver.floor(s.DeclineInsurance, spot=1)
    assert driver.refused_floor(s.Peek, blackjack=True) == (
        "NOT_NOW",
        "not now: the table waits for the dealer to close insurance",
    )
    driver.floor(s.Insure, spot=1)
    driver.floor(s.TakeBack)
    driver.say("Ann", s.Insure, spot=1, amount=2_00)
    assert events(driver.floor(s.Deal)) == ["insurance-closed"]
    assert driver.refused_floor(s.Insure, spot=1)[0] == "NOT_NOW"
    driver.floor(s.TakeBack)  # the wave was a mistake
    driver.floor(s.Deal)
    driver.floor(s.Peek, blackjack=True)
    driver.floor(s.EnterCard, card="Kh")
    driver.floor(s.Settle)
    assert driver.bankroll("Ann") == 1000_00 - 10_00 + 4_00
    sound(driver)
