"""The handle of a day and what was to be expected of it; the audit trail; jackpots in short."""

from concurrent.futures import Future
from datetime import date
from fractions import Fraction
from unittest.mock import Mock

import pytest
from service.conftest import NewEvening
from service.evening import Evening, Laid

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.jackpots import requests as j
from upcard.ledger.report import table_days
from upcard.odds.price import price
from upcard.service import commands as s
from upcard.service.expected_win import Solver, expected, side_wager
from upcard.service.handle import INSURANCE, MAIN, Handle, Handles
from upcard.service.meters import Meters
from upcard.workers.hold import MainHold
from upcard.workers.pool import WorkerLost
from upcard.workers.worker import JobFailed

CATALOG = shipped()
RULES = ruleset_of(CATALOG, "bet-bigger").hash
DAY = date(2026, 3, 2)
EVEN = MainHold(mean=0.005, variance=1.3, insurance_mean=0.07, insurance_variance=1.9)


def played(e: Evening, lay: Laid) -> None:
    """Two rounds, one of them void, and wagers that were taken back."""
    lay("Th 9c 9h 8d Th 9c 9h 8d")
    e.sit("Ann")
    e.bet("Ann", 1, 10_00, **{"Bet Bigger 1x": 10_00, "Match the Dealer": 5_00, "Break Bonus": 5_00})
    e.say("Ann", s.ClearWagers, spot=1, wager="Break Bonus")
    e.floor(s.Deal)
    e.say("Ann", s.Stay, spot=1)
    e.bet("Ann", 1, 5_00)
    e.floor(s.Deal)
    e.floor(s.Void, why="a card was seen")


def test_the_handle_counts_what_was_played_and_nothing_that_was_taken_back_or_void(
    evening: NewEvening, lay: Laid
) -> None:
    e = evening()
    handles = Handles(e.service.queries)
    e.sit("Ann")
    assert handles.of("T1", DAY).made == {}
    e.say("Ann", s.Leave)
    played(e, lay)
    assert handles.of("T1", DAY).made == {(RULES, MAIN, 20_00): 1, (RULES, "Match the Dealer", 5_00): 1}
    assert handles.of("T1", DAY).made == Handles(e.service.queries).of("T1", DAY).made
    assert handles.of("T1", date(2026, 3, 3)).made == {}


def test_insurance_is_counted_by_itself(evening: NewEvening, lay: Laid) -> None:
    e = evening()
    lay("Th Ac 9h 8d")
    e.sit("Ann")
    e.bet("Ann", 1)
    e.floor(s.Deal)
    e.say("Ann", s.Insure, spot=1)
    e.say("Ann", s.Stay, spot=1)
    assert Handles(e.service.queries).of("T1", DAY).made == {(RULES, MAIN, 10_00): 1, (RULES, INSURANCE, 5_00): 1}


def test_insurance_taken_back_where_a_person_deals_is_not_counted_and_a_declined_one_never_was(
    evening: NewEvening,
) -> None:
    e = evening(by_hand=True)
    e.floor(s.PlaceShoe)
    e.sit("Ann", "Bob")
    for spot, player in enumerate(("Ann", "Bob"), 1):
        e.bet(player, spot)
    e.floor(s.Deal)
    for card in ("Th", "8h", "Ac", "9h", "9d"):
        e.floor(s.EnterCard, card=card)
    e.floor(s.DeclineInsurance, spot=1)
    e.floor(s.TakeBack)
    e.floor(s.Insure, spot=1)
    e.floor(s.TakeBack)
    e.floor(s.Insure, spot=1)
    e.floor(s.DeclineInsurance, spot=2)
    e.floor(s.TakeBack)
    e.floor(s.DeclineInsurance, spot=2)
    e.floor(s.Peek, blackjack=False)
    for spot in (1, 2):
        e.floor(s.Stay, spot=spot)
    e.floor(s.EnterCard, card="7d")
    e.floor(s.Settle)
    assert Handles(e.service.queries).of("T1", DAY).made == {(RULES, MAIN, 10_00): 2, (RULES, INSURANCE, 5_00): 1}


def test_a_round_over_the_end_of_a_gaming_day_is_of_the_day_it_is_booked_on(evening: NewEvening) -> None:
    e = evening(by_hand=True)
    handles, next_day = Handles(e.service.queries), date(2026, 3, 3)
    e.floor(s.PlaceShoe)
    e.sit("Ann")
    for hours in (1, 24):  # a round within the day, and one that ends after it
        e.bet("Ann", 1)
        e.floor(s.Deal)
        for card in ("Th", "9c", "9h"):
            e.floor(s.EnterCard, card=card)
        e.later(hours * 3600)
        assert handles.of("T1", next_day).made == {}
        e.floor(s.Stay, spot=1)
        e.floor(s.EnterCard, card="8d")
        e.floor(s.Settle)
    for one in (handles, Handles(e.service.queries)):
        assert one.of("T1", DAY).made == {(RULES, MAIN, 10_00): 1}
        assert one.of("T1", next_day).made == {(RULES, MAIN, 10_00): 1}
    with e.service.desk.book.look() as clerk:
        booked = [table_days(clerk.unit, day)["T1"][1] for day in (DAY, next_day)]
    assert [(day.rounds, day.win) for day in booked] == [(1, -10_00), (1, -10_00)]


