"""003's Bonus plan: its notice, changes of the posted amount, and denials."""

import pytest
from ledger.book_driver import BookDriver
from ledger.jackpot_setups import ALL, LADIES, PART, open_ladies_jackpot, refused

from upcard.catalog import shipped
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.terms import terms_of
from upcard.ledger.refusals import BookRefusal, BookRefused


def test_003_bonus_carries_its_notice_word_for_word_and_is_changed_at_any_time(driver: BookDriver) -> None:
    open_ladies_jackpot(driver, "lucky-ladies")
    state = driver.state("LL")
    assert isinstance(state, BonusJackpot)
    assert state.terms.notice.startswith("Bonus Jackpot prizes are paid by the casino and are not components of any")
    assert state.terms.notice.endswith("may be modified or discontinued at any time without prior notice.")
    driver.do(j.Post(jackpot="LL", values={LADIES: 5}))
    driver.do(j.Post(jackpot="LL", values={LADIES: 700_000}, seeds={LADIES: 600_000}))
    refused(driver, j.Post(jackpot="LL", values={"MEGA": 5}), BookRefusal.NO_SUCH_METER)
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": ALL})
    assert driver.meter("LL") == 600_000


def test_003_bonus_a_denied_win_restores_the_display(driver: BookDriver) -> None:
    open_ladies_jackpot(driver, "lucky-ladies")
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    assert driver.meter("LL") == 750_000
    driver.do(j.DenyWin(jackpot="LL", win="T1/1", why="no wager was on the sensor"))
    assert (driver.meter("LL"), driver.own("expense:LL")) == (1_000_000, 0)


def test_washington_requires_every_winner_of_a_house_jackpot_to_be_paid_in_full() -> None:
    layout = shipped().layout("lucky-ladies").model_copy(update={"readings": {"R14": "seat-order"}})
    with pytest.raises(BookRefused, match="Washington requires that every winner of a house jackpot is paid in full"):
        terms_of(shipped(), layout, LADIES)
