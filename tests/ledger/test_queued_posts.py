"""Posted values (001, 003 Bonus) while wagers are on the felt: a change waits until those are decided."""

from typing import Any

import pytest
from ledger.book_driver import BookDriver, misdeal
from ledger.book_requests import answer_of
from ledger.jackpot_setups import ALL, LADIES, PART, movements, open_ladies_jackpot, open_posted_jackpot, refused

from upcard.ledger import requests as r
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.refusals import BookRefusal, BookRefused

MEGA = {"Ann": ("MEGA", "1", "three-queens-of-hearts")}
TO_A_DOLLAR = j.Post(jackpot="Q", values={"MEGA": 100})
WAGER = "Lucky Ladies"


def posted(driver: BookDriver, jackpot: str = "Q") -> HousePosted:
    state = driver.state(jackpot)
    assert isinstance(state, HousePosted)
    return state


def two_tables(driver: BookDriver) -> None:
    """T1 and T2 play for Q, which may be changed."""
    open_posted_jackpot(driver)
    driver.table("T2", "lucky-ladies-jackpot", Q=WAGER)
    driver.later(days=1)


def bet(driver: BookDriver, table: str, player: str, *, wager: str = WAGER, amount: int = 1000) -> str:
    """A stake on spot 1; returns its id."""
    number = driver.state_of_table(table).rounds + 1
    driver.do(r.BuyIn(table=table, player=player, amount=amount))
    stake = r.PlaceStake(table=table, round=number, spot=1, player=player, wager=wager, amount=amount)
    driver.do(stake, id=f"{table}/{number}/{player}")
    return f"{table}/{number}/{player}"


def bet_refused(driver: BookDriver, table: str, player: str) -> BookRefused:
    with pytest.raises(BookRefused) as caught:
        bet(driver, table, player)
    assert caught.value.reason is BookRefusal.CHANGE_WAITS
    return caught.value


def test_001_a_stake_on_the_felt_plays_for_what_was_posted_when_it_was_placed(driver: BookDriver) -> None:
    """$10,000 is lowered to $1 between the bet and the deal: the win is $10,000."""
    two_tables(driver)
    bet(driver, "T1", "Ann")
    receipt = driver.do(TO_A_DOLLAR)
    answer: Any = answer_of(receipt, "jackpot:Q")
    assert (answer["meters"]["MEGA"], answer["queued"]) == (1_000_000, {"MEGA": 100})
    driver.do(r.LockRound(table="T1", round=1))
    driver.settle("T1", 1, {"Ann": 1000}, WAGER, MEGA)
    assert posted(driver).wins["T1/1/MEGA"].amount == 1_000_000
    assert posted(driver).values()["MEGA"] == 100
    assert driver.check().sound


def test_001_while_a_change_waits_no_linked_table_takes_a_new_wager_on_the_jackpot(driver: BookDriver) -> None:
    two_tables(driver)
    bet(driver, "T1", "Ann")
    driver.do(TO_A_DOLLAR)
    refusal = bet_refused(driver, "T2", "Bob")
    assert str(refusal) == (
        "Q takes no new wagers for a moment: new values are posted when the wagers at T1 are decided; "
        "bet on it again after that"
    )
    bet(driver, "T2", "Cy", wager="Ante")  # other wagers are taken
    for table in ("T1", "T2"):
        driver.do(r.LockRound(table=table, round=1))
    assert posted(driver).closed() is not None  # Ann's hand is in play
    driver.settle("T1", 1, {"Ann": 1000}, WAGER, {})
    assert posted(driver).values()["MEGA"] == 100  # the hand at T2 began later, and has no wager for it
    bet(driver, "T1", "Ann")
    assert driver.check().sound


@pytest.mark.parametrize("how", ["taken back", "void before the deal", "void after the deal"])
def test_001_wagers_that_are_returned_are_not_waited_for(driver: BookDriver, how: str) -> None:
    two_tables(driver)
    stake = bet(driver, "T1", "Ann")
    driver.do(TO_A_DOLLAR)
    if how == "taken back":
        driver.do(r.ClearStake(table="T1", stake=stake))
    else:
        if how == "void after the deal":
            driver.do(r.LockRound(table="T1", round=1))
        driver.do(misdeal("T1", 1))
    assert posted(driver).values()["MEGA"] == 100
    assert driver.check().sound


def test_001_a_change_waits_for_every_table_that_had_wagers_down(driver: BookDriver) -> None:
    two_tables(driver)
    first, second = bet(driver, "T1", "Ann"), bet(driver, "T2", "Bob")
    driver.do(TO_A_DOLLAR)
    driver.do(r.ClearStake(table="T1", stake=first))
    assert posted(driver).queued is not None
    refusal = bet_refused(driver, "T1", "Ann")
    assert refusal.details["tables"] == ["T2"]
    driver.do(r.ClearStake(table="T2", stake=second))
    assert (posted(driver).queued, posted(driver).values()["MEGA"]) == (None, 100)


def test_001_a_hand_without_jackpot_wagers_is_waited_for_if_it_is_in_play(driver: BookDriver) -> None:
    """001: never in the middle of any game play."""
    two_tables(driver)
    number = driver.deal("T1", {"Ann": 1000}, "Ante")
    driver.do(TO_A_DOLLAR)
    assert posted(driver).values()["MEGA"] == 1_000_000
    driver.settle("T1", number, {"Ann": 1000}, "Ante", {})
    assert posted(driver).values()["MEGA"] == 100


