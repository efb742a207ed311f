"""The figures, worked out once more from every single round."""

from collections import defaultdict
from math import exp, sqrt

import numpy as np
import pytest
from support.compiled_games import compiled

from upcard.settlement.slips import insured_wager
from upcard.sim.chunk import ChunkResult, trace_chunk
from upcard.sim.compile import Compiled
from upcard.sim.distribution import distribution_of
from upcard.sim.figures import Statistics
from upcard.sim.kernel import SPLITS
from upcard.sim.replay import expected, split_hands_of
from upcard.sim.statistics import compute_statistics, result_name
from upcard.sim.sums import Sums, net_of
from upcard.strategy.counting import parse_count
from upcard.strategy.player import HIGHEST_COUNT, LOWEST_COUNT, Player, RampStep, WagerRule

ROUNDS = 6_000
BETTOR = Player(
    count=parse_count("hilo"),
    ramp=(RampStep(since=0, times=2), RampStep(since=2, times=5)),
    rules={"Top 3": WagerRule(since=1)},
    insures_from=1,
)


def played(game: Compiled) -> tuple[Statistics, ChunkResult, dict[str, list[tuple[int, int, int]]]]:
    """The statistics, and of every wager the net, the stake and the true count of each round it was made in."""
    tallied, trace, _ = trace_chunk(game.program, 12, 0, ROUNDS)
    sums = Sums.empty(game.program)
    sums.add(tallied)
    splits = split_hands_of(trace)
    rounds: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for number in range(ROUNDS):
        plan, column = int(trace.rounds[number, 2]), int(trace.rounds[number, 3])
        net: dict[str, int] = defaultdict(int)
        stake: dict[str, int] = defaultdict(int)
        for (_, wager, hand), worth in expected(game, trace, number, plan, splits).items():
            name = "Insurance" if insured_wager(wager) is not None else wager
            net[name] += worth.net
            net["total"] += worth.net
            stake[name] += worth.stake if hand is None else 0
        for name, amount in game.spread.bets[plan].items():
            stake["total"] += amount * game.spots
            if game.terms.wagers[name].is_main:
                stake[name] = amount * game.spots
        for name in net:
            rounds[name].append((net[name], stake[name], column + game.low))
    return compute_statistics(game, sums), tallied, rounds


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("player", [Player(always_insures=True), BETTOR], ids=["flat", "by count"])
def test_means_and_errors_are_those_of_the_single_rounds(player: Player, spots: int) -> None:
    game = compiled("lucky-ladies", player, spots=spots)
    statistics, tallied, rounds = played(game)
    figures = {wager.wager: wager.figure for wager in statistics.wagers} | {"total": statistics.total.figure}
    assert set(figures) == set(rounds)
    for name, figure in figures.items():
        net, stake = (np.array([values[place] for values in rounds[name]], dtype=float) for place in (0, 1))
        mean = net.sum() / stake.sum()
        assert figure.net == int(net.sum())
        assert figure.staked == int(stake.sum())
        assert figure.mean == pytest.approx(mean)
        assert figure.stderr == pytest.approx(sqrt(((net - mean * stake) ** 2).sum()) / stake.sum(), rel=1e-6)
    everything = np.array([values[0] for values in rounds["total"]], dtype=float)
    assert statistics.total.sd == pytest.approx(everything.std())
    assert statistics.total.net == net_of(game.program, tallied)


def test_figures_by_true_count_are_those_of_the_rounds_at_it() -> None:
    game = compiled("lucky-ladies", BETTOR)
    statistics, _, rounds = played(game)
    for wager in statistics.wagers:
        assert sum(figure.made for figure in wager.by_count.values()) == wager.figure.made
        for true, figure in wager.by_count.items():
            assert LOWEST_COUNT <= true <= HIGHEST_COUNT
            assert figure.net == sum(net for net, _, at in rounds[wager.wager] if at == true)


def test_main_and_side_results_are_counted_together() -> None:
    game = compiled("lucky-ladies-jackpot")
    statistics, tallied, _ = played(game)
    ladies = next(wager for wager in statistics.wagers if wager.wager == "Lucky Ladies")
    joint = ladies.with_main
    assert sum(sum(row.values()) for row in joint.values()) == ROUNDS
    assert {event: sum(row.values()) for event, row in joint.items() if event != "lost"} == {
        event: hits for event, hits in ladies.hits.items() if hits
    }
    assert ladies.correlation is not None
    assert ladies.correlation > 0  # a twenty wins both
    results = tallied.cells.reshape(game.program.cells).sum(axis=(0, 1, 2, 3))
    assert int(results[SPLITS:].sum()) == sum(
        count for row in joint.values() for name, count in row.items() if name.startswith("split")
    )


def test_the_ends_of_hands_are_told_in_words() -> None:
    statistics, _, _ = played(compiled("bet-bigger"))
    ends = {"bust", "lose", "push", "win", "blackjack", "dealer blackjack", "surrender"}
    assert set(statistics.wagers[0].hits) == ends
    assert {result_name(number, 4) for number in range(SPLITS)} == {
        *ends, "blackjack push", "doubled bust", "doubled lose", "doubled push", "doubled win"
    }  # fmt: skip


def test_risk_of_ruin_and_n0_follow_from_mean_and_deviation() -> None:
    game = compiled("bet-bigger")
    total, _, _ = played(game)
    assert total.total.mean < 0
    assert total.total.risk_of_ruin(10**9) == 1.0
    assert total.total.n_zero == pytest.approx((total.total.sd / total.total.mean) ** 2)
    winner = type(total.total)(
        rounds=100, spots=1, staked=1, action=1, net=200, squares=100 * 104, figure=total.total.figure, by_count={}
    )
    assert (winner.mean, winner.sd) == (2.0, 10.0)
    assert winner.risk_of_ruin(50) == pytest.approx(exp(-2 * 2 * 50 / 100))
    assert winner.n_zero == 25


def test_the_spread_of_blocks_counts_every_block() -> None:
    spread = distribution_of({-100: 3, 50: 1})
    assert spread["mean"] == -62.5
    assert spread["p50"] == -100
    assert (spread["least"], spread["most"], spread["ahead"]) == (-100, 50, 0.25)
