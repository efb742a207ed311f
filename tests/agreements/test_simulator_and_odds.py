"""The simulator and the exact odds, which share nothing but the catalog, say the same within the error."""

import os

import pytest
from support.compiled_games import GAMES, best_chart, compiled

from upcard.sim.compare import compare
from upcard.sim.executors import ThreadExecutor
from upcard.sim.run import Run, play
from upcard.sim.statistics import compute_statistics
from upcard.strategy.player import Player

ROUNDS = 200_000_000 if os.environ.get("UPCARD_SOAK") else 4_000_000


@pytest.mark.parametrize("layout", [*GAMES.values(), "double-action-second-action"])
def test_every_wager_is_within_four_standard_errors_of_its_exact_value(layout: str) -> None:
    game = compiled(layout, Player(always_insures=True), chart=best_chart(layout), fresh=True)
    run = Run(compiled=game, seed=2026)
    play(run, ThreadExecutor(1), ROUNDS)
    compared = compare(game, compute_statistics(game, run.sums))
    assert {comparison.wager for comparison in compared} == {*game.terms.wagers, "Insurance"}
    for comparison in compared:
        assert comparison.z is not None
        assert abs(comparison.z) < 4, comparison
