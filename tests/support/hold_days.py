"""Days at a table, played by the simulator: what the house won, and the range that the floor would have shown."""

import random
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
from support.compiled_games import best_chart

from upcard.catalog import shipped
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.rules import from_game
from upcard.odds.main.solve import solve
from upcard.service.day_handle import Handle
from upcard.service.expected_win import Expected, expected
from upcard.service.hold_solver import Solutions
from upcard.service.side_hold import terms_of
from upcard.sim.chunk import ROUNDS, play_chunk, trace_chunk
from upcard.sim.compile import Compiled, compile_game
from upcard.sim.covariance import covariances, joint_events
from upcard.sim.event_classes import NOT_MADE
from upcard.sim.kernel import WIN
from upcard.strategy.player import Player
from upcard.workers.hold import INSURANCE, MAIN, JointHold, MainHold

Cents = npt.NDArray[np.int64]


@cache
def solutions(layout: str, rounds: int) -> Solutions:
    """Everything that workers compute, with covariances from so many rounds."""
    rules = ruleset_of(shipped(), layout)
    chart, terms = best_chart(layout), terms_of(rules)
    solved = solve(full_shoe(terms.decks), from_game(terms.rules))
    insurance = solved.insurance or 0.0
    chance = (insurance + 1) / 3
    main = MainHold(
        mean=-solved.with_chart(chart).value,
        insurance_mean=-insurance,
        insurance_variance=9 * chance * (1 - chance),
        even_money_mean=(solved.even_money_declined or 1.0) - 1,
        even_money_variance=1 - 1.5 * (solved.even_money_declined or 1.0),
    )
    found = covariances(shipped(), shipped().layout(layout), chart, rounds=rounds)
    joint = JointHold(one_spot=found.one_spot, two_spots=found.two_spots, events=joint_events(terms))
    return Solutions(main=lambda _: main, joint=lambda _: joint, bonus=lambda *_: None)


def table(layout: str, spots: int, player: Player = Player()) -> Compiled:  # noqa: B008 - frozen
    return compile_game(shipped(), shipped().layout(layout), best_chart(layout), player, spots=spots)


def house_wins(compiled: Compiled, rounds: int, days: int) -> Cents:
    """What the house won on days of so many rounds each, every wager at its minimum."""
    wins: list[Cents] = []
    per_chunk = max(ROUNDS // rounds, 1)
    for number in range(-(-days // per_chunk)):
        chunk = play_chunk(compiled.program, 40, number, min(per_chunk, days - number * per_chunk) * rounds, rounds)
        wins.append(-chunk.blocks)
    return np.concatenate(wins)


def expected_win(compiled: Compiled, rounds: int, found: Solutions) -> Expected:
    """What the floor expects of such a day."""
    rules = ruleset_of(shipped(), compiled.terms.layout)
    (bet,) = compiled.spread.bets
    stakes = {MAIN: sum(stake for name, stake in bet.items() if compiled.terms.wagers[name].is_main)}
    stakes |= {name: stake for name, stake in bet.items() if not compiled.terms.wagers[name].is_main}
    late = {name for name in stakes if name != MAIN and compiled.terms.wagers[name].late}
    handle = Handle()
    without_late = _unplayed_rounds(rules, rounds) if late else 0
    handle.add_round(rules.hash, [stakes] * compiled.spots, times=rounds - without_late)
    early = {name: stake for name, stake in stakes.items() if name not in late}
    handle.add_round(rules.hash, [early] * compiled.spots, times=without_late)
    win = expected(_only(rules), handle, found)
    assert win is not None
    return win


def _unplayed_rounds(rules: Ruleset, rounds: int) -> int:
    """Rounds that a dealer's blackjack ends before late wagers are made."""
    decks = rules.layout.decks
    return round(rounds * 2 * 4 / 52 * 16 * decks / (52 * decks - 1))


def _only(rules: Ruleset) -> Callable[[str], Ruleset]:
    return lambda _: rules


def random_days(
    layout: str, found: Solutions, *, days: int, rounds: int, spots: int = 3
) -> list[tuple[float, tuple[float, float]]]:
    """Days on which every spot bets as it likes in every round: what the house won, and the range for those stakes."""
    compiled, rules = table(layout, spots, Player(always_insures=True)), ruleset_of(shipped(), layout)
    _, trace, _ = trace_chunk(compiled.program, 41, 0, days * rounds)
    nets, chance = _unit_nets(compiled), random.Random(42)
    least = {MAIN: 1000, **compiled.spread.bets[0]}
    fixed = {name for name, wager in compiled.terms.wagers.items() if wager.paytable and wager.paytable.jackpots}
    results = []
    for day in range(days):
        handle, win = Handle(), 0.0
        for number in range(day * rounds, (day + 1) * rounds):
            stakes = []
            for spot in trace.spots[number].tolist():
                made: dict[str, int] = {}
                for name, net in nets(spot).items():
                    if name == MAIN or chance.random() < 0.6:
                        most = 1 if name in fixed else 5
                        made[name] = made[MAIN] // 2 if name == INSURANCE else least[name] * chance.randint(1, most)
                        win -= net * made[name]
                stakes.append(made)
            handle.add_round(rules.hash, stakes)
        expectation = expected(_only(rules), handle, found)
        interval = None if expectation is None else expectation.interval
        assert interval is not None
        results.append((win, interval))
    return results


def _unit_nets(compiled: Compiled) -> Callable[[list[int]], dict[str, float]]:
    """What one unit on each wager won on a traced spot; wagers that were not made are left out."""
    (payouts,), classes, hands = compiled.payouts, compiled.classes, compiled.terms.rules.hands
    main = sum(worth.stake for worth in payouts.hands[WIN].values())

    def nets(spot: list[int]) -> dict[str, float]:
        deal, dealer, insured, result = spot
        units = {MAIN: payouts.main_net(result, hands) / main}
        events = [
            *zip(classes.deal_wagers, classes.deal_events[deal], strict=True),
            *zip(classes.dealer_wagers, classes.dealer_events[dealer], strict=True),
        ]
        for name, event in events:
            if event != NOT_MADE:
                worth = payouts.sides[name][event]
                units[name] = worth.net / worth.stake
        if insured:
            slips = payouts.insurance[insured - 1].values()
            units[INSURANCE] = sum(slip.net for slip in slips) / sum(slip.stake for slip in slips)
        return units

    return nets
