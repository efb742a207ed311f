"""Effects of removal on the main game: what one card of each value gone from the shoe does to it."""

from dataclasses import dataclass

import numpy as np

from upcard.odds.count import TagCount
from upcard.odds.dealer import VALUES
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import MainRules
from upcard.odds.main.solve import solve
from upcard.odds.removal import counts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MainRemoval:
    """Effects by value, ace to ten, in initial wagers; a value the shoe lacks has none."""

    value: float
    chart_value: float
    best_play: tuple[float, ...]  # with best play by composition before and after
    one_chart: tuple[float, ...]  # with the full shoe's best chart before and after
    copies: tuple[int, ...]  # how many cards of each value

    def counts(self) -> list[TagCount]:
        """The best tags for betting with the chart, at each level."""
        return counts_of(self.one_chart, self.copies)


def main_removal(shoe: RankShoe, rules: MainRules) -> MainRemoval:
    """Solves the game for the shoe, and without one card of each value."""
    whole = solve(shoe, rules)
    chart = whole.best_chart.chart("")
    best, charted = np.zeros(VALUES), np.zeros(VALUES)
    for value in range(VALUES):
        rank = value if value < VALUES - 1 else max(range(9, 13), key=lambda one: shoe.ranks[one])
        if shoe.ranks[rank] > 0:
            less = solve(shoe.without([rank]), rules)
            best[value] = less.optimum.value - whole.optimum.value
            charted[value] = less.with_chart(chart).value - whole.best_chart.value
    return MainRemoval(
        value=whole.optimum.value,
        chart_value=whole.best_chart.value,
        best_play=tuple(map(float, best)),
        one_chart=tuple(map(float, charted)),
        copies=tuple(map(int, shoe.values)),
    )
