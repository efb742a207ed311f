"""The best chart by totals as programs get it, and what leaving it costs."""

from dataclasses import dataclass

from upcard.odds.main.answer import rules_text
from upcard.odds.main.deviation_costs import DeviationCost, deviation_costs
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.solve import Solution, solve
from upcard.serialize import json_text
from upcard.strategy.chart import ROWS, UPS, Chart

LEGEND = (
    "H hit, S stand, D double or else hit, Ds double or else stand, P split, "
    "Rh Rs Rp surrender or else hit, stand, split."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A chart for the rules asked about, and the price of every deviation from it."""

    question: ParsedQuestion
    solved: Solution
    chart: Chart
    deviations: list[DeviationCost]

    def as_json(self) -> str:
        """In the form programs get."""
        told = {
            "game": self.question.game.slug,
            "decks": self.question.decks,
            "rules": self.question.rules.as_text(),
            "ev_percent_chart": 100 * self.solved.best_chart.value,
            "chart": {row: dict(zip(UPS, (cell.value for cell in self.chart.cells[row]), strict=True)) for row in ROWS},
            "costs": [
                {
                    "hand": one.row,
                    "up": up_name(one),
                    "plays": one.plays.value,
                    "instead": one.instead.value,
                    "met_percent": 100 * one.met,
                    "cost_percent_a_round": 100 * one.per_round,
                    "cost_percent_a_time": 100 * one.per_decision,
                }
                for one in self.deviations
            ],
            "notices": list(self.question.notices),
        }
        return json_text(told)

    def as_csv(self) -> str:
        """The chart as its file."""
        return self.chart.dump()


def best_strategy(asked: ParsedQuestion) -> Strategy:
    """Solves the main game for its best chart."""
    solved = solve(asked.shoe, asked.rules)
    chart = solved.best_chart.chart(title(asked))
    return Strategy(
        question=asked, solved=solved, chart=chart, deviations=list(deviation_costs(solved.best_chart, chart))
    )


def title(asked: ParsedQuestion) -> str:
    """What stands above the chart."""
    named = f"The best chart by totals for {asked.game.name}, {asked.shoe_text}."
    return f"{named}\nRules: {rules_text(asked)}.\n{LEGEND}"


def up_name(one: DeviationCost) -> str:
    """The up card of a deviation."""
    return "A" if one.up_value == 1 else str(one.up_value)
