"""The house's expected win: the exact mean and variance of the wagers made, and an interval around the mean.

Side wagers are computed with their actual stakes, so that payout caps count. The main game assumes best play: players
who play worse lose more, so a win above the interval need not be luck. Wagers are summed as if they were independent;
hands against the same dealer are not quite, so the interval is a little narrow at full tables.
"""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import sqrt
from threading import Lock

from upcard.catalog.pays import Fixed
from upcard.catalog.ruleset import Ruleset
from upcard.engine.terms import WagerTerms
from upcard.odds.main.rules import MainRules, from_game
from upcard.odds.price import price
from upcard.pit import open_table
from upcard.pit.terms import derive
from upcard.service.day_handle import INSURANCE, MAIN, Handle
from upcard.service.live_table import Rulesets
from upcard.units import Basis, Cents, Odds, Rounding
from upcard.workers.hold import MainHold, solve_main
from upcard.workers.pool import WorkerKind, WorkerLost, Workers

Z_95 = 1.959963984540054  # standard deviations on each side of the mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the house should win, in cents."""

    mean: float
    variance: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval."""
        reach = Z_95 * sqrt(self.variance)
        return self.mean - reach, self.mean + reach

    def __add__(self, other: "Expected") -> "Expected":
        return Expected(mean=self.mean + other.mean, variance=self.variance + other.variance)


ZERO = Expected(mean=0.0, variance=0.0)


def expected(rulesets: Rulesets, handle: Handle, main_of: Callable[[Ruleset], MainHold | None]) -> Expected | None:
    """The sum over all wagers made, each under its round's rules; None until every main game played is solved."""
    total = ZERO
    for (name, wager, stake), times in handle.made.items():
        rules = rulesets(name)
        if wager in (MAIN, INSURANCE):
            main = main_of(rules)
            if main is None:
                return None
            of_main = (main.mean, main.variance)
            mean, variance = of_main if wager == MAIN else (main.insurance_mean, main.insurance_variance)
            mean, variance = mean * stake, variance * stake**2
        else:
            exact = side_wager(rules, wager, stake)
            mean, variance = float(exact[0]), float(exact[1])
        total += Expected(mean=mean * times, variance=variance * times)
    return total


@cache
def side_wager(rules: Ruleset, wager: str, stake: int) -> tuple[Fraction, Fraction]:
    """The exact mean and variance of the house's win from one such wager, in cents, without jackpot meters."""
    layout = rules.layout
    terms = derive(open_table(rules.catalog, layout)).wagers[wager]
    if terms.paytable is None:
        raise ValueError(f"{wager} has no paytable")
    priced = price(terms.paytable, layout.decks, suit=terms.suit, stake=Cents(stake))
    rounding = Rounding(layout.rounding)
    outcomes = [(line.probability, _house_wins(terms, line.pay, Cents(stake), rounding)) for line in priced.lines]
    outcomes.append((priced.loss, stake))
    mean = sum((chance * won for chance, won in outcomes), Fraction(0))
    return mean, sum((chance * won**2 for chance, won in outcomes), Fraction(0)) - mean**2


def _house_wins(terms: WagerTerms, pay: object, stake: Cents, rounding: Rounding) -> int:
    """What the house keeps minus what it pays; a share of a jackpot is not the house's money."""
    if terms.paytable is None:
        raise ValueError(f"{terms.name} has no paytable")
    basis = terms.paytable.basis
    stake_kept = 0 if basis is Basis.TO_ONE else stake
    if not isinstance(pay, Fixed):
        return stake_kept
    paid = Odds(pay.units, basis).win(stake, rounding)
    return stake_kept - (paid if terms.payout_cap is None else min(paid, terms.payout_cap))


class Solver:
    """Solves main games in a worker, each once, one after the other, so that no table waits for it."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._solved: dict[tuple[int, MainRules], Future[MainHold]] = {}
        self._lock = Lock()

    def of(self, ruleset: Ruleset) -> MainHold | None:
        """The solution if it is ready; if not, starts it. Layouts with the same rules and decks share one."""
        layout = ruleset.layout
        key = layout.decks, from_game(layout.rules.over(ruleset.game.rules))
        with self._lock:
            job = self._solved.get(key)
            if job is not None and job.done():
                if job.exception() is None:
                    return job.result()
                if isinstance(job.exception(), WorkerLost):  # the worker was lost: try again
                    job = None
            if job is None and all(other.done() for other in self._solved.values()):
                self._solved[key] = self._workers.submit(WorkerKind.LONG, partial(solve_main, *key))
            return None
