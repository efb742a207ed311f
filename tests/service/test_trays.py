"""Trays: the opener, the chips that move at a table dealt by hand, blind counts, and what is over or short."""

from collections.abc import Callable
from concurrent.futures import Future
from datetime import date
from unittest.mock import Mock

import pytest
from service.table_driver import TableDriver
from support.empty_books import NewAddress

from upcard.ledger.denominations import ChipCount
from upcard.ledger.report import TableDay, report
from upcard.service import commands as s
from upcard.service.day_report import GamingDays
from upcard.service.refusals import Refused

DAY = date(2026, 3, 2)
NewDriver = Callable[..., TableDriver]


@pytest.fixture
def by_hand(new_address: NewAddress) -> TableDriver:
    """A table with $5,000 in its tray, dealt by hand by Dan; Ann has a thousand dollars of its chips."""
    driver = TableDriver(new_address(), tray=5000_00, by_hand=True)
    for command in (
        s.LogOn(table="T1"),
        s.PlaceShoe(table="T1"),
        s.BuyIn(table="T1", player="Ann", amount=1000_00),
        s.Seat(table="T1", player="Ann", spot=1),
    ):
        dealer(driver, command)
    return driver


def dealer(driver: TableDriver, *commands: s.Command) -> None:
    for command in commands:
        driver.do(command, actor="Dan", role="dealer")


def play(driver: TableDriver, cards: str, *, stays: bool = True) -> None:
    """Ann bets $10; her cards, the dealer's up card between them, and the dealer's other cards."""
    first, up, second, *others = (s.EnterCard(table="T1", card=card) for card in cards.split())
    dealer(driver, s.Bet(table="T1", spot=1, stakes={"Ante": 10_00}), s.Deal(table="T1"), first, up, second)
    if stays:
        dealer(driver, s.Stay(table="T1", spot=1))
    dealer(driver, *others, s.Settle(table="T1"))


def tray(driver: TableDriver) -> int:
    with driver.service.desk.book.look() as reader:
        return reader.tray("T1")


def table_day(driver: TableDriver) -> TableDay:
    with driver.service.desk.book.look() as reader:
        (line,) = report(reader.unit, DAY).tables
    return line


def test_chips_sold_taken_and_paid_by_hand_change_the_expected_tray(by_hand: TableDriver) -> None:
    """The tray was expected to hold what it held before the play, however much was won."""
    assert tray(by_hand) == 4000_00  # Ann's chips came out of it
    play(by_hand, "Th 9d 7h Tc")  # 17 against 19
    assert tray(by_hand) == 4010_00
    play(by_hand, "Th 9d Ah 8c", stays=False)  # a blackjack
    assert tray(by_hand) == 3995_00
    play(by_hand, "Th 9d 9h Tc")  # a push
    assert tray(by_hand) == 3995_00
    assert by_hand.balance("win:T1") == -5_00
    assert by_hand.balance("drop:T1") == 1000_00
    by_hand.end()


def test_a_void_round_and_a_corrected_card_put_the_chips_back(by_hand: TableDriver) -> None:
    dealer(by_hand, s.Bet(table="T1", spot=1, stakes={"Ante": 10_00, "Match the Dealer": 5_00}), s.Deal(table="T1"))
    dealer(by_hand, *(s.EnterCard(table="T1", card=card) for card in ("Th", "7h", "9d")))
    assert tray(by_hand) == 4005_00  # no match: taken at once
    dealer(by_hand, s.CorrectCard(table="T1", number=3, card="7d"))
    assert tray(by_hand) < 4000_00  # a match after all
    by_hand.floor(s.Void, why="a misdeal")
    assert tray(by_hand) == 4000_00
    assert by_hand.balance("chips:T1") == 1000_00  # in Ann's hands
    by_hand.end()


