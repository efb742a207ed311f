"""Jackpots at a table: wins, missing jackpots and suspended ones."""

from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, play_on

from upcard.ledger.jackpots import requests as j
from upcard.service import commands as s

PROGRESSIVE = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}


def test_three_queens_of_hearts_win_the_posted_mega(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """001: ten dollars win all of the posted amount; a second person verifies it before it is paid."""
    stack_shoe("Qh Qh Qh Tc")
    driver = new_driver("lucky-ladies-jackpot", jackpots={"Lucky Ladies": "LL"})
    driver.sit("Ann", chips=100_00)
    driver.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 10_00})
    driver.say("Ann", s.Ready)
    play_on(driver)
    assert _claims(driver) == [("MEGA", "1")]
    _pay(driver, "LL")
    assert driver.bankroll("Ann") == 100_00 + 10_000_00  # the stakes come back too: 20 against 20 is a push


def test_queens_of_hearts_with_a_dealer_blackjack_of_hearts_win_the_progressive(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    """003 appendix D: all of the meter, as it stood at the deal; then it begins at its seed again."""
    stack_shoe("Qh Ah Qh Kh")
    driver = new_driver("lucky-ladies-progressive", jackpots=PROGRESSIVE)
    driver.sit("Ann", chips=100_00)
    driver.say("Ann", s.Bet, spot=1, stakes={"Blackjack": 10_00, "Lucky Ladies Jackpot": 1_00})
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.DeclineInsurance, spot=1)
    assert _claims(driver) == [("Lucky Ladies Jackpot", "1")]
    _pay(driver, "LL")
    assert driver.bankroll("Ann") >= 100_00 - 11_00 + 10_000_00


def test_a_jackpot_wager_needs_a_jackpot_to_play_for(new_driver: NewDriver) -> None:
    driver = new_driver("lucky-ladies-progressive")
    driver.sit("Ann")
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Blackjack": 10_00, "21+3 Jackpot": 1_00})[0] == "NOT_LINKED"


def test_a_suspended_jackpot_takes_no_wagers(new_driver: NewDriver) -> None:
    driver = new_driver("lucky-ladies-progressive", jackpots=PROGRESSIVE)
    driver.sit("Ann")
    driver.do(s.House(request=j.Suspend(jackpot="LL", why="the sign is dark")))
    stakes = {"Blackjack": 10_00, "Lucky Ladies Jackpot": 1_00}
    assert driver.refused("Ann", s.Bet, spot=1, stakes=stakes)[0] == "SUSPENDED"
    driver.do(s.House(request=j.Resume(jackpot="LL")))
    driver.say("Ann", s.Bet, spot=1, stakes=stakes)


def _claims(driver: TableDriver) -> list[tuple[str, str]]:
    slips = driver.round(1)["slips"]
    return [(slip["claim"]["jackpot"], slip["claim"]["share"]) for slip in slips if "claim" in slip]


def _pay(driver: TableDriver, jackpot: str) -> None:
    with driver.service.desk.book.look() as clerk:
        (win,) = clerk.jackpot(jackpot).wins
    driver.do(s.House(request=j.Verify(jackpot=jackpot, win=win)), actor="Vera")
    driver.do(s.House(request=j.PayWin(jackpot=jackpot, win=win)), actor="Paul")
