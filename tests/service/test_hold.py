"""The handle of a day and what was to be expected of it; the audit trail; jackpots in short."""

from concurrent.futures import Future
from datetime import date
from fractions import Fraction
from unittest.mock import Mock

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.jackpots import requests as j
from upcard.ledger.report import table_days
from upcard.odds.price import price
from upcard.service import commands as s
from upcard.service.day_handle import INSURANCE, MAIN, Handle, Handles
from upcard.service.expected_win import Solver, expected, side_wager
from upcard.service.meters import Meters
from upcard.workers.hold import MainHold
from upcard.workers.pool import WorkerLost
from upcard.workers.worker import JobFailed

CATALOG = shipped()
RULES = ruleset_of(CATALOG, "bet-bigger").hash
DAY = date(2026, 3, 2)
EVEN = MainHold(mean=0.005, variance=1.3, insurance_mean=0.07, insurance_variance=1.9)


def played(driver: TableDriver, stack_shoe: StackedShoe) -> None:
    """Two rounds, one of them void, and wagers that were taken back."""
    stack_shoe("Th 9c 9h 8d Th 9c 9h 8d")
    driver.sit("Ann")
    driver.bet("Ann", 1, 10_00, **{"Bet Bigger 1x": 10_00, "Match the Dealer": 5_00, "Break Bonus": 5_00})
    driver.say("Ann", s.ClearWagers, spot=1, wager="Break Bonus")
    driver.floor(s.Deal)
    driver.say("Ann", s.Stay, spot=1)
    driver.bet("Ann", 1, 5_00)
    driver.floor(s.Deal)
    driver.floor(s.Void, why="a card was seen")


