"""All wagers of a layout together: edge and deviation of a whole round, correlations, bands of the hold, exposure."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from upcard.engine.terms import Terms
from upcard.odds.exposure import Exposure, exposure
from upcard.odds.several_spots import SeveralSpots, Simulated, TwoSpots
from upcard.odds.spot_covariance import SpotCovariance, spot_covariance
from upcard.serialize import Cell, csv_text, json_text
from upcard.strategy.chart import Chart
from upcard.units import Cents

SPOTS = (1, 2, 3, 6)  # that are shown together, as far as the table has them
ROUNDS = (200, 1_000, 10_000, 100_000, 1_000_000)  # after which bands are shown
Z_95 = 1.959963984540054
Z_90 = 1.6448536269514722  # of the volatility index


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldBand:
    """Between which parts of all stakes the house's win lies after so many rounds, 95 times out of 100."""

    rounds: int
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class LayoutOdds:
    """One spot that makes every wager at these stakes, each round from a full shoe."""

    layout: str
    decks: int
    spots: int
    chart: str
    best_play: bool  # by composition, not by a chart
    stakes: Mapping[str, Cents]
    meters: Mapping[str, Fraction]  # dollars
    covariance: SpotCovariance
    exposure: Exposure
    late: tuple[str, ...]  # wagers that are not made when the dealer has blackjack; their figures are per round
    two_spots: TwoSpots | None  # None at a table of one spot

    @property
    def stake(self) -> Cents:
        """Of all wagers that are compared."""
        return Cents(sum(self.stakes[name] for name in self.covariance.names))

    @cached_property
    def _round(self) -> tuple[float, float]:
        return self.covariance.staked(self.stakes)

    @property
    def house_win(self) -> float:
        """Cents per round."""
        return -self._round[0]

    @property
    def deviation(self) -> float:
        """Cents per round."""
        return self._round[1]

    @property
    def edge(self) -> float:
        """Of all stakes of a round."""
        return self.house_win / self.stake

    @property
    def volatility_index(self) -> float:
        """Nine rounds out of ten lie within so many times the stakes of the mean, if results were normal."""
        return Z_90 * self.deviation / self.stake

    @property
    def independent_deviation(self) -> float:
        """What the deviation would be if the wagers did not depend on each other."""
        names, deviations = self.covariance.names, self.covariance.deviations
        return sqrt(sum((self.stakes[name] * sd) ** 2 for name, sd in zip(names, deviations.tolist(), strict=True)))

    @cached_property
    def several_spots(self) -> list[SeveralSpots]:
        """Spots that all make every wager at these stakes."""
        if self.two_spots is None:
            return []
        stakes = np.array([float(self.stakes[name]) for name in self.covariance.names])
        shared, error = self.two_spots.staked(stakes)
        return [
            SeveralSpots.of(
                number, stake=self.stake, house_win=self.house_win, own=self.deviation**2, shared=shared, error=error
            )
            for number in SPOTS
            if number <= self.spots
        ]

    def band(self, rounds: int) -> HoldBand:
        half = Z_95 * self.deviation / self.stake / sqrt(rounds)
        return HoldBand(rounds=rounds, low=self.edge - half, high=self.edge + half)

    def rows(self) -> list[dict[str, Cell]]:
        """A row for each wager, then one for all wagers of each number of spots."""
        covariance, between = self.covariance, self.two_spots
        rows: list[dict[str, Cell]] = []
        for place, name in enumerate(covariance.names):
            row: dict[str, Cell] = {
                "wager": name,
                "spots": 1,
                "stake": self.stakes[name] / 100,
                "edge_percent": -100 * float(covariance.means[place]),
                "sd": float(covariance.deviations[place]),
                "sd_error": 0.0,
                "exposure": self.exposure.by_wager[name] / 100,
            }
            for column, other in enumerate(covariance.names):
                row[f"correlation {other}"] = float(covariance.correlations[place, column])
            if between is not None:
                for column, other in enumerate(covariance.names):
                    row[f"two spots {other}"] = float(between.correlations[place, column])
                    row[f"two spots error {other}"] = float(between.correlation_errors[place, column])
            rows.append(row)
        for together in self.several_spots:
            row = dict.fromkeys(rows[0], "")
            row |= {
                "wager": "all together",
                "spots": together.spots,
                "stake": together.stake / 100,
                "edge_percent": 100 * together.edge,
                "sd": together.deviation / together.stake,
                "sd_error": together.deviation_error / together.stake,
            }
            rows.append(row)
        return rows

    def as_json(self) -> str:
        covariance, lost, between = self.covariance, self.exposure, self.two_spots
        data = {
            "layout": self.layout,
            "decks": self.decks,
            "spots": self.spots,
            "chart": self.chart,
            "meters": {name: float(dollars) for name, dollars in self.meters.items()},
            "wagers": [
                {
                    "wager": name,
                    "stake": self.stakes[name] / 100,
                    "edge_percent": -100 * float(covariance.means[place]),
                    "sd": float(covariance.deviations[place]),
                    "exposure": lost.by_wager[name] / 100,
                }
                for place, name in enumerate(covariance.names)
            ],
            "covariance": covariance.matrix.tolist(),
            "correlation": covariance.correlations.tolist(),
            "two_spots": None
            if between is None
            else {
                "covariance": between.matrix.tolist(),
                "correlation": between.correlations.tolist(),
                "correlation_standard_error": between.correlation_errors.tolist(),
                "exact": between.exact.tolist(),
            },
            "several_spots": [
                {
                    "spots": together.spots,
                    "stake": together.stake / 100,
                    "edge_percent": 100 * together.edge,
                    "house_win": together.house_win / 100,
                    "sd": together.deviation / 100,
                    "sd_standard_error": together.deviation_error / 100,
                    "sd_percent": 100 * together.deviation / together.stake,
                    "sd_if_independent": together.independent_deviation / 100,
                }
                for together in self.several_spots
            ],
            "left_out": dict(covariance.left_out),
            "per_round_only": list(self.late),
            "total": {
                "stake": self.stake / 100,
                "edge_percent": 100 * self.edge,
                "house_win": self.house_win / 100,
                "sd": self.deviation / 100,
                "sd_percent": 100 * self.deviation / self.stake,
                "sd_if_independent": self.independent_deviation / 100,
                "volatility_index": self.volatility_index,
                "hold_bands": [
                    {"rounds": band.rounds, "low_percent": 100 * band.low, "high_percent": 100 * band.high}
                    for band in map(self.band, ROUNDS)
                ],
            },
            "exposure": {
                "spot": lost.spot / 100,
                "round": lost.round / 100,
                "meters": lost.meters / 100,
                "table": lost.table / 100,
            },
        }
        return json_text(data)

    def as_csv(self) -> str:
        return csv_text(self.rows())


def layout_odds(
    terms: Terms,
    spots: int,
    *,
    stakes: Mapping[str, Cents],
    meters: Mapping[str, Fraction],
    chart: Chart | None = None,
    simulated: Simulated | None = None,
) -> LayoutOdds:
    """Takes seconds. `meters` are in dollars. Two spots are compared if `simulated` has what is not exact."""
    covariance = spot_covariance(terms, chart=chart, meters=meters, with_two_spots=simulated is not None)
    return LayoutOdds(
        layout=terms.layout,
        decks=terms.decks,
        spots=spots,
        chart="best play by composition" if chart is None else chart.title.splitlines()[0],
        best_play=chart is None,
        stakes=stakes,
        meters=meters,
        covariance=covariance,
        exposure=exposure(terms, spots, meters),
        late=tuple(wager.name for wager in terms.late if not wager.before_peek),
        two_spots=None if simulated is None else TwoSpots.of(covariance, simulated),
    )
