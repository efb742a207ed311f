"""Simulated against exact, wager by wager: the value of a round from a full shoe, and the difference."""

from dataclasses import dataclass

from upcard.cards.shoe import CARDS_PER_DECK
from upcard.catalog.paytable import Paytable
from upcard.odds.dealer_hands import terms_at
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.rules import from_game
from upcard.odds.main.solve import Solution, solve
from upcard.odds.price import price
from upcard.sim.compile import Compiled
from upcard.sim.figures import Statistics, WagerStatistics
from upcard.wagers import DealKind

TOTAL = "total"  # the name of all wagers together


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactComparison:
    """One wager: its exact mean (None where the stake depends on the count), and the difference in standard errors."""

    wager: str
    exact: float | None
    difference: float | None
    stderr: float
    z: float | None


def compare(compiled: Compiled, statistics: Statistics) -> tuple[ExactComparison, ...]:
    """Every wager, and all together under the name TOTAL."""
    solution = solve(full_shoe(compiled.terms.decks), from_game(compiled.terms.rules))
    wagers = tuple(_one(compiled, figures, solution) for figures in statistics.wagers)
    total = statistics.total.figure
    return (*wagers, _compared(TOTAL, _together(compiled, wagers), total.mean, total.stderr))


def _together(compiled: Compiled, wagers: tuple[ExactComparison, ...]) -> float | None:
    """The mean of all wagers, by what each stakes per round; None unless the exact mean of every one is known."""
    bet = compiled.spread.bets[int(compiled.program.spread.bet[-compiled.low])]
    returned = staked = 0.0
    for comparison in wagers:
        wager = compiled.terms.wagers.get(comparison.wager)
        if wager is None or comparison.exact is None:
            return None  # insurance too: how much of it is taken depends on the cards
        not_made = _blackjack(compiled.terms.decks) if wager.late and not wager.before_peek else 0.0
        returned += (1 - not_made) * bet[comparison.wager] * comparison.exact
        staked += bet[comparison.wager]  # as the total counts it: made or not
    return returned / staked if staked else None


def _blackjack(decks: int) -> float:
    """The chance that the dealer has blackjack: then a wager after the peek is not made."""
    cards = CARDS_PER_DECK * decks
    return 2 * (4 * decks) * (16 * decks) / (cards * (cards - 1))


def _one(compiled: Compiled, figures: WagerStatistics, solution: Solution) -> ExactComparison:
    wager = compiled.terms.wagers.get(figures.wager)
    exact: float | None = None
    if wager is None:
        exact = solution.insurance if compiled.player.always_insures else None
    elif _is_flat(compiled, figures.wager):
        exact = (
            solution.with_chart(compiled.chart).value
            if wager.is_main
            else _side(compiled, figures.wager, wager.paytable)
        )
    return _compared(figures.wager, exact, figures.figure.mean, figures.figure.stderr)


def _compared(wager: str, exact: float | None, mean: float, stderr: float) -> ExactComparison:
    difference = None if exact is None else mean - exact
    z = difference / stderr if difference is not None and stderr > 0 else None
    return ExactComparison(wager=wager, exact=exact, difference=difference, stderr=stderr, z=z)


def _is_flat(compiled: Compiled, wager: str) -> bool:
    """Whether every round has the same stake: a mean weighted by counts is not that of a full shoe."""
    plans = compiled.spread.bets
    if compiled.fresh:
        bets = compiled.program.spread
        plans = (plans[bets.bet[-bets.low]],)  # a full shoe's count is zero
    return all(wager in plan and plan[wager] == plans[0][wager] for plan in plans)


def _side(compiled: Compiled, name: str, table: Paytable | None) -> float | None:
    """Exact chances of the events, each worth what settlement pays for it: caps and rounding included."""
    if table is None:
        return None
    terms = compiled.terms
    if terms.wagers[name].lost_with_hand:
        return None  # it depends on the play: `upcard odds --readings` prices it for the best chart
    number = int(compiled.program.spread.bet[-compiled.low])
    stake, prices = compiled.spread.bets[number][name], compiled.payouts[number]
    of_dealer = None if isinstance(table.kind, DealKind) else terms_at(terms, terms.wagers[name])
    exact = price(table, terms.decks, suit=terms.wagers[name].suit, stake=stake, terms=of_dealer)
    results = prices.sides[name]
    lost_net = next(result.net for event, result in results.items() if event is None)
    mean = float(exact.loss) * lost_net
    for line in exact.lines:
        if line.probability:
            mean += float(line.probability) * results[line.event].net
    return mean / stake