def test_the_handle_excludes_wagers_taken_back_or_void(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    handles = Handles(driver.service.queries)
    driver.sit("Ann")
    assert handles.of("T1", DAY).made == {}
    driver.say("Ann", s.Leave)
    played(driver, stack_shoe)
    assert handles.of("T1", DAY).made == {(RULES, MAIN, 20_00): 1, (RULES, "Match the Dealer", 5_00): 1}
    assert handles.of("T1", DAY).made == Handles(driver.service.queries).of("T1", DAY).made
    assert handles.of("T1", date(2026, 3, 3)).made == {}


def test_insurance_is_counted_by_itself(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    stack_shoe("Th Ac 9h 8d")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.say("Ann", s.Insure, spot=1)
    driver.say("Ann", s.Stay, spot=1)
    assert Handles(driver.service.queries).of("T1", DAY).made == {(RULES, MAIN, 10_00): 1, (RULES, INSURANCE, 5_00): 1}


def test_insurance_taken_back_where_a_person_deals_is_not_counted_and_a_declined_one_never_was(
    new_driver: NewDriver,
) -> None:
    driver = new_driver(by_hand=True)
    driver.floor(s.PlaceShoe)
    driver.sit("Ann", "Bob")
    for spot, player in enumerate(("Ann", "Bob"), 1):
        driver.bet(player, spot)
    driver.floor(s.Deal)
    for card in ("Th", "8h", "Ac", "9h", "9d"):
        driver.floor(s.EnterCard, card=card)
    driver.floor(s.DeclineInsurance, spot=1)
    driver.floor(s.TakeBack)
    driver.floor(s.Insure, spot=1)
    driver.floor(s.TakeBack)
    driver.floor(s.Insure, spot=1)
    driver.floor(s.DeclineInsurance, spot=2)
    driver.floor(s.TakeBack)
    driver.floor(s.DeclineInsurance, spot=2)
    driver.floor(s.Deal)  # closes insurance
    driver.floor(s.Peek, blackjack=False)
    for spot in (1, 2):
        driver.floor(s.Stay, spot=spot)
    driver.floor(s.EnterCard, card="7d")
    driver.floor(s.Settle)
    assert Handles(driver.service.queries).of("T1", DAY).made == {(RULES, MAIN, 10_00): 2, (RULES, INSURANCE, 5_00): 1}


def test_a_round_over_the_end_of_a_gaming_day_is_of_the_day_it_is_booked_on(new_driver: NewDriver) -> None:
    driver = new_driver(by_hand=True)
    handles, next_day = Handles(driver.service.queries), date(2026, 3, 3)
    driver.floor(s.PlaceShoe)
    driver.sit("Ann")
    for hours in (1, 24):  # a round within the day, and one that ends after it
        driver.bet("Ann", 1)
        driver.floor(s.Deal)
        for card in ("Th", "9c", "9h"):
            driver.floor(s.EnterCard, card=card)
        driver.later(hours * 3600)
        assert handles.of("T1", next_day).made == {}
        driver.floor(s.Stay, spot=1)
        driver.floor(s.EnterCard, card="8d")
        driver.floor(s.Settle)
    for reader in (handles, Handles(driver.service.queries)):
        assert reader.of("T1", DAY).made == {(RULES, MAIN, 10_00): 1}
        assert reader.of("T1", next_day).made == {(RULES, MAIN, 10_00): 1}
    with driver.service.desk.book.look() as clerk:
        days = [table_days(clerk.unit, day)["T1"][1] for day in (DAY, next_day)]
    assert [(day.rounds, day.win) for day in days] == [(1, -10_00), (1, -10_00)]


@pytest.mark.parametrize("layout", ["bet-bigger", "lucky-ladies", "double-action"])
def test_a_side_wager_has_the_mean_and_variance_its_odds_have(layout: str) -> None:
    """Where no payout is capped: cents are a unit a hundred times a stake."""
    layout_ = CATALOG.layout(layout)
    for offered in layout_.wager:
        if not offered.paytable or offered.amount is not None:
            continue
        priced = price(CATALOG.paytables[offered.paytable], layout_.decks)
        mean, variance = side_wager(ruleset_of(CATALOG, layout), offered.name, 1000)
        assert mean == 1000 * priced.edge
        assert variance == Fraction(1000) ** 2 * priced.variance


def test_a_payout_cap_raises_what_the_house_should_win() -> None:
    """000: at most $1,000 is paid a hand, which a $10 wager at 100 to 1 just reaches."""
    priced = price(CATALOG.paytables["000 Lucky Ladies"], 6)
    assert side_wager(ruleset_of(CATALOG, "the-brook"), "Lucky Ladies", 10_00)[0] >= 1000 * priced.edge
    assert side_wager(ruleset_of(CATALOG, "the-brook"), "Lucky Ladies", 2_00)[0] == 200 * priced.edge


def test_the_interval_is_around_the_sum_of_the_means_and_grows_with_the_root() -> None:
    rules = ruleset_of(CATALOG, "bet-bigger")
    single_handle, hundred = Handle(), Handle()
    single_handle.made[rules.hash, MAIN, 10_00] = 1
    hundred.made[rules.hash, MAIN, 10_00] = 100
    single, many = (
        expected(lambda _: rules, handle, lambda _: EVEN, lambda *_: None) for handle in (single_handle, hundred)
    )
    assert single is not None
    assert many is not None
    assert many.mean == pytest.approx(100 * 0.005 * 1000)
    widths = [high - low for low, high in (single.interval, many.interval)]
    assert widths[1] == pytest.approx(10 * widths[0])
    assert sum(many.interval) / 2 == pytest.approx(many.mean)
    assert expected(lambda _: rules, single_handle, lambda _: None, lambda *_: None) is None


def test_main_games_are_solved_one_at_a_time_and_a_lost_job_is_sent_again() -> None:
    jobs: list[Future[MainHold]] = [Future() for _ in range(4)]
    submit = Mock(side_effect=jobs)
    mains = Solver(Mock(submit=submit))
    first, other = ruleset_of(CATALOG, "bet-bigger"), ruleset_of(CATALOG, "double-action")
    assert [mains.of(first), mains.of(other), mains.of(first)] == [None] * 3
    assert submit.call_count == 1
    jobs[0].set_exception(WorkerLost("killed"))
    assert mains.of(first) is None
    jobs[1].set_result(EVEN)
    assert [mains.of(first), mains.of(other)] == [EVEN, None]
    jobs[2].set_exception(JobFailed("it would fail again"))
    assert [mains.of(other), mains.of(first)] == [None, EVEN]
    assert submit.call_count == 3


def test_the_trail_lists_commands_and_refusals_newest_first(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    played(driver, stack_shoe)
    driver.later(1)
    driver.refused("Ann", s.Hit, spot=1)
    trail = driver.service.queries.trail("T1", most=3)
    assert [(row["command"]["do"], row["number"] is None) for row in trail][1:3] == [("void", False), ("deal", False)]
    assert (trail[0]["command"]["do"], trail[0]["refused"]) == ("hit", "NO_ROUND")
    assert [row["command"]["do"] for row in driver.service.queries.trail(house=True)] == ["house"]
    assert len(driver.service.queries.trail(most=500)) == driver.live.version + 2


def test_paging_through_the_trail_skips_no_record_of_the_same_time(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    driver = new_driver()
    played(driver, stack_shoe)  # all at one moment
    for _ in range(3):
        driver.later(1)
        driver.refused("Ann", s.Hit, spot=1)
        driver.say("Ann", s.Away)
        driver.say("Ann", s.Back)
    queries = driver.service.queries
    trail = queries.trail(most=500)
    for most in (1, 2, 4, 7):
        pages, before = [], "~"
        while page := queries.trail(before=before, most=most):
            pages += page
            before = page[-1]["at"]
        assert pages == trail


def test_the_jackpot_summary_shows_open_wins_and_paid_ones(new_driver: NewDriver) -> None:
    driver = new_driver("lucky-ladies-jackpot", jackpots={"Lucky Ladies": "LL"}, by_hand=True)
    meters = Meters(driver.service.desk.book)
    driver.floor(s.PlaceShoe)
    driver.sit("Ann")
    driver.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 10_00})
    driver.floor(s.Deal)
    for card in ("Qh", "Qh", "Qh"):
        driver.floor(s.EnterCard, card=card)
    driver.floor(s.Peek, blackjack=False)
    driver.floor(s.Stay, spot=1)
    driver.floor(s.EnterCard, card="8c")
    driver.floor(s.Settle)
    (row,) = meters.rows()
    (waiting,) = row["waiting"]
    assert (waiting["win"], waiting["amount"], row["last"]) == ("T1/1/MEGA", 10_000_00, [])
    driver.do(s.House(request=j.Verify(jackpot="LL", win="T1/1/MEGA")), actor="Vera")
    driver.do(s.House(request=j.PayWin(jackpot="LL", win="T1/1/MEGA")), actor="Jack")
    (row,) = meters.rows()
    assert row["waiting"] == []
    assert [(win["table"], win["round"], win["amount"]) for win in row["last"]] == [("T1", 1, 10_000_00)]
