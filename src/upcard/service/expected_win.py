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
from typing import Any

from upcard.catalog.pays import Fixed
from upcard.catalog.ruleset import Ruleset
from upcard.engine.terms import Terms, WagerTerms
from upcard.odds.dealer_hands import terms_at
from upcard.odds.main.rules import from_game
from upcard.odds.price import price
from upcard.pit.terms import derive
from upcard.service.day_handle import INSURANCE, MAIN, Handle
from upcard.service.live_table import Rulesets, table_under
from upcard.units import Basis, Cents, Odds, Rounding
from upcard.wagers import DealerHandKind
from upcard.workers.hold import BonusHold, MainHold, solve_bonus, solve_main
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
MainOf = Callable[[Ruleset], MainHold | None]  # None: not solved yet
BonusOf = Callable[[Ruleset, str], BonusHold | None]  # of a wager that is lost with the hand (R6)


def expected(rulesets: Rulesets, handle: Handle, main_of: MainOf, bonus_of: BonusOf) -> Expected | None:
    """The sum over all wagers made, each under its round's rules; None until everything that was played is solved."""
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
        elif _wager_terms(rules, wager).lost_with_hand:
            bonus = bonus_of(rules, wager)
            if bonus is None:
                return None
            mean, variance = bonus.mean * stake, bonus.variance * stake**2
        else:
            exact = side_wager(rules, wager, stake)
            mean, variance = float(exact[0]), float(exact[1])
        total += Expected(mean=mean * times, variance=variance * times)
    return total


@cache
def side_wager(rules: Ruleset, wager: str, stake: int) -> tuple[Fraction, Fraction]:
    """The exact mean and variance of the house's win from one such wager, in cents, without jackpot meters."""
    layout, terms = rules.layout, _wager_terms(rules, wager)
    if terms.paytable is None:
        raise ValueError(f"{wager} has no paytable")
    of_dealer = terms_at(_terms(rules), terms) if isinstance(terms.kind, DealerHandKind) else None
    priced = price(terms.paytable, layout.decks, suit=terms.suit, stake=Cents(stake), terms=of_dealer)
    rounding = Rounding(layout.rounding)
    outcomes = [(line.probability, _house_wins(terms, line.pay, Cents(stake), rounding)) for line in priced.lines]
    outcomes.append((priced.loss, stake))
    mean = sum((chance * won for chance, won in outcomes), Fraction(0))
    return mean, sum((chance * won**2 for chance, won in outcomes), Fraction(0)) - mean**2


@cache
def _terms(rules: Ruleset) -> Terms:
    return derive(table_under(rules, by_hand=False))


def _wager_terms(rules: Ruleset, wager: str) -> WagerTerms:
    return _terms(rules).wagers[wager]


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
    """Solves main games, and wagers that are lost with the hand, in a worker: each once, one after the other, so that
    no table waits for it."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._solved: dict[tuple[object, object], Future[Any]] = {}
        self._lock = Lock()

    def of(self, ruleset: Ruleset) -> MainHold | None:
        """The solution if it is ready; if not, starts it. Layouts with the same rules and decks share one."""
        decks, rules = ruleset.layout.decks, from_game(_terms(ruleset).rules)
        solved: MainHold | None = self._solution((decks, rules), partial(solve_main, decks, rules))
        return solved

    def bonus(self, ruleset: Ruleset, wager: str) -> BonusHold | None:
        """The hold of a wager that is lost with the hand if it is ready; if not, starts it."""
        solved: BonusHold | None = self._solution((ruleset.hash, wager), partial(solve_bonus, ruleset.text, wager))
        return solved

    def _solution(self, key: tuple[object, object], solve: Callable[[], object]) -> Any:
        with self._lock:
            job = self._solved.get(key)
            if job is not None and job.done():
                if job.exception() is None:
                    return job.result()
                if isinstance(job.exception(), WorkerLost):  # the worker was lost: try again
                    job = None
            if job is None and all(other.done() for other in self._solved.values()):
                self._solved[key] = self._workers.submit(WorkerKind.LONG, solve)
            return None
