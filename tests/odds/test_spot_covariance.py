"""All wagers of a spot together, against enumerating deals, exact prices and the solved main game."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from support.cli_runner import upcard
from support.shipped_prices import price, terms_of

from upcard.cards import DECK, HEARTS, read_card
from upcard.catalog import shipped
from upcard.catalog.pays import Fixed
from upcard.engine.terms import Terms
from upcard.odds.dealer_hands import UP_NAMES, terms_at
from upcard.odds.exposure import exposure
from upcard.odds.four_cards import VALUE, BonusMeans, DealResults, deal_chances
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.rules import from_game
from upcard.odds.main.solve import solve
from upcard.odds.spot_covariance import SpotCovariance, spot_covariance
from upcard.pit import open_table
from upcard.pit.terms import derive
from upcard.units import Cents
from upcard.wagers import DealKind, Role

LAYOUTS = ("lucky-ladies-progressive", "double-action-second-action")


@cache
def terms_of_layout(slug: str) -> Terms:
    return derive(open_table(shipped(), shipped().layout(slug)))


@cache
def covariance(slug: str) -> SpotCovariance:
    return spot_covariance(terms_of_layout(slug))


def test_two_wagers_on_the_deal_agree_with_dealing_every_three_cards() -> None:
    """One deck: a sample of deals is classified one by one, and all of three different cards are summed plainly."""
    tables = [replace(shipped().paytable(name), decks=(1,)) for name in ("002 Match the Dealer", "PT-FLT-TOP3-01")]
    results = [DealResults(table, table.kind, HEARTS, Cents(100), {}) for table in tables]  # type: ignore[arg-type]  # both read the deal
    products = np.zeros((2, 2))
    for first in DECK:
        rows = np.array([np.broadcast_to(result.with_first(first), (52, 52, 52)) for result in results])
        products += np.einsum("isuh,jsuh,suh->ij", rows, rows, deal_chances(1, first))
    for first, second, up in permutations(DECK[::5], 3):
        for result in results:
            roles = {Role.FIRST: first, Role.SECOND: second, Role.UP: up}
            event = result.kind.classify(roles, tuple(result.table.lines))
            pay = None if event is None else result.table.lines[event]
            assert result.with_first(first)[second, up, 0] == (pay.units if isinstance(pay, Fixed) else -1)
    plain = sum(
        results[0].with_first(first)[second, up, 0] * results[1].with_first(first)[second, up, 0]
        for first, second, up in permutations(DECK, 3)
    )
    assert products[0, 1] == pytest.approx(plain / (52 * 51 * 50), abs=1e-9)
    exact = [float(price(table, 1).variance + price(table, 1).edge ** 2) for table in tables]
    assert np.diag(products) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("slug", LAYOUTS)
def test_every_wager_has_its_own_mean_and_deviation(slug: str) -> None:
    """A wager that is made after the peek counts nothing in rounds in which the dealer has blackjack."""
    terms, together = terms_of_layout(slug), covariance(slug)
    solution = solve(full_shoe(terms.decks), from_game(terms.rules))
    for name, mean, deviation in zip(together.names, together.means, together.deviations, strict=True):
        wager = terms.wagers[name]
        if wager.paytable is None:
            assert mean == pytest.approx(solution.optimum.value, abs=1e-12)
            continue
        deal = isinstance(wager.kind, DealKind)
        table = wager.paytable
        exact = price(table, terms.decks, suit=wager.suit, terms=None if deal else terms_at(terms, wager))
        made = 1.0 if deal or not terms_at(terms, wager).after_peek else 1 - 2 * 24 * 96 / (312 * 311)
        square = made * float(exact.variance + exact.edge**2)
        assert mean == pytest.approx(-made * float(exact.edge), abs=1e-12)
        assert deviation == pytest.approx(sqrt(square - mean**2), abs=1e-9)
    assert together.matrix == pytest.approx(together.matrix.T, abs=1e-12)
    assert np.linalg.eigvalsh(together.matrix).min() > -1e-9


def test_a_bonus_on_the_dealers_hand_has_its_exact_mean_after_any_two_cards_of_the_player() -> None:
    """Suits and all: two hearts in the player's hand make a suited bust in hearts a little rarer."""
    table = shipped().paytable("PT-FLT-BB-01")
    means = BonusMeans(table, 6, terms_of(table))
    for first, second in (("Ah", "9h"), ("8s", "8s"), ("Kc", "2d")):
        cards = read_card(first), read_card(second)
        by_upcard = price(table, 6, removed=cards).by_upcard
        deals = deal_chances(6, cards[0])[cards[1]]  # [up, hole]
        results = means.with_first(cards[0])[cards[1]] * deals
        for up, name in enumerate(UP_NAMES):
            of_up = up == VALUE
            aces, tens = VALUE == 0, VALUE == 9
            blackjack = (aces[:, None] & tens) | (tens[:, None] & aces)
            made = deals[of_up][~blackjack[of_up]].sum()
            assert results[of_up].sum() / made == pytest.approx(-float(by_upcard[name].edge), abs=1e-12)


def test_exposure_counts_every_spot_and_each_meter_once() -> None:
    terms = terms_of_layout("lucky-ladies-progressive")
    meters = {"Lucky Ladies Jackpot": Fraction(10_000), "21+3 Jackpot": Fraction(5_000)}
    lost = exposure(terms, 6, meters)
    assert lost.by_wager["Blackjack"] == 8 * terms.main.most  # four hands, doubled
    assert lost.spot == sum(lost.by_wager.values())
    assert lost.round == 6 * lost.spot
    assert lost.table == lost.round + 1_500_000


def test_the_command_shows_a_whole_round_as_it_is_simulated() -> None:
    """2e7 simulated rounds, a new shoe each: a deviation of $26.07, and a correlation of 0.374 with Break Bonus."""
    data = upcard("odds", "002", "--chart", "usual", "--json").json
    names, total = [wager["wager"] for wager in data["wagers"]], data["total"]
    stakes = np.array([wager["stake"] for wager in data["wagers"]])
    assert total["sd"] == pytest.approx(sqrt(stakes @ np.array(data["covariance"]) @ stakes))
    assert total["sd"] == pytest.approx(26.07, abs=0.02)
    ante = data["correlation"][names.index("Ante")]
    assert ante[names.index("Bet Bigger 3x")] == pytest.approx(1)
    assert ante[names.index("Break Bonus")] == pytest.approx(0.374, abs=0.002)
    assert {band["rounds"] for band in total["hold_bands"]} >= {200, 1_000_000}
    assert data["exposure"]["round"] == 6 * data["exposure"]["spot"]


def test_a_layout_takes_no_options_of_a_paytable() -> None:
    refused = upcard("odds", "double-action", "--decks", "6")
    assert refused.code == 2
    assert "takes --chart, --meter, --json and --csv only" in refused.err
