"""A wager that reads everything of the dealer's final hand: kernel, engine and exact odds say the same."""

import os
from itertools import islice

import pytest
from support.compiled_games import any_chart
from support.own_games import own_game

from upcard.catalog import Catalog
from upcard.sim.chunk import trace_chunk
from upcard.sim.compare import compare
from upcard.sim.compile import Compiled, compile_game
from upcard.sim.executors import ThreadExecutor
from upcard.sim.replay import replay
from upcard.sim.run import Run, play
from upcard.sim.statistics import compute_statistics
from upcard.strategy.chart import Chart, usual
from upcard.strategy.player import Player

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS = 40_000 if SOAK else 1_000
KINDS = """
[[kind]]
name = "dealer-end"
reads = "dealer hand"
[kind.events]
blackjack-against-blackjack = "blackjack and player has blackjack"
suited-blackjack = "blackjack and suited"
dealer-blackjack = "blackjack and up is A"
bust-of-a-blackjack = "bust and player has blackjack"
long-21 = "total is 21 and cards >= 4"
twenty = "total is 20"
low = "total <= 18 and up is 5-9"
bust-with-eights = "three eights"

[[kind]]
name = "not-after-30"
reads = "dealer hand"
lost_on_player_total = 30
events = { high = "total >= 20 and not player has blackjack", bust-of-six = "bust and up is 6" }
"""
PAYS = {
    "dealer-end": {
        "blackjack-against-blackjack": 40,
        "suited-blackjack": 30,
        "dealer-blackjack": 15,
        "bust-of-a-blackjack": 12,
        "long-21": 9,
        "twenty": 2,
        "low": 1,
        "bust-with-eights": 50,
    },
    "not-after-30": {"high": 2, "bust-of-six": 5},
}


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return Catalog(None, (own_game(tmp_path_factory.mktemp("house") / "own", kinds=KINDS, pays=PAYS),))


def compiled(catalog: Catalog, chart: Chart, *, spots: int = 1, fresh: bool = False) -> Compiled:
    assert catalog.problems() == ()
    return compile_game(catalog, catalog.layout("own"), chart, Player(), spots=spots, fresh=fresh)


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("chart", ["usual", "random"])
def test_the_kernel_finds_the_events_that_the_engine_finds(catalog: Catalog, chart: str, spots: int) -> None:
    game = compiled(catalog, usual() if chart == "usual" else any_chart(3), spots=spots)
    assert list(islice(replay(game, seed=11, rounds=ROUNDS), 1)) == []
    _, trace, _ = trace_chunk(game.program, 11, 0, 30_000)
    dealt = {game.classes.dealer_events[number][0] for number in set(trace.spots[:, :, 1].ravel().tolist())}
    assert dealt == {None, *PAYS["dealer-end"]}  # every event came


def test_the_simulator_finds_the_exact_price(catalog: Catalog) -> None:
    game = compiled(catalog, usual(), fresh=True)
    run = Run(compiled=game, seed=3)
    play(run, ThreadExecutor(1), 200_000_000 if SOAK else 1_000_000)
    compared = {comparison.wager: comparison.z for comparison in compare(game, compute_statistics(game, run.sums))}
    for wager in PAYS:
        z = compared[wager]
        assert z is not None
        assert abs(z) < 4, wager
