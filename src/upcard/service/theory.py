"""What the house should win: the exact mean and variance of the wagers that were made, and an interval around it.

A side wager is taken with its own stake, so that a payout cap counts. The main game is that of the best play: who plays
worse loses more, so a win above the interval need not be luck. Wagers are summed as if they were independent; hands
against one dealer are not quite, so the interval is a little narrow where many sit at one table.
"""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from threading import Lock

from upcard.cards import SUIT_NAMES
from upcard.catalog.pays import Fixed
from upcard.catalog.ruleset import Ruleset
from upcard.engine.terms import WagerTerms
from upcard.odds.main.rules import Vector, from_game
from upcard.odds.price import price
from upcard.pit import open_table
from upcard.pit.terms import derive
from upcard.service.handle import INSURANCE, MAIN, Handle
from upcard.service.live import Rulesets
from upcard.units import Basis, Cents, Odds, Rounding

NINETY_FIVE = 1.959963984540054  # standard deviations on either side


@dataclass(frozen=True, slots=True, kw_only=True)
class Main:
    """The main game: what a unit of it wins for the house, and the insurance."""

    mean: float
    variance: float
    insurance_mean: float
    insurance_variance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the house should win, in cents."""

    wagered: int
    mean: float
    variance: float

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 in 100 such days."""
        reach = NINETY_FIVE * sqrt(self.variance)
        return self.mean - reach, self.mean + reach

    def __add__(self, other: "Expected") -> "Expected":
        return Expected(
            wagered=self.wagered + other.wagered,
            mean=self.mean + other.mean,
            variance=self.variance + other.variance,
        )


NOTHING = Expected(wagered=0, mean=0.0, variance=0.0)


def expected(rulesets: Rulesets, handle: Handle, main_of: Callable[[Ruleset], Main | None]) -> Expected | None:
    """The sum over all wagers made, each by its round's rules; None as long as a main game played is not solved."""
    total = NOTHING
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
        total += Expected(wagered=stake * times, mean=mean * times, variance=variance * times)
    return total


@cache
def side_wager(rules: Ruleset, wager: str, stake: int) -> tuple[Fraction, Fraction]:
    """The exact mean and variance of what one such wager wins for the house, in cents; meters are not its money."""
    layout = rules.layout
    terms = derive(open_table(rules.catalog, layout)).wagers[wager]
    if terms.paytable is None:
        raise ValueError(f"{wager} has no paytable")
    priced = price(terms.paytable, layout.decks, suit=SUIT_NAMES.index(layout.suit), stake=Cents(stake))
    rounding = Rounding(layout.rounding)
    ends = [(line.probability, _house_wins(terms, line.pay, Cents(stake), rounding)) for line in priced.lines]
    ends.append((priced.loss, stake))
    mean = sum((chance * won for chance, won in ends), Fraction(0))
    return mean, sum((chance * won**2 for chance, won in ends), Fraction(0)) - mean**2


def _house_wins(terms: WagerTerms, pay: object, stake: Cents, rounding: Rounding) -> int:
    """What the house keeps less what it pays beside the stake; a jackpot's share is paid from elsewhere."""
    if terms.paytable is None:
        raise ValueError(f"{terms.name} has no paytable")
    basis = terms.paytable.basis
    kept = 0 if basis is Basis.TO_ONE else stake
    if not isinstance(pay, Fixed):
        return kept
    paid = Odds(pay.units, basis).win(stake, rounding)
    return kept - (paid if terms.payout_cap is None else min(paid, terms.payout_cap))


def solve_main(decks: int, rules: Vector) -> Main:
    """Solves a main game; takes seconds, so it is done in a process of its own."""
    from upcard.odds.main.shoe import full_shoe
    from upcard.odds.main.solve import solve
    from upcard.odds.main.spread import standard_deviation

    solved = solve(full_shoe(decks), rules)
    pays = float(rules.insurance)
    worth = solved.insurance or 0.0
    chance = (worth + 1) / (pays + 1)
    return Main(
        mean=-solved.optimum.value,
        variance=standard_deviation(solved.optimum) ** 2,
        insurance_mean=-worth,
        insurance_variance=chance * (1 - chance) * (pays + 1) ** 2,
    )


class Mains:
    """The main games, each solved once, in a process aside, so that no table waits for it."""

    def __init__(self) -> None:
        self._found: dict[str, Main] = {}
        self._failed: set[str] = set()
        self._solving: tuple[str, subprocess.Popen[bytes]] | None = None
        self._door = Lock()

    def of(self, ruleset: Ruleset) -> Main | None:
        """The solution, if it is there already; layouts with the same rules and decks have the same one."""
        layout = ruleset.layout
        rules = from_game(layout.rules.over(ruleset.game.rules))
        key = pickle.dumps((layout.decks, rules)).hex()
        with self._door:
            self._collect()
            if key not in self._found and key not in self._failed and self._solving is None:
                command = [sys.executable, "-m", __name__, key]
                self._solving = key, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            return self._found.get(key)

    def _collect(self) -> None:
        """What the process has answered; one that was ended from outside is asked again."""
        if self._solving is None or self._solving[1].poll() is None:
            return
        (key, process), self._solving = self._solving, None
        told = process.communicate()[0]
        if process.returncode == 0:
            self._found[key] = Main(**json.loads(told))
        elif process.returncode > 0:  # it has said why in the log, and would say so again
            self._failed.add(key)

    def stop(self) -> None:
        """Solves no more."""
        with self._door:
            if self._solving is not None:
                self._solving[1].kill()
                self._solving[1].communicate()
                self._solving = None


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(solve_main(*pickle.loads(bytes.fromhex(sys.argv[1]))))))