@pytest.mark.parametrize("layout", ["bet-bigger", "lucky-ladies", "double-action"])
def test_a_side_wager_has_the_mean_and_variance_its_odds_have(layout: str) -> None:
    """Where no payout is capped: cents are a unit a hundred times a stake."""
    found = CATALOG.layout(layout)
    for offered in found.wager:
        if not offered.paytable or offered.amount is not None:
            continue
        priced = price(CATALOG.paytables[offered.paytable], found.decks)
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
    one, hundred = Handle(), Handle()
    one.made[rules.hash, MAIN, 10_00] = 1
    hundred.made[rules.hash, MAIN, 10_00] = 100
    single, many = (expected(lambda _: rules, handle, lambda _: EVEN) for handle in (one, hundred))
    assert single is not None
    assert many is not None
    assert many.mean == pytest.approx(100 * 0.005 * 1000)
    widths = [high - low for low, high in (single.interval, many.interval)]
    assert widths[1] == pytest.approx(10 * widths[0])
    assert sum(many.interval) / 2 == pytest.approx(many.mean)
    assert expected(lambda _: rules, one, lambda _: None) is None


def test_main_games_are_solved_one_at_a_time_and_a_lost_one_is_asked_again() -> None:
    jobs: list[Future[MainHold]] = [Future() for _ in range(4)]
    submit = Mock(side_effect=jobs)
    mains = Solver(Mock(submit=submit))
    one, other = ruleset_of(CATALOG, "bet-bigger"), ruleset_of(CATALOG, "double-action")
    assert [mains.of(one), mains.of(other), mains.of(one)] == [None] * 3
    assert submit.call_count == 1
    jobs[0].set_exception(WorkerLost("killed"))
    assert mains.of(one) is None
    jobs[1].set_result(EVEN)
    assert [mains.of(one), mains.of(other)] == [EVEN, None]
    jobs[2].set_exception(JobFailed("it would fail again"))
    assert [mains.of(other), mains.of(one)] == [None, EVEN]
    assert submit.call_count == 3


def test_the_trail_tells_what_was_done_and_refused_newest_first(evening: NewEvening, lay: Laid) -> None:
    e = evening()
    played(e, lay)
    e.later(1)
    e.no("Ann", s.Hit, spot=1)
    trail = e.service.queries.trail("T1", most=3)
    assert [(row["command"]["do"], row["number"] is None) for row in trail][1:3] == [("void", False), ("deal", False)]
    assert (trail[0]["command"]["do"], trail[0]["refused"]) == ("hit", "NO_ROUND")
    assert [row["command"]["do"] for row in e.service.queries.trail(house=True)] == ["house"]
    assert len(e.service.queries.trail(most=500)) == e.live.version + 2


def test_the_trail_page_by_page_leaves_nothing_out_of_one_moment(evening: NewEvening, lay: Laid) -> None:
    e = evening()
    played(e, lay)  # all at one moment
    for _ in range(3):
        e.later(1)
        e.no("Ann", s.Hit, spot=1)
        e.say("Ann", s.Away)
        e.say("Ann", s.Back)
    queries = e.service.queries
    whole = queries.trail(most=500)
    for most in (1, 2, 4, 7):
        pages, before = [], "~"
        while page := queries.trail(before=before, most=most):
            pages += page
            before = page[-1]["at"]
        assert pages == whole


def test_jackpots_in_short_tell_what_waits_and_what_was_paid(evening: NewEvening) -> None:
    e = evening("lucky-ladies-jackpot", jackpots={"Lucky Ladies": "LL"}, by_hand=True)
    meters = Meters(e.service.desk.book)
    e.floor(s.PlaceShoe)
    e.sit("Ann")
    e.say("Ann", s.Bet, spot=1, stakes={"Ante": 10_00, "Lucky Ladies": 10_00})
    e.floor(s.Deal)
    for card in ("Qh", "Qh", "Qh"):
        e.floor(s.EnterCard, card=card)
    e.floor(s.Peek, blackjack=False)
    e.floor(s.Stay, spot=1)
    e.floor(s.EnterCard, card="8c")
    e.floor(s.Settle)
    (row,) = meters.rows()
    (waiting,) = row["waiting"]
    assert (waiting["win"], waiting["amount"], row["last"]) == ("T1/1/MEGA", 10_000_00, [])
    e.do(s.House(request=j.Verify(jackpot="LL", win="T1/1/MEGA")), actor="Vera")
    e.do(s.House(request=j.PayWin(jackpot="LL", win="T1/1/MEGA")), actor="Jack")
    (row,) = meters.rows()
    assert row["waiting"] == []
    assert [(one["table"], one["round"], one["amount"]) for one in row["last"]] == [("T1", 1, 10_000_00)]