def test_chips_sold_at_the_cage_are_not_the_tables(by_hand: TableDriver) -> None:
    by_hand.floor(s.BuyIn, player="Bob", amount=300_00, at_cage=True)
    by_hand.floor(s.CashOut, player="Bob", amount=100_00, at_cage=True)
    assert tray(by_hand) == 4000_00
    dealer(by_hand, s.CashOut(table="T1", player="Bob", amount=200_00))  # at the table
    assert tray(by_hand) == 4200_00
    line = table_day(by_hand)
    assert (line.buy_ins, line.cash_outs, line.chips) == (1300_00, 300_00, -800_00)
    by_hand.end()


def test_more_may_be_paid_by_hand_than_the_book_says_is_in_the_tray(new_address: NewAddress) -> None:
    """The dealer has paid already: the book follows, and the next count tells."""
    driver = TableDriver(new_address(), tray=0, by_hand=True)
    dealer(driver, s.LogOn(table="T1"), s.BuyIn(table="T1", player="Ann", amount=500_00))
    assert tray(driver) == -500_00
    driver.floor(s.Fill, amount=600_00)
    driver.floor(s.CloseTable, tray=100_00)
    driver.end()


def test_the_opening_tray_is_the_opener_and_no_fill(new_address: NewAddress) -> None:
    driver = TableDriver(new_address(), tray=5000_00)
    driver.floor(s.Fill, amount=200_00)
    line = table_day(driver)
    assert (line.opener, line.fills, line.closer) == (5000_00, 200_00, 5200_00)
    driver.end()


def test_a_count_is_blind_and_its_difference_has_its_own_account(by_hand: TableDriver) -> None:
    """A count of $6,400 less, booked with a stale reason, made the hold -912.93%."""
    play(by_hand, "Th 9d 7h Tc")
    dealer(by_hand, s.Leave(table="T1", player="Ann"))
    with pytest.raises(Refused) as refused:
        by_hand.floor(s.CloseTable, tray=4000_00)
    assert refused.value.reason == "TRAY_DIFFERS"
    assert "4010" not in str(refused.value.details) + refused.value.sentence.replace(",", "")
    by_hand.floor(s.CloseTable, tray=4000_00, why="two fives are missing")
    line = table_day(by_hand)
    assert (line.win, line.counted, line.closer) == (10_00, -10_00, 4000_00)
    workers = Mock(submit=Mock(return_value=Future()))
    (hold,) = GamingDays(by_hand.service, workers).hold(DAY, None).tables
    assert (hold.drop, hold.win) == (1000_00, 10_00)  # a hold of 1%, whatever was counted
    by_hand.end()


def test_chips_counted_by_denomination_make_the_amount(new_address: NewAddress) -> None:
    driver = TableDriver(new_address(), tray=0)
    chips = [ChipCount(denomination=100_00, count=4), ChipCount(denomination=25_00, count=4)]
    filled = driver.floor(s.Fill, amount=500_00, chips=chips)
    assert filled.told["table:T1"]["slip"] == 1  # type: ignore[typeddict-item]  # the answer of a table
    with pytest.raises(Refused) as refused:
        driver.floor(s.Fill, amount=499_00, chips=chips)
    assert (refused.value.reason, refused.value.sentence) == (
        "CHIPS_DIFFER",
        "the chips counted make $500, not $499: count again",
    )
    credited = driver.floor(s.Credit, amount=500_00, chips=chips)
    assert credited.told["table:T1"]["slip"] == 2  # type: ignore[typeddict-item]
    driver.end()


def test_a_table_that_is_dealt_otherwise_after_it_opens_again_keeps_its_tray(by_hand: TableDriver) -> None:
    dealer(by_hand, s.Leave(table="T1", player="Ann"))
    by_hand.floor(s.CloseTable, tray=4000_00)
    by_hand.floor(s.OpenTable, layout="bet-bigger", tray=4000_00)
    assert (tray(by_hand), by_hand.balance("tray:T1"), by_hand.balance("hand-tray:T1")) == (4000_00, 4000_00, 0)
    by_hand.floor(s.CloseTable, tray=4000_00)
    by_hand.floor(s.OpenTable, layout="bet-bigger", tray=4000_00, by_hand=True)
    assert (by_hand.balance("tray:T1"), by_hand.balance("hand-tray:T1")) == (0, 4000_00)
    by_hand.end()
