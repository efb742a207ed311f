"""Simulated against exact, wager by wager: what `odds` says of a round from a full shoe, and how far off we are."""

from dataclasses import dataclass

from upcard.catalog.paytable import Paytable
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.rules import from_game
from upcard.odds.main.solve import Solution, solve
from upcard.odds.price import price
from upcard.sim.compile import Compiled
from upcard.sim.statistics import Statistics, WagerFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One wager: its exact mean, None where the count decides what is staked on it, and the difference in errors."""

    wager: str
    exact: float | None
    difference: float | None
    stderr: float
    z: float | None


def compare(compiled: Compiled, statistics: Statistics) -> tuple[Comparison, ...]:
    """Every wager beside its exact value."""
    solved = solve(full_shoe(compiled.terms.decks), from_game(compiled.terms.rules))
    return tuple(_one(compiled, figures, solved) for figures in statistics.wagers)


def _one(compiled: Compiled, figures: WagerFigures, solved: Solution) -> Comparison:
    wager = compiled.terms.wagers.get(figures.wager)
    exact: float | None = None
    if wager is None:
        exact = solved.insurance if compiled.player.always_insures else None
    elif _is_flat(compiled, figures.wager):
        exact = (
            solved.with_chart(compiled.chart).value if wager.is_main else _side(compiled, figures.wager, wager.paytable)
        )
    stderr = figures.figure.stderr
    difference = None if exact is None else figures.figure.mean - exact
    z = difference / stderr if difference is not None and stderr > 0 else None
    return Comparison(wager=figures.wager, exact=exact, difference=difference, stderr=stderr, z=z)


def _is_flat(compiled: Compiled, wager: str) -> bool:
    """Whether the same is staked in every round: a mean weighed by counts is not that of a full shoe."""
    plans = compiled.plans.plans
    if compiled.fresh:
        bets = compiled.program.bets
        plans = (plans[bets.plan[-bets.low]],)  # a full shoe's count is nothing
    return all(wager in plan and plan[wager] == plans[0][wager] for plan in plans)


def _side(compiled: Compiled, name: str, table: Paytable | None) -> float | None:
    """Exact chances of the events, each worth what settlement pays for it: caps and rounding included."""
    if table is None:
        return None
    terms = compiled.terms
    number = int(compiled.program.bets.plan[-compiled.low])
    stake, prices = compiled.plans.plans[number][name], compiled.prices[number]
    exact = price(table, terms.decks, suit=terms.suit, stake=stake)
    worth = prices.sides[name]
    lost = next(one.net for event, one in worth.items() if event is None)
    mean = float(exact.loss) * lost
    for line in exact.lines:
        if line.probability:
            mean += float(line.probability) * worth[line.event].net
    return mean / stake
