"""Wagers of two spots in one round: against dealing the cards plainly, solving other shoes, and the simulator."""

from functools import cache
from math import perm, sqrt
from typing import Any

import numpy as np
import pytest
from support.cli_runner import upcard

from upcard.cards import HEARTS
from upcard.catalog import shipped
from upcard.odds.four_cards import DealResults
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.fixed_play import worth_without
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.rules import MainRules, from_game
from upcard.odds.main.solve import solve
from upcard.odds.two_spots import deal_products_against
from upcard.pit import open_table
from upcard.pit.terms import derive
from upcard.sim.covariance import MAIN, covariances
from upcard.strategy.chart import named
from upcard.units import Cents

ACE, NINE, TEN = 0, 8, 9  # places of values
LAYOUT, CHART = "double-action", "usual-surrender"


@cache
def rules() -> MainRules:
    return from_game(derive(open_table(shipped(), shipped().layout(LAYOUT))).rules)


@cache
def chart_play() -> ChartPlay:
    return solve(full_shoe(6), rules()).with_chart(named(CHART))


@cache
def shown() -> Any:  # what the command answers
    return upcard("odds", LAYOUT, "--chart", CHART, "--json").json


def test_two_wagers_on_the_deal_agree_with_dealing_four_cards_in_turn() -> None:
    """Two decks, one up card: every card comes from what the cards before it leave."""
    up, decks = 13, 2
    tables = [shipped().paytable(name) for name in ("002 Match the Dealer", "PT-FLT-TOP3-01")]
    results = [DealResults(table, table.kind, HEARTS, Cents(100), {}) for table in tables]  # type: ignore[arg-type]  # both read the deal
    left = np.full(52, float(decks))
    left[up] -= 1
    same = np.eye(52)
    second = np.maximum(left[None, :] - same, 0)
    plain = np.zeros((2, 2))
    nets = [np.broadcast_to(result.with_up(up)[:, :, 0], (52, 52)) for result in results]
    for first in range(52):
        third = np.maximum(left - same[first] - same, 0)  # [second, third]
        fourth = np.maximum(left - same[first] - same[:, None, :] - same[None, :, :], 0)  # [second, third, fourth]
        chances = left[first] * second[first][:, None, None] * third[:, :, None] * fourth
        for row, one in enumerate(nets):
            for column, other in enumerate(nets):
                plain[row, column] += np.einsum("s,tf,stf->", one[first], other, chances)
    plain /= 52 * perm(52 * decks - 1, 4)
    assert deal_products_against(results, decks, up, by_hole=False) == pytest.approx(plain, rel=1e-11)


@pytest.mark.parametrize("gone", [(TEN, TEN), (ACE, ACE), (4, NINE)])
def test_the_main_game_without_two_cards_is_that_of_the_shoe_without_them(gone: tuple[int, int]) -> None:
    """A chart decides by totals, so it plays the other shoe by the same decisions."""
    shoe = full_shoe(6).without(gone)
    worth, _ = worth_without(chart_play(), gone)
    ups = np.asarray(shoe.values) / shoe.cards
    assert worth @ ups == pytest.approx(solve(shoe, rules()).with_chart(named(CHART)).value, abs=1e-12)


def test_a_dealers_blackjack_takes_every_hand_but_a_blackjack() -> None:
    """An ace up, an ace and a ten gone: 22 aces and 95 tens are left among 309 cards."""
    _, lost = worth_without(chart_play(), (ACE, TEN))
    blackjack = 95 / 309
    assert lost[ACE] == pytest.approx(blackjack * (2 * 22 * 94 / (308 * 307) - 1), abs=1e-12)


def test_two_simulated_spots_vary_together_as_computed() -> None:
    """Match Madness reads the hole card, so spots often win it together: a correlation of 0.28."""
    names = [MAIN if wager["wager"] == "Blackjack" else wager["wager"] for wager in shown()["wagers"]]
    between = shown()["two_spots"]
    simulated = covariances(shipped(), shipped().layout(LAYOUT), named(CHART))
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if between["exact"][row][column]:
                off = simulated.two_spots[one, other] - between["covariance"][row][column]
                assert abs(off) < 4 * simulated.two_spot_errors[one, other], (one, other)
    marked = {
        (one, other)
        for row, one in enumerate(names)
        for column, other in enumerate(names)
        if not between["exact"][row][column]
    }
    assert marked == {(MAIN, MAIN), (MAIN, "Match Madness"), ("Match Madness", MAIN)}
    place = names.index("Match Madness")
    assert between["correlation"][place][place] == pytest.approx(0.2824, abs=1e-4)


def test_the_command_shows_spots_together() -> None:
    stakes = np.array([wager["stake"] for wager in shown()["wagers"]])
    one = stakes @ np.array(shown()["covariance"]) @ stakes
    between = stakes @ np.array(shown()["two_spots"]["covariance"]) @ stakes
    assert [row["spots"] for row in shown()["several_spots"]] == [1, 2, 3, 6]
    for row in shown()["several_spots"]:
        number = row["spots"]
        assert row["sd"] == pytest.approx(sqrt(number * one + number * (number - 1) * between))
        assert row["edge_percent"] == pytest.approx(shown()["total"]["edge_percent"])
        assert (row["sd_standard_error"] > 0) == (number > 1)
    main = shown()["two_spots"]["correlation"][0][0]
    error = shown()["two_spots"]["correlation_standard_error"][0][0]
    assert 0 < error < 0.003
    assert main == pytest.approx(0.3707, abs=4 * error)  # 2^24 rounds: a covariance of 0.49888 (error 0.00022)
