"""Shoes as the units of error: rounds of one shoe are dealt from what earlier ones left, so they are not independent.

Where a wager lives off certain cards, a good start of a shoe makes a bad end, and the error is smaller than that of
independent rounds. The kernel does not add up shoes, which would slow it down. Instead the beginning of the run is
played again with a trace, and the variance of its shoes is compared with that of its rounds.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from upcard.sim.chunk import trace_chunk
from upcard.sim.compile import Compiled
from upcard.sim.figures import Statistics
from upcard.sim.kernel import Floats, RoundTrace

SAMPLE = 1 << 18  # rounds times spots
FEWEST_SHOES = 1000  # with fewer, chance would change the error more than shoes do


def sampled_ratios(compiled: Compiled, seed: int, rounds: int) -> dict[str, float]:
    """The ratios of a run's beginning; none for a short run, or where every round has a new shoe."""
    if compiled.fresh or not rounds:
        return {}
    _, trace, _ = trace_chunk(compiled.program, seed, 0, min(SAMPLE // compiled.spots, rounds))
    return shoe_ratios(compiled, trace) if trace.rounds[:, 4].sum() >= FEWEST_SHOES else {}


def with_shoe_errors(statistics: Statistics, ratios: Mapping[str, float]) -> Statistics:
    """The statistics of a run with errors by shoes."""
    total = statistics.total
    return replace(
        statistics,
        wagers=tuple(
            replace(wager, figure=replace(wager.figure, by_shoes=ratios.get(wager.wager, 1.0)))
            for wager in statistics.wagers
        ),
        total=replace(total, figure=replace(total.figure, by_shoes=ratios.get("", 1.0))),
    )


def shoe_ratios(compiled: Compiled, trace: RoundTrace) -> dict[str, float]:
    """By wager, "" for all together: the variance of shoes over the sum of that of their rounds."""
    shoe = np.cumsum(trace.rounds[:, 4]) - 1
    ratios = {}
    for name, (net, stake) in _rounds(compiled, trace).items():
        if not stake.any():
            continue
        residue = net - net.sum() / stake.sum() * stake
        by_round = float((residue**2).sum())
        by_shoe = float((np.bincount(shoe, weights=residue) ** 2).sum())
        ratios[name] = round(by_shoe / by_round, 4) if by_round else 1.0  # the same digits on every machine
    return ratios


def _rounds(compiled: Compiled, trace: RoundTrace) -> dict[str, tuple[Floats, Floats]]:
    """The net and the initial stake of every round in cents, by wager and all together."""
    program, bets = compiled.program, compiled.spread.bets
    nets, bet, played = program.nets, trace.rounds[:, 2], len(bets)
    deal, dealer, insured, result = np.moveaxis(trace.spots, 2, 0)
    mains = [name for name, wager in compiled.terms.wagers.items() if wager.is_main]

    def staked(*names: str) -> Floats:
        by_bet = np.array([sum(plan.get(name, 0) for name in names) for plan in bets], dtype=np.float64)
        return np.asarray(by_bet[bet] * compiled.spots)

    main = nets.main.reshape(played, -1)[bet[:, None], result].sum(axis=1).astype(np.float64)
    rounds = {name: (main, staked(*mains)) for name in mains}
    total_net, total_stake = main.copy(), staked(*mains)
    for names, values, classes in (
        (compiled.classes.deal_wagers, nets.deal.reshape(played, program.classes.deals, -1), deal),
        (compiled.classes.dealer_wagers, nets.dealer.reshape(played, program.classes.dealers, -1), dealer),
    ):
        for place, name in enumerate(names):
            net = values[bet[:, None], classes, place].sum(axis=1).astype(np.float64)
            rounds[name] = net, staked(name)
            total_net += net
            total_stake += staked(name)
    if program.spread.insures:
        total_net += nets.insurance.reshape(played, 3)[bet[:, None], insured].sum(axis=1)
    rounds[""] = total_net, total_stake
    return rounds
