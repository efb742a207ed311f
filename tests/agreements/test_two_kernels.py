"""The lockstep kernel and the scalar kernel, dealing different cards, agree within the error: also with a cut card."""

import os

import pytest
from support.compiled_games import GAMES, compiled

from upcard.sim import chunk
from upcard.sim.executors import ThreadExecutor
from upcard.sim.run import Run, play
from upcard.sim.statistics import compute_statistics
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS = 1_000_000_000 if SOAK else 4_000_000
GAME_NAMES = list(GAMES.values()) if SOAK else ["lucky-ladies"]


@pytest.mark.parametrize("layout", GAME_NAMES)
def test_both_kernels_have_the_same_means_when_a_cut_card_ends_the_shoe(
    layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The effect of the cut card is a few hundredths of a percent; a billion rounds show it."""
    game = compiled(layout, Player(count=parse_count("hilo"), insures_from=3))
    together = Run(compiled=game, seed=1)
    play(together, ThreadExecutor(1), ROUNDS)
    monkeypatch.setattr(chunk, "has_lanes", lambda *_: False)
    alone = Run(compiled=game, seed=2)
    play(alone, ThreadExecutor(1), ROUNDS)
    wagers = (compute_statistics(game, run.sums).wagers for run in (together, alone))
    compared = {first.wager: (first.figure, second.figure) for first, second in zip(*wagers, strict=True)}
    assert compared.keys() == {*game.terms.wagers, "Insurance"}
    for name, (first, second) in compared.items():
        z = (first.mean - second.mean) / (first.stderr**2 + second.stderr**2) ** 0.5
        print(f"{layout}, {name}: {100 * first.mean:+.4f}% and {100 * second.mean:+.4f}%, z {z:+.2f}")
        assert abs(z) < 4, name
