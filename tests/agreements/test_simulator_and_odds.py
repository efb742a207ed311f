"""The simulator and the exact odds, which share nothing but the catalog, say the same within the error."""

import os

import pytest
from support.compiled_games import GAMES, best_chart, compiled

from upcard.odds.dealer_hands import terms_at
from upcard.odds.main.lost_price import price_lost
from upcard.odds.main.rules import from_game
from upcard.odds.price import price
from upcard.sim.charts import chart_named
from upcard.sim.compare import TOTAL, compare
from upcard.sim.executors import ThreadExecutor
from upcard.sim.run import Run, play
from upcard.sim.statistics import compute_statistics
from upcard.strategy.player import Player

LOST: list[tuple[str, str, dict[str, str]]] = [
    ("bet-bigger", "Break Bonus", {"R6": "lost"}),
    ("bet-bigger", "Break Bonus", {"R6": "lost", "R1": "stand", "R2": "not-offered"}),
    ("lucky-ladies", "Bust Bonus", {"R6": "lost"}),
    ("lucky-ladies", "Bust Bonus", {"R6": "lost", "R9": "before-peek"}),
]

ROUNDS = 200_000_000 if os.environ.get("UPCARD_SOAK") else 4_000_000


@pytest.mark.parametrize("layout", [*GAMES.values(), "double-action-second-action"])
def test_every_wager_is_within_four_standard_errors_of_its_exact_value(layout: str) -> None:
    game = compiled(layout, Player(always_insures=True), chart=best_chart(layout), fresh=True)
    run = Run(compiled=game, seed=2026)
    play(run, ThreadExecutor(1), ROUNDS)
    compared = compare(game, compute_statistics(game, run.sums))
    *wagers, together = compared
    assert {comparison.wager for comparison in wagers} == {*game.terms.wagers, "Insurance"}
    assert (together.wager, together.exact) == (TOTAL, None)  # how much is insured depends on the cards
    for comparison in wagers:
        assert comparison.z is not None
        assert abs(comparison.z) < 4, comparison


@pytest.mark.parametrize("readings", [{"R1": "stand"}, {"R1": "literal", "R2": "not-offered"}])
def test_other_readings_of_the_main_game_change_the_wagers_on_the_dealers_hand_too(readings: dict[str, str]) -> None:
    game = compiled("bet-bigger", fresh=True, readings=readings)
    run = Run(compiled=game, seed=7)
    play(run, ThreadExecutor(1), ROUNDS)
    compared = compare(game, compute_statistics(game, run.sums))
    assert all(comparison.z is not None and abs(comparison.z) < 4 for comparison in compared), compared


@pytest.mark.parametrize(("layout", "wager", "readings"), LOST)
def test_a_wager_that_is_lost_with_the_hand_has_its_price(layout: str, wager: str, readings: dict[str, str]) -> None:
    """R6: mean and variance per wager made, by the best chart of the rules."""
    rules = from_game(compiled(layout, readings=readings).terms.rules)
    game = compiled(layout, chart=chart_named("best", rules, 6), fresh=True, readings=readings)
    run = Run(compiled=game, seed=1)
    play(run, ThreadExecutor(1), ROUNDS)
    figure, offered = run.figure(wager), game.terms.wagers[wager]
    assert offered.paytable is not None
    dealer = terms_at(game.terms, offered)
    live = price(offered.paytable, 6, terms=dealer)
    lost = price_lost(offered.paytable, rules, dealer, live, late=offered.late, variance=True)
    assert lost.variance is not None
    assert abs(figure.mean + lost.edge) < 4 * figure.stderr
    assert figure.stderr * figure.made**0.5 == pytest.approx(lost.variance**0.5, rel=0.05)
    assert lost.edge > float(live.edge) + 0.1
