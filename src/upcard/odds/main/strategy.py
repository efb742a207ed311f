"""The best chart by totals as programs get it, and what leaving it costs."""

from dataclasses import dataclass
from typing import TypedDict

from upcard.odds.main.answer import rules_text
from upcard.odds.main.costs import Cost, deviation_costs
from upcard.odds.main.question import Asked
from upcard.odds.main.solve import Solved, solve
from upcard.strategy.chart import ROWS, UPS, Chart

LEGEND = (
    "H hit, S stand, D double or else hit, Ds double or else stand, P split, "
    "Rh Rs Rp surrender or else hit, stand, split."
)


class CostData(TypedDict):
    """What one deviation costs."""

    hand: str
    up: str
    plays: str
    instead: str
    met_percent: float
    cost_percent_a_round: float
    cost_percent_a_time: float


class StrategyData(TypedDict):
    """A chart by hand and up card, and its deviations."""

    game: str
    decks: int | None
    rules: dict[str, str]
    ev_percent_chart: float
    chart: dict[str, dict[str, str]]
    costs: list[CostData]
    notices: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A chart for the rules asked about, and the price of every deviation from it."""

    asked: Asked
    solved: Solved
    chart: Chart
    deviations: list[Cost]

    def as_dict(self) -> StrategyData:
        """In the form programs get."""
        return {
            "game": self.asked.game.slug,
            "decks": self.asked.decks,
            "rules": self.asked.rules.as_text(),
            "ev_percent_chart": 100 * self.solved.best_chart.value,
            "chart": {row: dict(zip(UPS, (cell.value for cell in self.chart.cells[row]), strict=True)) for row in ROWS},
            "costs": [
                {
                    "hand": one.row,
                    "up": up_name(one),
                    "plays": one.plays.value,
                    "instead": one.instead.value,
                    "met_percent": 100 * one.met,
                    "cost_percent_a_round": 100 * one.a_round,
                    "cost_percent_a_time": 100 * one.a_time,
                }
                for one in self.deviations
            ],
            "notices": list(self.asked.notices),
        }


def best_strategy(asked: Asked) -> Strategy:
    """Solves the main game for its best chart."""
    solved = solve(asked.shoe, asked.rules)
    chart = solved.best_chart.chart(title(asked))
    return Strategy(asked=asked, solved=solved, chart=chart, deviations=list(deviation_costs(solved.best_chart, chart)))


def title(asked: Asked) -> str:
    """What stands above the chart."""
    named = f"The best chart by totals for {asked.game.name}, {asked.shoe_text}."
    return f"{named}\nRules: {rules_text(asked)}.\n{LEGEND}"


def up_name(one: Cost) -> str:
    """The up card of a deviation."""
    return "A" if one.up_value == 1 else str(one.up_value)
