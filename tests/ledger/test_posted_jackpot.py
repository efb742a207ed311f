"""001's plan: when posted values may be changed, and what a stake wins of them."""

from fractions import Fraction

import pytest
from ledger.book_driver import BookDriver
from ledger.jackpot_setups import TODAY, open_posted_jackpot, refused

from upcard.ledger.jackpots import requests as j
from upcard.ledger.refusals import BookRefusal, BookRefused


def test_001_is_changed_once_in_24_hours_never_during_a_hand_and_once_after_a_payout(driver: BookDriver) -> None:
    open_posted_jackpot(driver)
    post = j.Post(jackpot="Q", values={"MEGA": 1_100_000})
    driver.later(hours=23)
    refused(driver, post, BookRefusal.TOO_SOON)
    driver.later(hours=1)
    driver.do(post)
    number = driver.deal("T1", {"Ann": 1000}, "Lucky Ladies")
    driver.later(hours=24)
    driver.do(j.Post(jackpot="Q", values={"MEGA": 1_050_000}))
    assert driver.state("Q").values()["MEGA"] == 1_100_000  # until the hand is over
    claim = {"Ann": ("MEGA", "1", "three-queens-of-hearts")}
    driver.settle("T1", number, {"Ann": 1000}, "Lucky Ladies", claim)
    assert driver.state("Q").values()["MEGA"] == 1_050_000
    assert driver.state("Q").wins["T1/1/MEGA"].amount == 1_100_000
    refused(driver, post, BookRefusal.TOO_SOON)
    driver.pay("Q", "T1/1/MEGA")
    assert driver.state("Q").values()["MEGA"] == 1_000_000
    driver.do(j.Post(jackpot="Q", values={"MEGA": 1_200_000, "MINOR": 90_000}))
    refused(driver, post, BookRefusal.TOO_SOON)
    assert driver.state("Q").values() == {"MEGA": 1_200_000, "MAJOR": 500_000, "MINOR": 90_000}


def test_001_the_change_after_a_payout_replaces_the_next_one_once_24_hours_are_over(driver: BookDriver) -> None:
    open_posted_jackpot(driver)
    driver.hand("T1", {"Ann": 1000}, "Lucky Ladies", {"Ann": ("MEGA", "1", "three-queens-of-hearts")})
    driver.pay("Q", "T1/1/MEGA")
    driver.later(hours=24)
    post = j.Post(jackpot="Q", values={"MEGA": 1_100_000})
    driver.do(post)
    refused(driver, post, BookRefusal.TOO_SOON)
    driver.later(hours=23)
    refused(driver, post, BookRefusal.TOO_SOON)
    driver.later(hours=1)
    driver.do(post)


def test_001_a_paid_meter_is_reset_only_when_no_hand_is_running(driver: BookDriver) -> None:
    open_posted_jackpot(driver)
    driver.table("T2", "lucky-ladies-jackpot", Q="Lucky Ladies")
    driver.later(days=1)
    driver.do(j.Post(jackpot="Q", values={"MEGA": 1_100_000}))
    driver.hand("T1", {"Ann": 1000}, "Lucky Ladies", {"Ann": ("MEGA", "1", "three-queens-of-hearts")})
    number = driver.deal("T2", {"Bob": 500}, "Lucky Ladies")
    driver.pay("Q", "T1/1/MEGA")
    assert driver.state("Q").values()["MEGA"] == 1_100_000
    driver.settle("T2", number, {"Bob": 500}, "Lucky Ladies", {})
    assert driver.state("Q").values()["MEGA"] == 1_000_000


@pytest.mark.parametrize(("stake", "share"), [(500, "1"), (500, "1/4"), (1000, "1/2")])
def test_001_a_claim_is_exactly_the_share_for_its_stake(driver: BookDriver, stake: int, share: str) -> None:
    """Half for $5, all for $10."""
    open_posted_jackpot(driver)
    with pytest.raises(BookRefused) as caught:
        driver.hand("T1", {"Ann": stake}, "Lucky Ladies", {"Ann": ("MEGA", share, "three-queens-of-hearts")})
    assert caught.value.reason is BookRefusal.CLAIM_WITHOUT_WAGER
    line = driver.state("Q").trigger.lines[0]
    assert [line.share_at(amount) for amount in (500, 1000, 700)] == [Fraction(1, 2), 1, None]


def test_001_refuses_accrual_and_caps(driver: BookDriver) -> None:
    open_posted_jackpot(driver)
    refused(driver, j.AccrueDay(jackpot="Q", day=TODAY), BookRefusal.WRONG_PLAN)
    refused(driver, j.SetCap(jackpot="Q", cap=5), BookRefusal.WRONG_PLAN)
    refused(driver, j.Post(jackpot="Q", values={"MEGO": 5}), BookRefusal.TOO_SOON)
