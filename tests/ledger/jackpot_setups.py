"""Jackpots of each plan with a table that plays for them, and hands that win them."""

from datetime import date

import pytest
from ledger.book_driver import BookDriver, check_refusal

from upcard.ledger.book import Reader
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.statement import MeterMovement, history

GALAXY, LADIES = "Galaxy Bonus Jackpot", "Lucky Ladies Jackpot"
TOP = ("Bonus Jackpot", "1", "suited-three-aces")
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")
PART = (LADIES, "1/4", "queen-of-hearts-pair-with-suited-dealer-blackjack")
TODAY = date(2026, 3, 2)


def refused(driver: BookDriver, request: Record, reason: BookRefusal, *, actor: str = "Dana") -> None:
    with pytest.raises(BookRefused) as caught:
        driver.do(request, actor=actor)
    assert caught.value.reason is reason, caught.value
    check_refusal(caught.value)


def open_daily_jackpot(driver: BookDriver) -> None:
    """The jackpot BJ of 000, and the table T1 that plays for it."""
    driver.jackpot("BJ", "the-brook", GALAXY)
    driver.table("T1", "the-brook", BJ=GALAXY)


def open_posted_jackpot(driver: BookDriver) -> None:
    """The jackpot Q of 001, and the table T1 that plays for it."""
    driver.jackpot("Q", "lucky-ladies-jackpot", "Lucky Ladies")
    driver.table("T1", "lucky-ladies-jackpot", Q="Lucky Ladies")


def open_ladies_jackpot(driver: BookDriver, layout: str = "lucky-ladies-progressive") -> None:
    """The jackpot LL of 003, progressive or bonus by its layout, and the table T1 that plays for it."""
    driver.jackpot("LL", layout, LADIES)
    driver.table("T1", layout, LL=LADIES)


def progressive_state(driver: BookDriver) -> ProgressiveJackpot:
    state = driver.state("LL")
    assert isinstance(state, ProgressiveJackpot)
    return state


def movements(driver: BookDriver) -> list[MeterMovement]:
    """Every movement of the meters of the one jackpot there is."""
    return driver.read(lambda clerk: [move for name in _jackpots(clerk) for move in history(clerk.unit, name)])


def _jackpots(clerk: Reader) -> list[str]:
    return [chain.partition(":")[2] for chain in clerk.unit.chains() if chain.startswith("jackpot:")]
