"""The figures of a run: mean, standard error and standard deviation of every wager and of all together.

A mean is net over initial stake, so a wager made at several stakes is weighted by money; its error is that of a ratio.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, inf, sqrt

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over rounds, in units of the stake, with its standard error."""

    rounds: int  # in which the wager was made on at least one spot
    made: int  # times, over all spots
    staked: int  # cents, before doubles and splits
    net: int  # cents
    squared: float  # sum over rounds of (net - mean x stake) squared, in cents

    @property
    def mean(self) -> float:
        """Net over initial stake."""
        return self.net / self.staked if self.staked else 0.0

    @property
    def stderr(self) -> float:
        """Of the mean."""
        return sqrt(max(self.squared, 0.0)) / self.staked if self.staked else 0.0

    @property
    def sd(self) -> float:
        """Of one round's net, in units of a round's mean stake."""
        return self.stderr * sqrt(self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean."""
        return self.mean - Z95 * self.stderr, self.mean + Z95 * self.stderr


@dataclass(frozen=True, kw_only=True)
class WagerStatistics:
    wager: str
    paytable: str
    figure: Figure
    hits: Mapping[str, int]
    tries: int  # the base of the hit rate: times made, or hands for main wagers
    wins: int
    by_count: Mapping[int, Figure] = field(default_factory=dict)
    with_main: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # [event, main result]
    correlation: float | None = None  # of a round's net with the main wager's

    @property
    def hit_rate(self) -> float:
        return self.wins / self.tries if self.tries else 0.0


@dataclass(frozen=True, kw_only=True)
class Totals:
    """All wagers of a round together, in cents."""

    rounds: int
    spots: int
    staked: int  # before doubles and splits
    action: int  # with them, and with insurance
    net: int
    squares: int  # sum of squares of a round's net
    figure: Figure
    by_count: Mapping[int, Figure]

    @property
    def mean(self) -> float:
        """Cents per round."""
        return self.net / self.rounds if self.rounds else 0.0

    @property
    def sd(self) -> float:
        """Cents, of one round."""
        return sqrt(max(self.squares / self.rounds - self.mean**2, 0.0)) if self.rounds else 0.0

    @property
    def stderr(self) -> float:
        """Cents, of the mean."""
        return self.sd / sqrt(self.rounds) if self.rounds else 0.0

    @property
    def n_zero(self) -> float | None:
        """Rounds after which the expected result equals one standard deviation; None without an edge."""
        return (self.sd / self.mean) ** 2 if self.mean else None

    def risk_of_ruin(self, bankroll: int) -> float:
        """The chance of ever losing a bankroll of so many cents, with unlimited play."""
        if self.mean <= 0:
            return 1.0
        return exp(-2 * self.mean * bankroll / self.sd**2) if self.sd else 0.0


@dataclass(frozen=True, kw_only=True)
class Statistics:
    wagers: tuple[WagerStatistics, ...]
    total: Totals


def rounds_needed(figure: Figure, target: float) -> float:
    """How many rounds reduce the standard error to a target."""
    return inf if not figure.rounds else figure.rounds * (figure.stderr / target) ** 2
