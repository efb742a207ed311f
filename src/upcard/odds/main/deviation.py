"""The results of a round: their exact chances and their standard deviation, under the optimum or under a chart.

A hand that is not split is followed through all draws and all ends of the dealer. Of a split, the mean square is exact
for any number of hands, and so is the standard deviation. The chances of single results are exact with two hands; with
three or four, hands are taken as independent once the dealer's end is known, and `bound` is the chance of such a round:
no chance, and no sum of chances, can be off by more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from upcard.odds.main import result_kernel
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.hand_tables import Floats, Ints
from upcard.odds.main.kernel import SURRENDER
from upcard.odds.main.play import SPLIT, Optimum
from upcard.odds.main.position import NATURAL, PAIRS, Position
from upcard.odds.main.result_kernel import EVEN, RESULTS
from upcard.odds.main.split_results import MOST_LOST, SUMS, split_hands

METHOD = "exact"
DEVIATION_BOUND = 1e-9  # of rounding; what tests against dealing every card allow
_HALF_LOST = Fraction(-1, 2)
_NOTHING = 1e-15  # a chance below this is a rounding error


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResults:
    """What one round brings, in initial wagers."""

    chances: Mapping[Fraction, float]  # of each result, lowest first
    mean: float
    standard_deviation: float
    bound: float  # by how much chances of results may be off: the chance of three or four hands


def standard_deviation(way: Optimum | ChartPlay) -> float:
    """Of one round's result, in initial wagers."""
    return round_results(way).standard_deviation


def round_results(way: Optimum | ChartPlay) -> RoundResults:
    return _Round(way).results()


@dataclass(frozen=True)
class _Round:
    way: Optimum | ChartPlay

    @cached_property
    def position(self) -> Position:
        return self.way.play.position

    def results(self) -> RoundResults:
        """Adds up every deal: hands by their first decision, blackjacks, and what a dealer's blackjack takes."""
        position = self.position
        by_total, by_pair = self.way.decisions
        pair_share = np.zeros(position.dealt.shape)
        pair_share[PAIRS] = position.splittable
        sums, surrendered, square, bound = np.zeros(SUMS), 0.0, 0.0, 0.0
        for share, decisions in ((1 - pair_share, by_total), (pair_share, by_pair)):
            played, given_up = self._unsplit(share, decisions)
            sums += played
            surrendered += given_up
        square += float(sums @ (_SUM_VALUES**2))
        for value, up in np.argwhere(by_pair[PAIRS] == SPLIT):
            often = position.weight[PAIRS[value], up] * position.splittable[value, up]
            if often > 0:
                split = split_hands(self.way.play, int(value), int(up)).results()
                sums += often * split.chances
                square += often * split.square
                bound += often * split.approximate
        natural = float((position.weight[NATURAL] * position.natural_pays).sum() / float(position.rules.blackjack))
        lost = self._lost_to_blackjack(by_total, by_pair, pair_share)
        pushed = float(position.dealt[NATURAL].sum()) - natural
        sums[MOST_LOST - 1] += lost
        sums[MOST_LOST] += pushed
        chances = {Fraction(int(result)): float(chance) for result, chance in zip(_SUM_VALUES, sums, strict=True)}
        pays = position.rules.blackjack
        chances[pays] = chances.get(pays, 0.0) + natural
        chances[_HALF_LOST] = surrendered
        square += lost + natural * float(pays) ** 2 + surrendered / 4
        return RoundResults(
            chances={result: chance for result, chance in sorted(chances.items()) if chance > _NOTHING},
            mean=self.way.value,
            standard_deviation=sqrt(max(square - self.way.value**2, 0.0)),
            bound=float(bound),
        )

    def _unsplit(self, share: Floats, decisions: Ints) -> tuple[Floats, float]:
        """[result] the chances of hands played on by these decisions, and that of a surrender that gives half back."""
        position, sums, surrendered = self.position, np.zeros(SUMS), 0.0
        weight = position.weight * share
        weight[NATURAL] = 0.0
        for action in range(3):
            often = np.where(decisions == action, weight, 0.0)
            low = MOST_LOST - EVEN
            sums[low : low + RESULTS] += np.einsum("hu,hur->r", often, self._first[:, :, action])
        gives_up = decisions == SURRENDER
        if position.rules.surrender == "early":
            dealt = position.dealt * share
            surrendered = float(dealt[gives_up].sum())
        elif position.peeks:
            surrendered = float(weight[gives_up].sum())
        else:  # late, and the dealer's blackjack is not known yet: it takes the whole wager
            blackjack = position.dealer_blackjack
            surrendered = float((weight * (1 - blackjack))[gives_up].sum())
            sums[MOST_LOST - 1] += float((weight * blackjack)[gives_up].sum())
        return sums, surrendered

    @cached_property
    def _first(self) -> Floats:
        return result_kernel.first_results(self.position.felt, self.way.play.actions, self.position.two)

    def _lost_to_blackjack(self, by_total: Ints, by_pair: Ints, pair_share: Floats) -> float:
        """The chance to lose one wager to a dealer's blackjack before any decision; early surrender comes first."""
        position = self.position
        if not position.peeks:
            return 0.0  # there it is counted with every hand
        losses = position.dealt * position.dealer_blackjack
        losses[NATURAL] = 0.0
        if position.rules.surrender == "early":
            stays = (1 - pair_share) * (by_total != SURRENDER) + pair_share * (by_pair != SURRENDER)
            losses = losses * stays
        return float(losses.sum())


_SUM_VALUES = np.arange(-MOST_LOST, MOST_LOST + 1)
