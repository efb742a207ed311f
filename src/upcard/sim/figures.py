"""The figures of a run: mean, standard error and standard deviation of every wager and of all together.

A mean is net over initial stake, so a wager made at several stakes is weighted by money; its error is that of a ratio.
The units of error are rounds, whose spots are added up, or shoes, whose rounds are (`by_shoes`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import erfc, exp, inf, log, sqrt

Z95 = 1.959963984540054


FEWEST_ROUNDS = 30  # for a normal interval, where nothing is known about the results that have not come up
FEW_HITS = 10  # of the top line: with fewer expected, an interval may miss the mean more often than it says


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over rounds, in units of the stake, with its standard error."""

    rounds: int  # in which the wager was made on at least one spot
    made: int  # times, over all spots
    staked: int  # cents, before doubles and splits
    net: int  # cents
    squared: float  # sum over rounds of (net - mean x stake) squared, in cents
    spots_squared: float = 0.0  # the same sum over spots, as if they were independent
    gains: Mapping[int, int] = field(default_factory=dict)  # of a paytable: cents above a loss, and how often
    by_shoes: float = 1.0  # the variance of shoes over that of their rounds

    @property
    def mean(self) -> float:
        """Net over initial stake."""
        return self.net / self.staked if self.staked else 0.0

    @property
    def stderr(self) -> float:
        """Of the mean."""
        return sqrt(max(self.squared, 0.0) * self.by_shoes) / self.staked if self.staked else 0.0

    @property
    def sd(self) -> float:
        """Of one round's net, in units of a round's mean stake."""
        return sqrt(max(self.squared, 0.0) * self.rounds) / self.staked if self.staked else 0.0

    @property
    def is_reliable(self) -> bool:
        """Whether there are enough rounds for an interval; a paytable says what can come up, so it always has one."""
        return self.rounds >= FEWEST_ROUNDS or (self.rounds > 0 and bool(self.gains))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean.

        A wager with a paytable has one that allows for skew: each line's number of hits has an interval of its own,
        also a line that was never hit, and those are combined (method of variance estimates recovery).
        """
        if not self.gains or not self.staked:
            return self.mean - Z95 * self.stderr, self.mean + Z95 * self.stderr
        together = max(self.squared / self.spots_squared, 1.0) if self.spots_squared > 0 and self.squared > 0 else 1.0
        poisson = sum(count * gain**2 for gain, count in self.gains.items())
        narrower = min(self.spots_squared / poisson, 1.0) if poisson and self.spots_squared > 0 else 1.0
        below = above = 0.0
        for gain, count in self.gains.items():
            least, most = (together * limit for limit in hits_interval(count / together))
            lower, upper = (count - least, most - count) if gain > 0 else (most - count, count - least)
            below += (gain * lower) ** 2
            above += (gain * upper) ** 2
        scale = sqrt(narrower * self.by_shoes) / self.staked
        return self.mean - scale * sqrt(below), self.mean + scale * sqrt(above)

    @property
    def margin(self) -> float:
        """The larger part of the 95% interval, on one side of the mean."""
        low, high = self.interval
        return max(self.mean - low, high - self.mean)


def hits_interval(count: float) -> tuple[float, float]:
    """A 95% interval for the expected number of hits: Jeffreys', by Wilson and Hilferty's approximation."""
    shape = count + 0.5
    centre, reach = 1 - 1 / (9 * shape), Z95 / (3 * sqrt(shape))
    return min(shape * max(centre - reach, 0.0) ** 3, count), shape * (centre + reach) ** 3


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
    def stake(self) -> float:
        """Initial stakes per round, in cents."""
        return self.staked / self.rounds if self.rounds else 0.0

    @property
    def stderr(self) -> float:
        """Cents, of the mean."""
        return self.figure.stderr * self.stake

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean, in cents per round."""
        low, high = self.figure.interval
        return low * self.stake, high * self.stake

    @property
    def n_zero(self) -> float | None:
        """Rounds after which the expected result equals one standard deviation; None without an edge."""
        return (self.sd / self.mean) ** 2 if self.mean else None

    def risk_of_ruin(self, bankroll: int, horizon: int | None = None) -> "Risk":
        """The chance of losing a bankroll of so many cents within so many rounds, or ever."""
        low, high = self.interval
        return Risk(
            value=ruin(self.mean, self.sd, bankroll, horizon),
            least=ruin(high, self.sd, bankroll, horizon),
            most=ruin(low, self.sd, bankroll, horizon),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A risk of ruin at the simulated mean, and at both ends of the mean's 95% interval."""

    value: float
    least: float
    most: float


def ruin(mean: float, sd: float, bankroll: float, horizon: int | None = None) -> float:
    """The chance that a sum of rounds with this mean and deviation falls by a bankroll, within so many rounds or ever.

    By the formula for Brownian motion: good where the bankroll is many stakes.
    """
    if sd == 0:
        falls = mean < 0 and (horizon is None or -mean * horizon >= bankroll)
        return 1.0 if falls else 0.0
    if horizon is None:
        return 1.0 if mean <= 0 else exp(-2 * mean * bankroll / sd**2)
    drift, spread = mean * horizon, sd * sqrt(horizon)
    reflected = -2 * mean * bankroll / sd**2
    tail = (drift - bankroll) / spread
    # the product of a huge power and a tiny tail: beyond 30 deviations the tail is zero
    second = exp(reflected + _log_below(tail)) if tail > -30 else 0.0
    return min(_below((-bankroll - drift) / spread) + second, 1.0)


def _below(deviations: float) -> float:
    return erfc(-deviations / sqrt(2)) / 2


def _log_below(deviations: float) -> float:
    return log(_below(deviations))


@dataclass(frozen=True, kw_only=True)
class Statistics:
    wagers: tuple[WagerStatistics, ...]
    total: Totals


def rounds_needed(figure: Figure, target: float) -> float:
    """How many rounds reduce the standard error to a target."""
    return inf if not figure.rounds else figure.rounds * (figure.stderr / target) ** 2
