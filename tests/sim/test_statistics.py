"""The figures, worked out once more from every single round."""

from collections import defaultdict
from dataclasses import replace
from math import exp, sqrt

import numpy as np
import pytest
from support.compiled_games import compiled

from upcard.settlement.slips import insured_wager
from upcard.sim.chunk import ChunkResult, play_chunk, trace_chunk
from upcard.sim.compile import Compiled
from upcard.sim.distribution import distribution_of
from upcard.sim.figures import Z95, Figure, Statistics, Totals, ruin
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


def total_of(mean: float, sd: float, rounds: int) -> Totals:
    """A run with this mean and deviation, in cents per round, on stakes of one dollar."""
    squares = round(rounds * (sd**2 + mean**2))
    net, staked = round(rounds * mean), 100 * rounds
    figure = Figure(rounds=rounds, made=rounds, staked=staked, net=net, squared=rounds * sd**2)
    return Totals(
        rounds=rounds, spots=1, staked=staked, action=staked, net=net, squares=squares, figure=figure, by_count={}
    )  # fmt: skip


def test_risk_of_ruin_and_n0_follow_from_mean_and_deviation() -> None:
    loser, _, _ = played(compiled("bet-bigger"))
    assert loser.total.mean < 0
    assert loser.total.risk_of_ruin(10**9).value == 1.0
    assert loser.total.n_zero == pytest.approx((loser.total.sd / loser.total.mean) ** 2)
    winner = total_of(2.0, 10.0, rounds=10**6)
    risk = winner.risk_of_ruin(50)
    assert risk.value == pytest.approx(exp(-2 * 2 * 50 / 100))
    assert risk.least < risk.value < risk.most
    assert risk.most == pytest.approx(exp(-2 * (2 - 1.96 * 10 / 1000) * 50 / 100), rel=1e-4)
    assert winner.n_zero == pytest.approx(25)


def test_a_mean_that_may_be_zero_leaves_ruin_open() -> None:
    """$0.06 with a margin of $0.07 says nothing about ruin: it is certain if the true mean is not above zero."""
    noise = total_of(6.0, 3571.0, rounds=10**6)  # a margin of 7 cents
    risk = noise.risk_of_ruin(6_000_00)
    assert risk.value < 0.9
    assert risk.most == 1.0
    assert risk.least < 0.5


def test_ruin_within_a_horizon_is_less_than_ruin_ever_and_grows_to_it() -> None:
    within = [ruin(1.0, 100.0, 5_000, horizon) for horizon in (100, 10_000, 10**6, 10**8)]
    assert within == sorted(within)
    assert within[0] < 1e-3
    assert within[-1] == pytest.approx(ruin(1.0, 100.0, 5_000), rel=1e-6)
    assert ruin(-1.0, 100.0, 5_000, 10**6) == pytest.approx(1.0)
    assert ruin(-1.0, 0.0, 5_000, 4_999) == 0.0


def test_ruin_within_a_horizon_is_what_the_simulators_players_meet() -> None:
    """Bankrolls of $150, 1,000 rounds of $5: the share of players who are broke at some time."""
    program = compiled("double-action", Player(main_only=True)).program
    players, horizon, bankroll = 1_000, 1_000, 150_00
    chunk = play_chunk(program, 3, 0, players * horizon, 1)
    paths = np.cumsum(chunk.blocks.reshape(players, horizon), axis=1)
    broke = float(np.mean(paths.min(axis=1) <= -bankroll))
    mean, sd = float(chunk.blocks.mean()), float(chunk.blocks.std())
    assert broke == pytest.approx(ruin(mean, sd, bankroll, horizon), abs=0.05)


def test_the_interval_of_a_wager_with_a_paytable_allows_for_lines_that_were_never_hit() -> None:
    """1,000 dollars lost, and a line that pays 500 to 1 was not hit: the mean may well be above -100%."""
    lost = Figure(
        rounds=1_000, made=1_000, staked=100_000, net=-100_000, squared=0.0, spots_squared=0.0, gains={50_100: 0}
    )
    assert lost.stderr == 0.0
    low, high = lost.interval
    assert low == -1.0
    assert high == pytest.approx(-1 + 501 * 2.46 / 1_000, rel=0.01)
    assert lost.margin > 1


def test_many_hits_give_the_normal_interval() -> None:
    hits, made = 40_000, 400_000
    gain, mean = 900, -100 + 90.0
    squared = hits * (gain - 90.0) ** 2 + (made - hits) * 90.0**2
    figure = Figure(
        rounds=made, made=made, staked=100 * made, net=round(mean * made), squared=squared, spots_squared=squared,
        gains={gain: hits},
    )  # fmt: skip
    low, high = figure.interval
    assert (low, high) == pytest.approx(
        (figure.mean - Z95 * figure.stderr, figure.mean + Z95 * figure.stderr), rel=2e-3
    )


def test_lines_that_are_hit_on_all_spots_at_once_widen_the_interval() -> None:
    """Six spots share the dealer's hand: six hits are one piece of luck."""
    alone = Figure(
        rounds=6_000, made=6_000, staked=600_000, net=-540_000, squared=6e7, spots_squared=6e7, gains={10_000: 6}
    )
    shared = replace(alone, rounds=1_000, squared=3.6e8)
    assert shared.interval[1] - shared.mean > 2 * (alone.interval[1] - alone.mean)


def test_a_bin_with_few_rounds_claims_no_error() -> None:
    single = Figure(rounds=1, made=1, staked=500, net=500, squared=0.0)
    assert not single.is_reliable
    assert replace(single, rounds=30).is_reliable


def test_the_spread_of_blocks_counts_every_block() -> None:
    spread = distribution_of({-100: 3, 50: 1})
    assert spread["mean"] == -62.5
    assert spread["p50"] == -100
    assert (spread["least"], spread["most"], spread["ahead"]) == (-100, 50, 0.25)
