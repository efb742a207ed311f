"""The handle of a day and what was to be expected of it; the audit trail; jackpots in short."""

from concurrent.futures import Future
from datetime import date
from fractions import Fraction
from unittest.mock import Mock

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver
from support.shipped_prices import price

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.jackpots import requests as j
from upcard.ledger.report import table_days
from upcard.service import commands as s
from upcard.service.day_handle import Handle, Handles
from upcard.service.day_report import GamingDays
from upcard.service.expected_win import Expected, expected
from upcard.service.hold_solver import Solutions, Solver
from upcard.service.meters import Meters
from upcard.service.side_hold import side_wager
from upcard.service.trail import TrailFilter, read_trail
from upcard.units import Cents
from upcard.workers.hold import EVEN_MONEY, INSURANCE, MAIN, JointHold, MainHold
from upcard.workers.pool import WorkerLost
from upcard.workers.worker import JobFailed

CATALOG = shipped()
RULES = ruleset_of(CATALOG, "bet-bigger").hash
DAY = date(2026, 3, 2)
EVEN = MainHold(
    mean=0.005, insurance_mean=0.07, insurance_variance=1.9, even_money_mean=0.04, even_money_variance=-0.56
)
JOINT = JointHold(
    one_spot={(MAIN, MAIN): 1.3, (INSURANCE, MAIN): -0.6},
    two_spots={(MAIN, MAIN): 0.5, (INSURANCE, MAIN): -0.6, (INSURANCE, INSURANCE): 1.9},
    events={},
)


def solved(main: MainHold | None = EVEN, joint: JointHold | None = JOINT) -> Solutions:
    return Solutions(main=lambda _: main, joint=lambda _: joint, bonus=lambda *_: None)


def day(*rounds: list[dict[str, int]], solutions: Solutions | None = None) -> Expected | None:
    """What is expected of rounds with these stakes by spot."""
    rules, handle = ruleset_of(CATALOG, "bet-bigger"), Handle()
    for spots in rounds:
        handle.add_round(rules.hash, spots)
    return expected(lambda _: rules, handle, solutions or solved())


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


