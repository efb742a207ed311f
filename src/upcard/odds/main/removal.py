"""Effects of removal on the main game: what removing one card of each value does to its value."""

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
    full = solve(shoe, rules)
    chart = full.best_chart.chart("")
    best, charted = np.zeros(VALUES), np.zeros(VALUES)
    for value in range(VALUES):
        rank = value if value < VALUES - 1 else max(range(9, 13), key=lambda ten: shoe.ranks[ten])
        if shoe.ranks[rank] > 0:
            smaller = solve(shoe.without([rank]), rules)
            best[value] = smaller.optimum.value - full.optimum.value
            charted[value] = smaller.with_chart(chart).value - full.best_chart.value
    return MainRemoval(
        value=full.optimum.value,
        chart_value=full.best_chart.value,
        best_play=tuple(map(float, best)),
        one_chart=tuple(map(float, charted)),
        copies=tuple(map(int, shoe.values)),
    )
