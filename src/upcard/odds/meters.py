"""The long run of a jackpot meter: its mean, its distribution, and the time between hits, from exact chances.

Each wager adds its contribution to the meter, up to the cap, and then may win a share of it. A win of the whole meter
sets it back to its seed; a smaller share leaves the rest. Because every wager is as likely to win as any other, the
meter that a wager plays for is distributed like the meter that a win finds.

Where only the whole meter is won, everything has a closed form. With smaller shares the mean without a cap does too;
the distribution is solved on a grid, and is good to within one contribution and one step of the grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, expm1, log1p

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_STEPS = 40_000  # of the grid
_TAIL = 40.0  # mean growths between wins that the grid covers: exp(-40) is nothing
_MOST_PASSES = 2_000
_LARGEST_EXPONENT = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HitLine:
    """A line of a paytable that wins a share of the meter."""

    event: str
    probability: Fraction  # per wager
    share: Fraction


@dataclass(frozen=True, kw_only=True)
class MeterModel:
    """One meter, in cents."""

    seed: int
    contribution: Fraction  # per wager
    hits: Sequence[HitLine]
    cap: int | None = None

    @cached_property
    def chance(self) -> float:
        """That a wager wins any share."""
        return float(sum(hit.probability for hit in self.hits))

    def wagers_until_hit(self, part: float) -> int | None:
        """The number of wagers within which so large a part of all hits follow the one before; None without hits."""
        if not 0 < self.chance < 1:
            return None
        return ceil(log1p(-part) / log1p(-self.chance))

    @property
    def wagers_between_hits(self) -> float | None:
        return 1 / self.chance if self.chance else None

    @property
    def moves(self) -> bool:
        """Whether wagers move it and it can be won: only then is there a long run."""
        return self.contribution > 0 and self.chance > 0

    @cached_property
    def mean(self) -> float:
        """The mean meter that a wager plays for, its own contribution included."""
        if not self.moves:
            return float(self.seed)
        if self.cap is None:
            paid = sum(hit.probability * hit.share for hit in self.hits)
            reset = sum(hit.probability for hit in self.hits if hit.share == 1)
            return float((self.contribution + reset * self.seed) / paid)
        if self._only_whole:
            steps = (self.cap - self.seed) / float(self.contribution)
            return self.seed + float(self.contribution) * -expm1(steps * log1p(-self.chance)) / self.chance
        levels, below = self._solved
        until_cap = np.append(below[:-1], below[-2])  # the jump at the cap is no part of the step before it
        return float(((1 - (until_cap[1:] + until_cap[:-1]) / 2) * np.diff(levels)).sum())

    def quantile(self, part: float) -> float:
        """The amount that the meter is at most, so large a part of the time."""
        if not self.moves:
            return float(self.seed)
        if self._only_whole:
            contributions = max(ceil(log1p(-part) / log1p(-self.chance)), 1)
            amount = self.seed + contributions * float(self.contribution)
            return amount if self.cap is None else min(amount, float(self.cap))
        levels, below = self._solved
        place = int(np.searchsorted(below, part))
        return float(levels[min(place, len(levels) - 1)])

    @property
    def at_cap(self) -> float | None:
        """How often the meter stands at its cap; None where it has none."""
        if self.cap is None or not self.moves:
            return None
        if self._only_whole:
            return exp((self.cap - self.seed) / float(self.contribution) * log1p(-self.chance))
        _, below = self._solved
        return float(1 - below[-2])

    @property
    def _only_whole(self) -> bool:
        return all(hit.share == 1 for hit in self.hits if hit.probability)

    @cached_property
    def _solved(self) -> tuple[Floats, Floats]:
        """Levels of the meter, and how often it is at most each.

        After a win the meter is the seed, or what a share left; then it grows until the next win. Both follow from each
        other, so they are computed in turn until neither changes.
        """
        growth = float(self.contribution) / -log1p(-self.chance)  # mean growth between wins
        smallest = min(float(hit.share) for hit in self.hits if hit.probability)
        top = float(self.cap) if self.cap is not None else self.seed + _TAIL * growth / smallest
        levels = np.linspace(0.0, top, _STEPS + 1)
        below = (levels >= self.seed).astype(np.float64)
        for _ in range(_MOST_PASSES):
            after = np.zeros(len(levels))
            for hit in self.hits:
                weight = float(hit.probability) / self.chance
                if hit.share == 1:
                    after += weight * (levels >= self.seed)
                else:
                    after += weight * np.interp(levels / float(1 - hit.share), levels, below, right=1.0)
            grown = _grown(after, levels, growth)
            if self.cap is not None:
                grown[-1] = 1.0
            if float(np.abs(grown - below).max()) < 1e-13:
                break
            below = grown
        return levels, grown


def _grown(after: Floats, levels: Floats, growth: float) -> Floats:
    """The distribution once exponential growth of this mean is added to `after`."""
    middle = (after[1:] + after[:-1]) / 2
    step = float(levels[1] - levels[0]) / growth
    part = max(int(_LARGEST_EXPONENT / step), 1)
    grown, value = [np.zeros(1)], 0.0
    for begin in range(0, len(middle), part):
        rise = np.exp(step * np.arange(min(part, len(middle) - begin) + 1))
        rows = (value + np.cumsum(middle[begin : begin + part] * np.diff(rise))) / rise[1:]
        grown.append(rows)
        value = float(rows[-1])
    return np.concatenate(grown)


def meter_dict(model: MeterModel) -> dict[str, object]:
    """The distribution of a meter in dollars, and of the wagers between hits."""
    return {
        "mean": model.mean / 100,
        **{f"p{round(100 * part)}": model.quantile(part) / 100 for part in QUANTILES},
        "at_cap_percent": None if model.at_cap is None else 100 * model.at_cap,
        "wagers_between_hits": {
            "mean": model.wagers_between_hits,
            **{f"p{round(100 * part)}": model.wagers_until_hit(part) for part in QUANTILES},
        },
    }


def meter_line(model: MeterModel) -> str:
    """The same as a sentence."""
    low, median, high = (model.quantile(part) / 100 for part in (0.05, 0.5, 0.95))
    cap = "" if not model.at_cap else f", at its cap {100 * model.at_cap:.2f}% of the time"
    return (
        f"Expected meter ${model.mean / 100:,.2f}: below ${low:,.0f} 5% of the time, ${median:,.0f} half, "
        f"${high:,.0f} 95%{cap}."
    )
