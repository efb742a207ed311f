"""000's plan: when the fund grows, what happens while a win is verified, and after a denial."""

from datetime import date

import pytest
from ledger.book_driver import BookDriver, misdeal
from ledger.jackpot_setups import GALAXY, TODAY, TOP, movements, open_daily_jackpot, refused

from upcard.ledger import requests as r
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.outcome import Moment
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


def test_000_a_hand_is_never_dealt_before_the_accrual_of_the_days_before_it(driver: BookDriver) -> None:
    """Nobody asked for the accrual: it is made with the first deal of the day, day by day and in order."""
    open_daily_jackpot(driver)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    driver.later(days=1)
    driver.hand("T1", {"Ann": 500, "Bob": 500}, GALAXY)
    assert driver.meter("BJ") == 125_000 + 50
    driver.later(days=5)
    driver.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    assert [(move.reason, move.after) for move in movements(driver)] == [
        ("opened", 125_000), ("accrued", 125_050), ("accrued", 125_150)
    ]  # fmt: skip
    assert [win.amount for win in driver.state("BJ").wins.values()] == [125_150]
    assert driver.check().sound


def test_000_several_days_that_were_missed_are_accrued_one_by_one(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    state = driver.state("BJ")
    assert isinstance(state, DailyJackpot)
    missed = state.model_copy(update={"wagered": {"2026-03-02": 505, "2026-02-27": 1000}})
    assert missed.due(date(2026, 3, 2)) == [date(2026, 2, 27)]
    assert missed.due(date(2026, 3, 9)) == [date(2026, 2, 27), date(2026, 3, 2)]
    begin = j.BeginHand(jackpot="BJ", table="T1", round=1, stakes=(j.JackpotStake(spot=1, player="Ann", stake=500),))
    dealt = apply(missed, begin, Moment("a", 0, driver.at, date(2026, 3, 9), "Dana"), lambda _: None)
    assert [(move.after, move.carry) for move in dealt.movements] == [(125_100, "0"), (125_150, "1/2")]
    assert dealt.state.running["T1"].values == {"Bonus Jackpot": 125_150}


def test_the_check_finds_a_missing_accrual(driver: BookDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal in order, but by a program that forgets the morning."""
    open_daily_jackpot(driver)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    driver.later(days=1)
    with monkeypatch.context() as forgetful:
        forgetful.setattr(DailyJackpot, "due", lambda _state, _today: [])
        driver.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    assert [win.amount for win in driver.state("BJ").wins.values()] == [125_000]
    (finding,) = driver.check().findings
    assert str(finding).endswith("the daily accrual is missing before it")


def test_000_a_hand_in_play_keeps_its_value_and_its_wagers_count_with_the_next_day(driver: BookDriver) -> None:
    """It was dealt before the morning, and ends after the accrual."""
    open_daily_jackpot(driver)
    driver.table("T2", "the-brook", BJ=GALAXY)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    late = driver.deal("T2", {"Bob": 500}, GALAXY)
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    assert driver.meter("BJ") == 125_050
    driver.settle("T2", late, {"Bob": 500}, GALAXY, {"Bob": TOP})
    assert [win.amount for win in driver.state("BJ").wins.values()] == [125_000]
    driver.pay("BJ", "T2/1")
    assert driver.meter("BJ") == 125_000 + 50  # what was accrued after its deal is the next fund's
    driver.later(days=1)
    driver.hand("T1", {"Ann": 500}, GALAXY)
    assert driver.meter("BJ") == 125_050 + 50
    assert driver.check().sound


def test_000_a_hand_without_jackpot_wagers_does_not_delay_the_reseeding(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    driver.table("T2", "the-brook", BJ=GALAXY)
    driver.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    driver.deal("T2", {"Bob": 500}, "Ante")
    driver.pay("BJ", "T1/1")
    assert driver.state("BJ").stopped() is None


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