def test_001_the_24_hours_count_from_when_a_queued_change_is_posted(driver: BookDriver) -> None:
    two_tables(driver)
    number = driver.deal("T1", {"Ann": 1000}, WAGER)
    driver.do(TO_A_DOLLAR)
    driver.later(hours=3)
    driver.settle("T1", number, {"Ann": 1000}, WAGER, {})
    driver.later(hours=22)
    refused(driver, j.Post(jackpot="Q", values={"MEGA": 1_000_000}), BookRefusal.TOO_SOON)
    driver.later(hours=2)
    driver.do(j.Post(jackpot="Q", values={"MEGA": 1_000_000}))


def test_001_a_queued_change_is_withdrawn_and_only_one_waits_at_a_time(driver: BookDriver) -> None:
    two_tables(driver)
    refused(driver, j.WithdrawPost(jackpot="Q"), BookRefusal.NO_CHANGE_QUEUED)
    number = driver.deal("T1", {"Ann": 1000}, WAGER)
    driver.do(TO_A_DOLLAR)
    refused(driver, TO_A_DOLLAR, BookRefusal.CHANGE_QUEUED)
    driver.do(j.WithdrawPost(jackpot="Q"))
    bet(driver, "T2", "Bob")
    driver.settle("T1", number, {"Ann": 1000}, WAGER, {})
    assert posted(driver).values()["MEGA"] == 1_000_000
    assert driver.check().sound


def test_001_the_statement_names_who_ordered_a_queued_change(driver: BookDriver) -> None:
    two_tables(driver)
    number = driver.deal("T1", {"Ann": 1000}, WAGER)
    driver.do(TO_A_DOLLAR, actor="Jack", id="lower it")
    driver.later(hours=1)
    driver.settle("T1", number, {"Ann": 1000}, WAGER, {})
    change = movements(driver)[-1]
    assert (change.reason, change.after, change.actor, change.command) == ("posted", 100, "Jack", "lower it")


def test_001_a_paid_meter_is_not_reset_under_a_stake_on_the_felt(driver: BookDriver) -> None:
    """The reset waits like a posted change, and the wager is closed for that moment only."""
    two_tables(driver)
    driver.do(j.Post(jackpot="Q", values={"MEGA": 1_500_000}))
    driver.hand("T1", {"Ann": 1000}, WAGER, MEGA)
    bet(driver, "T2", "Bob")
    driver.pay("Q", "T1/1/MEGA")
    assert posted(driver).values()["MEGA"] == 1_500_000
    bet_refused(driver, "T1", "Ann")
    driver.do(r.LockRound(table="T2", round=1))
    driver.settle("T2", 1, {"Bob": 1000}, WAGER, {"Bob": MEGA["Ann"]})
    assert posted(driver).wins["T2/1/MEGA"].amount == 1_500_000
    assert posted(driver).values()["MEGA"] == 1_000_000
    bet(driver, "T1", "Ann")


def test_001_a_payout_that_changes_no_value_closes_no_wager(driver: BookDriver) -> None:
    two_tables(driver)
    driver.hand("T1", {"Ann": 1000}, WAGER, MEGA)
    bet(driver, "T2", "Bob")
    driver.pay("Q", "T1/1/MEGA")
    bet(driver, "T1", "Ann")


def test_003_bonus_a_change_waits_for_the_wagers_on_the_felt(driver: BookDriver) -> None:
    open_ladies_jackpot(driver, "lucky-ladies")
    bet(driver, "T1", "Ann", wager=LADIES, amount=100)
    driver.do(j.Post(jackpot="LL", values={LADIES: 5}, seeds={LADIES: 7}))
    driver.do(r.LockRound(table="T1", round=1))
    driver.settle("T1", 1, {"Ann": 100}, LADIES, {"Ann": PART})
    assert posted(driver, "LL").wins["T1/1"].amount == 250_000
    assert driver.meter("LL") == 5
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": ALL})
    assert driver.meter("LL") == 7
    assert driver.check().sound


def test_003_bonus_a_win_at_another_table_does_not_lower_what_a_stake_on_the_felt_plays_for(
    driver: BookDriver,
) -> None:
    """Bob bet when $10,000 was shown; Cy after Ann had won a quarter of it."""
    open_ladies_jackpot(driver, "lucky-ladies")
    driver.table("T2", "lucky-ladies", LL=LADIES)
    bet(driver, "T2", "Bob", wager=LADIES, amount=100)
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    driver.do(r.BuyIn(table="T2", player="Cy", amount=100))
    driver.do(r.PlaceStake(table="T2", round=1, spot=2, player="Cy", wager=LADIES, amount=100))
    driver.do(r.LockRound(table="T2", round=1))
    driver.settle("T2", 1, {"Bob": 100, "Cy": 100}, LADIES, {"Bob": PART, "Cy": PART})
    awards = {award.player: award.amount for award in posted(driver, "LL").wins["T2/1"].awards}
    assert awards == {"Bob": 250_000, "Cy": 187_500}
    assert driver.meter("LL") == 750_000 - 187_500
    assert driver.check().sound


def test_a_stake_on_another_wager_or_plan_writes_no_more_rows_than_before(driver: BookDriver) -> None:
    two_tables(driver)
    open_ladies_jackpot_beside(driver)
    for wager, table, amount, entries in (
        ("Ante", "T1", 1000, {"table:T1"}),
        (WAGER, "T1", 1000, {"table:T1", "jackpot:Q"}),
        (LADIES, "P1", 100, {"table:P1"}),
    ):
        driver.do(r.BuyIn(table=table, player="Ann", amount=amount))
        stake = r.PlaceStake(table=table, round=1, spot=1, player="Ann", wager=wager, amount=amount)
        assert driver.do(stake).answers.keys() == entries


def open_ladies_jackpot_beside(driver: BookDriver) -> None:
    driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
    driver.table("P1", "lucky-ladies-progressive", LL=LADIES)
