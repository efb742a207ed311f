"""000's plan: when the fund grows, what happens while a win is verified, and after a denial."""

from datetime import date

from ledger.book_driver import BookDriver, misdeal
from ledger.jackpot_setups import GALAXY, TODAY, TOP, open_daily_jackpot, refused

from upcard.ledger import requests as r
from upcard.ledger.jackpots import requests as j
from upcard.ledger.refusals import BookRefusal


def test_000_grows_each_morning_by_a_tenth_of_yesterdays_wagers_on_it_only(driver: BookDriver) -> None:
    """000 F: 10% of the previous day's amount wagered on this side bet."""
    open_daily_jackpot(driver)
    driver.hand("T1", {"Ann": 500, "Bob": 500}, GALAXY)
    number = driver.deal("T1", {"Ann": 500}, GALAXY)
    driver.do(misdeal("T1", number))
    assert driver.meter("BJ") == 125_000
    refused(driver, j.AccrueDay(jackpot="BJ", day=TODAY), BookRefusal.DAY_NOT_OVER)
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    assert driver.meter("BJ") == 125_000 + 100  # the void hand does not count
    refused(driver, j.AccrueDay(jackpot="BJ", day=TODAY), BookRefusal.ACCRUED_ALREADY)


def test_000_a_missed_accrual_is_made_up_and_none_is_added_during_a_hand(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    driver.later(days=1)
    driver.hand("T1", {"Ann": 500, "Bob": 500}, GALAXY)
    driver.later(days=1)
    number = driver.deal("T1", {"Ann": 500}, GALAXY)
    refused(driver, j.AccrueDay(jackpot="BJ", day=date(2026, 3, 3)), BookRefusal.HAND_RUNNING)
    driver.settle("T1", number, {"Ann": 500}, GALAXY, {})
    driver.do(j.AccrueDay(jackpot="BJ", day=date(2026, 3, 3)))
    assert driver.meter("BJ") == 125_000 + 150


def test_000_is_stopped_while_a_win_is_verified_and_reseeded_when_it_is_paid(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    driver.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    driver.do(r.BuyIn(table="T1", player="Bob", amount=500))
    bet = r.PlaceStake(table="T1", round=2, spot=2, player="Bob", wager=GALAXY, amount=500)
    refused(driver, bet, BookRefusal.BEING_VERIFIED)
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    assert driver.meter("BJ") == 125_000  # that accrual belongs to the next fund
    driver.pay("BJ", "T1/1")
    assert driver.meter("BJ") == 125_000 + 50
    driver.do(bet)


def test_000_a_denied_win_restores_everything(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    driver.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    driver.do(j.DenyWin(jackpot="BJ", win="T1/1", why="the shoe held seven decks"))
    assert (driver.meter("BJ"), driver.own("expense:BJ"), driver.own("player:Ann")) == (125_050, 0, 0)
    refused(driver, j.PayWin(jackpot="BJ", win="T1/1"), BookRefusal.NO_SUCH_WIN)
    assert driver.check().sound
