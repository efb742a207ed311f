"""The floor's range of the win holds 95 of 100 days that the simulator plays, for every layout and any number of spots.

`make test` plays a sample; `make soak` plays 10,000 days of every layout with 1, 3 and 6 spots.
"""

import os
from itertools import combinations_with_replacement

import numpy as np
import pytest
from support.compiled_games import best_chart
from support.hold_days import expected_win, house_wins, random_days, solutions, table
from support.shipped_prices import price

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.odds.spot_covariance import spot_covariance
from upcard.service.win_range import central_range
from upcard.sim.covariance import joint_events
from upcard.wagers import DealKind
from upcard.workers.hold import MAIN, solve_joint

SOAK = bool(os.environ.get("UPCARD_SOAK"))
DAYS = 10_000 if SOAK else 2_500
ALL = [(name, spots, rounds) for name in sorted(shipped().layouts) for spots in (1, 3, 6) for rounds in (200, 2_000)]
SAMPLE = [("bet-bigger", 3, 200), ("lucky-ladies", 1, 200)]  # spots that share a dealer; pays that are rare
COVARIANCE_ROUNDS = 1 << 19 if SOAK else 1 << 17


@pytest.mark.parametrize(("layout", "spots", "rounds"), ALL if SOAK else SAMPLE)
def test_the_range_holds_95_of_100_days(layout: str, spots: int, rounds: int) -> None:
    compiled = table(layout, spots)
    wins = house_wins(compiled, rounds, DAYS)
    interval = expected_win(compiled, rounds, solutions(layout, COVARIANCE_ROUNDS)).interval
    assert interval is not None
    covered = float(np.mean((wins >= interval[0]) & (wins <= interval[1])))
    print(f"{layout}, {spots} spots, {rounds} rounds: {100 * covered:.2f}% of {DAYS} days")
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("layout", sorted(shipped().layouts) if SOAK else ["bet-bigger"])
def test_the_range_holds_days_with_changing_stakes_wagers_and_insurance(layout: str) -> None:
    """Every spot bets something else in every round, insures or not, and makes some of the wagers."""
    days = random_days(layout, solutions(layout, COVARIANCE_ROUNDS), days=2_000 if SOAK else 200, rounds=40)
    covered = sum(low <= win <= high for win, (low, high) in days) / len(days)
    assert (0.93 if SOAK else 0.90) <= covered <= (0.97 if SOAK else 0.99)


def test_a_range_without_rare_pays_is_that_of_a_normal_curve() -> None:
    low, high = central_range(100.0, 400.0, {})
    assert (low, high) == pytest.approx((100 - 1.959964 * 20, 100 + 1.959964 * 20), abs=1e-6)


@pytest.mark.parametrize("expected_hits", [0.02, 0.5, 3.0, 40.0])
def test_a_range_with_a_rare_pay_is_that_of_sampled_days(expected_hits: float) -> None:
    chance = np.random.default_rng(1)
    hits = chance.poisson(expected_hits, 400_000)
    days = chance.normal(0.0, 10.0, 400_000) - 100.0 * (hits - expected_hits)
    low, high = central_range(0.0, 100 + expected_hits * 100.0**2, {-100.0: expected_hits})
    assert float(np.mean(days < low)) == pytest.approx(0.025, abs=0.0015)
    assert float(np.mean(days > high)) == pytest.approx(0.025, abs=0.0015)


def test_a_jackpot_that_nobody_will_see_does_not_widen_the_range() -> None:
    low, high = central_range(0.0, 100 + 1e-6 * 1e6**2, {-1e6: 1e-6})
    assert (low, high) == pytest.approx((1 - 19.6, 1 + 19.6), abs=0.01)


def test_wagers_that_win_on_one_hand_have_their_joint_chances() -> None:
    """003: a straight flush wins 21+3 Xtreme and the 21+3 Jackpot; each event alone has its exact chance."""
    terms = table("lucky-ladies", 1).terms
    events = joint_events(terms)
    for name, wager in terms.wagers.items():
        if wager.paytable is None or not isinstance(wager.kind, DealKind):
            continue
        for line in price(wager.paytable, terms.decks, suit=wager.suit).lines:
            chance = sum(chance for won, chance in events.items() if (name, line.event) in won)
            assert chance == pytest.approx(float(line.probability), abs=1e-12)
    both = [won for won in events if {"21+3 Xtreme", "21+3 Jackpot"} <= {name for name, _ in won}]
    assert both


def test_simulated_covariances_on_one_spot_agree_with_the_exact_ones() -> None:
    terms = table("bet-bigger", 1).terms
    exact = spot_covariance(terms, chart=best_chart("bet-bigger"))
    joint = solve_joint(ruleset_of(shipped(), "bet-bigger").text, "best")
    names = {terms.main.name: MAIN, "Match the Dealer": "Match the Dealer", "Break Bonus": "Break Bonus"}
    for first, second in combinations_with_replacement(names, 2):
        rows, columns = exact.names.index(first), exact.names.index(second)
        deviations = (exact.matrix[rows, rows] * exact.matrix[columns, columns]) ** 0.5
        simulated = joint.one_spot[names[first], names[second]]
        assert (simulated - exact.matrix[rows, columns]) / deviations == pytest.approx(
            0.0, abs=0.06
        )  # Break Bonus pays rarely and much