def test_insurance_is_counted_apart_from_the_main_wager(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    stack_shoe("Th Ac 9h 8d")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.say("Ann", s.Insure, spot=1)
    driver.say("Ann", s.Stay, spot=1)
    assert Handles(driver.service.queries).of("T1", DAY).made == {(RULES, MAIN, 10_00): 1, (RULES, INSURANCE, 5_00): 1}


def test_even_money_is_counted_with_the_stake_of_its_hand(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    stack_shoe("Th Ac As 8d")
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.floor(s.Deal)
    driver.say("Ann", s.TakeEvenMoney, spot=1)
    handle = Handles(driver.service.queries).of("T1", DAY)
    assert handle.made == {(RULES, MAIN, 10_00): 1, (RULES, EVEN_MONEY, 10_00): 1}
    assert handle.amount == 10_00


def test_the_stakes_of_a_round_are_kept_together(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    stack_shoe("Th 9h 9c 9h 8h 8d")
    driver.sit("Ann", "Bob")
    driver.bet("Ann", 1, 10_00, **{"Match the Dealer": 5_00})
    driver.bet("Bob", 2, 5_00)
    driver.floor(s.Deal)
    for player, spot in (("Ann", 1), ("Bob", 2)):
        driver.say(player, s.Stay, spot=spot)
    handle = Handles(driver.service.queries).of("T1", DAY)
    assert handle.spots == {(RULES, (("Match the Dealer", 5_00), (MAIN, 10_00))): 1, (RULES, ((MAIN, 5_00),)): 1}
    assert handle.products[RULES, MAIN, MAIN] == 2 * 10_00 * 5_00
    assert handle.products[RULES, "Match the Dealer", MAIN] == 5_00 * 5_00


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
        side = side_wager(ruleset_of(CATALOG, layout), offered.name, 1000)
        assert side.mean == pytest.approx(float(1000 * priced.edge), rel=1e-12)
        assert side.variance == pytest.approx(float(Fraction(1000) ** 2 * priced.variance), rel=1e-12)


def test_a_payout_cap_raises_what_the_house_should_win() -> None:
    """000: at most $1,000 is paid a hand, which a $10 wager at 100 to 1 just reaches."""
    priced = price(CATALOG.paytables["000 Lucky Ladies"], 6)
    assert side_wager(ruleset_of(CATALOG, "the-brook"), "Lucky Ladies", 10_00).mean >= float(1000 * priced.edge)
    least = side_wager(ruleset_of(CATALOG, "the-brook"), "Lucky Ladies", 2_00)
    assert least.mean == pytest.approx(float(200 * priced.edge), rel=1e-12)


def test_the_interval_is_around_the_sum_of_the_means_and_grows_with_the_root() -> None:
    single, many = day([{MAIN: 10_00}]), day(*[[{MAIN: 10_00}]] * 100)
    assert single is not None
    assert many is not None
    assert many.mean == pytest.approx(100 * 0.005 * 1000)
    assert single.interval is not None
    assert many.interval is not None
    widths = [high - low for low, high in (single.interval, many.interval)]
    assert widths[1] == pytest.approx(10 * widths[0])
    assert widths[0] == pytest.approx(2 * 1.959964 * 1000 * 1.3**0.5)
    assert sum(many.interval) / 2 == pytest.approx(many.mean)


def test_spots_of_one_round_vary_together_and_rounds_do_not() -> None:
    """s'Cs for each round: the stakes of two spots meet in the covariance of the main game."""
    together, apart = day([{MAIN: 10_00}, {MAIN: 20_00}]), day([{MAIN: 10_00}], [{MAIN: 20_00}])
    assert together is not None
    assert apart is not None
    assert apart.variance == pytest.approx(1.3 * (1000**2 + 2000**2))
    assert together.variance == pytest.approx(1.3 * (1000**2 + 2000**2) + 2 * 0.5 * 1000 * 2000)
    assert together.mean == pytest.approx(apart.mean)


def test_insurance_offsets_the_main_wager_of_its_own_spot_and_of_others() -> None:
    insured = day([{MAIN: 10_00, INSURANCE: 5_00}, {MAIN: 10_00}])
    assert insured is not None
    own = 1.3 * 2 * 1000**2 + 1.9 * 500**2
    assert insured.variance == pytest.approx(own + 2 * (0.5 * 1000**2 - 0.6 * 1000 * 500 - 0.6 * 1000 * 500))


def test_even_money_is_worth_what_insurance_of_the_blackjack_is() -> None:
    taken, declined = day([{MAIN: 10_00, EVEN_MONEY: 10_00}]), day([{MAIN: 10_00}])
    assert taken is not None
    assert declined is not None
    assert taken.mean - declined.mean == pytest.approx(0.04 * 1000)
    assert taken.variance == pytest.approx((1.3 - 0.56) * 1000**2)


def test_the_mean_is_known_before_the_range_and_the_main_game_before_the_mean() -> None:
    without_range = day([{MAIN: 10_00}], solutions=solved(joint=None))
    assert without_range == Expected(mean=5.0, variance=None)
    assert without_range.interval is None
    assert day([{MAIN: 10_00}], solutions=solved(main=None)) is None


def test_jackpots_of_the_house_count_at_their_meters_after_the_win() -> None:
    """001: MEGA at $10,000 is an expense of the house, not of the table's win."""
    rules, handle = ruleset_of(CATALOG, "lucky-ladies-jackpot"), Handle()
    handle.add_round(rules.hash, [{"Lucky Ladies": 5_00}])
    joint = JointHold(
        one_spot={}, two_spots={},
        events={(("Lucky Ladies", line.event),): line.chance for line in side_wager(rules, "Lucky Ladies", 5_00).lines},
    )  # fmt: skip
    win = expected(lambda _: rules, handle, solved(joint=joint))
    meters = {"Lucky Ladies": {"MEGA": 10_000_00, "MAJOR": 5_000_00, "MINOR": 1_000_00}}
    after = expected(lambda _: rules, handle, solved(joint=joint), meters)
    priced = price(CATALOG.paytables["001 Lucky Ladies"], 6, stake=Cents(5_00))
    dollars = {name: Fraction(cents, 100) for name, cents in meters["Lucky Ladies"].items()}
    assert win is not None
    assert after is not None
    assert win.mean == pytest.approx(500 * float(priced.edge))
    assert after.mean == pytest.approx(500 * float(priced.edge_at(dollars)))
    lines = side_wager(rules, "Lucky Ladies", 5_00).lines
    paid = {line.event: (line.share or ("MEGA", 0.0)) for line in lines}
    wins = {line.event: line.won - paid[line.event][1] * meters["Lucky Ladies"][paid[line.event][0]] for line in lines}
    square = sum(line.chance * wins[line.event] ** 2 for line in lines) + float(priced.loss) * 500**2
    assert after.variance == pytest.approx(square - after.mean**2, rel=0.001)


def test_main_games_are_solved_one_at_a_time_and_a_lost_job_is_sent_again() -> None:
    jobs: list[Future[MainHold]] = [Future() for _ in range(4)]
    submit = Mock(side_effect=jobs)
    mains = Solver(Mock(submit=submit))
    first, other = ruleset_of(CATALOG, "bet-bigger"), ruleset_of(CATALOG, "double-action")
    assert [mains.main(first), mains.main(other), mains.main(first)] == [None] * 3
    assert submit.call_count == 1
    jobs[0].set_exception(WorkerLost("killed"))
    assert mains.main(first) is None
    jobs[1].set_result(EVEN)
    assert [mains.main(first), mains.main(other)] == [EVEN, None]
    assert not mains.failed
    jobs[2].set_exception(JobFailed("it would fail again"))
    assert mains.failed
    assert [mains.main(other), mains.main(first)] == [None, EVEN]
    assert submit.call_count == 3


def test_the_trail_lists_commands_and_refusals_newest_first(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    played(driver, stack_shoe)
    driver.later(1)
    driver.refused("Ann", s.Hit, spot=1)
    trail = read_trail(driver.service.queries, TrailFilter(table="T1"), most=3)
    assert [(row["command"]["do"], row["number"] is None) for row in trail][1:3] == [("void", False), ("deal", False)]
    assert (trail[0]["command"]["do"], trail[0]["refused"]) == ("hit", "NO_ROUND")
    assert [row["command"]["do"] for row in read_trail(driver.service.queries, TrailFilter(house=True))] == ["house"]
    assert len(read_trail(driver.service.queries, most=500)) == driver.live.version + 2


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
    trail = read_trail(queries, most=500)
    for most in (1, 2, 4, 7):
        pages, before = [], "~"
        while page := read_trail(queries, before=before, most=most):
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


def test_awards_of_the_house_are_taken_off_the_win_until_they_are_denied(new_driver: NewDriver) -> None:
    """001: a locked MEGA costs the house $10,000, beside the table's win; denied, it costs nothing."""
    driver = new_driver("lucky-ladies-jackpot", jackpots={"Lucky Ladies": "LL"}, by_hand=True)
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
    waiting: Future[MainHold | JointHold] = Future()
    days = GamingDays(driver.service, Mock(submit=Mock(return_value=waiting)), "typical")
    hold = days.hold(DAY, "T1")
    assert (hold.skill, hold.solving, hold.ranging) == ("typical", True, False)
    assert hold.together.jackpots is not None
    assert (hold.together.jackpots.awarded, hold.together.jackpots.expected) == (10_000_00, None)
    assert hold.together.jackpots.win == hold.together.win - 10_000_00
    driver.do(s.House(request=j.DenyWin(jackpot="LL", win="T1/1/MEGA", why="a misdeal")), actor="Jack")
    after = days.hold(DAY, "T1").together
    assert after.jackpots is not None
    assert (after.jackpots.awarded, after.jackpots.win) == (0, after.win)


def test_the_console_says_that_only_the_range_is_missing(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = new_driver()
    played(driver, stack_shoe)
    solved_main, joint = Future[MainHold](), Future[JointHold]()
    solved_main.set_result(EVEN)
    days = GamingDays(driver.service, Mock(submit=Mock(side_effect=[solved_main, joint])))
    assert days.hold(DAY, None).solving  # the main game is asked for first, then the covariances
    hold = days.hold(DAY, None)
    assert (hold.solving, hold.ranging, hold.skill) == (False, True, "best")
    assert hold.together.expected is not None
    assert hold.together.interval is None
    assert hold.together.jackpots is None
    joint.set_result(JOINT)
    ready = days.hold(DAY, None)
    assert (ready.solving, ready.ranging) == (False, False)
    assert ready.together.interval is not None
    low, high = ready.together.interval
    assert low < (ready.together.expected or 0.0) < high


def test_a_first_round_that_goes_on_is_not_outside_the_range(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """Its side wager is lost and booked at the deal, and nothing was expected of it yet."""
    driver = new_driver()
    stack_shoe("Th 9c 8h 8d")
    driver.sit("Ann")
    driver.bet("Ann", 1, 10_00, **{"Match the Dealer": 5_00})
    driver.floor(s.Deal)
    main, joint = Future[MainHold](), Future[JointHold]()
    main.set_result(EVEN)
    joint.set_result(JOINT)
    days = GamingDays(driver.service, Mock(submit=Mock(side_effect=[main, joint])))
    hold = days.hold(DAY, None).together
    assert (hold.rounds, hold.win, hold.inside) == (0, 5_00, None)
    driver.end()
