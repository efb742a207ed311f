"""Several spots of a round together: covariances between two of them, exact or simulated, and the deviation of all."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
import numpy.typing as npt

from upcard.odds.main.hand_tables import Floats
from upcard.odds.spot_covariance import SpotCovariance
from upcard.units import Cents

Bools = npt.NDArray[np.bool_]
Simulated = Callable[[str, str], tuple[float, float]]  # covariance of wagers on two spots, and its standard error


@dataclass(frozen=True, kw_only=True)
class TwoSpots:
    """Covariances of one unit on a wager and one unit on a wager of another spot."""

    matrix: Floats
    errors: Floats  # standard errors, 0 where the covariance is exact
    deviations: Floats  # of each wager

    @classmethod
    def of(cls, covariance: SpotCovariance, simulated: Simulated) -> "TwoSpots":
        """Takes what is exact, and the rest from a simulation."""
        assert covariance.two_spots is not None
        matrix, errors = covariance.two_spots.copy(), np.zeros(covariance.matrix.shape)
        for row, column in np.argwhere(np.isnan(matrix)).tolist():
            matrix[row, column], errors[row, column] = simulated(covariance.names[row], covariance.names[column])
        return cls(matrix=matrix, errors=errors, deviations=covariance.deviations)

    @property
    def exact(self) -> Bools:
        return np.asarray(self.errors == 0)

    @cached_property
    def _scale(self) -> Floats:
        return np.outer(self.deviations, self.deviations)

    @property
    def correlations(self) -> Floats:
        return np.asarray(self.matrix / self._scale)

    @property
    def correlation_errors(self) -> Floats:
        return np.asarray(self.errors / self._scale)

    def staked(self, stakes: Floats) -> tuple[float, float]:
        """The covariance of two spots that both make every wager, and its standard error at most.

        The main wagers share one estimate, so errors are added up.
        """
        return float(stakes @ self.matrix @ stakes), float(stakes @ self.errors @ stakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSpots:
    """A round of several spots that make the same wagers; in cents."""

    spots: int
    stake: Cents
    house_win: float
    deviation: float
    deviation_error: float  # standard error at most, 0 for one spot
    independent_deviation: float  # if the spots did not depend on each other

    @property
    def edge(self) -> float:
        return self.house_win / self.stake

    @classmethod
    def of(
        cls, spots: int, *, stake: Cents, house_win: float, own: float, shared: float, error: float
    ) -> "SeveralSpots":
        """`stake`, `house_win` and the variance `own` are those of one spot; two spots have the covariance `shared`."""
        pairs = spots * (spots - 1)
        deviation = sqrt(spots * own + pairs * shared)
        return cls(
            spots=spots,
            stake=Cents(spots * stake),
            house_win=spots * house_win,
            deviation=deviation,
            deviation_error=pairs * error / (2 * deviation),
            independent_deviation=sqrt(spots * own),
        )
