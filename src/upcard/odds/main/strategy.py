"""The best chart by totals, and what each deviation from it costs, as JSON or CSV."""

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
    """The best chart for some rules, and the cost of every deviation from it."""

    question: ParsedQuestion
    solved: Solution
    chart: Chart
    deviations: list[DeviationCost]

    def as_json(self) -> str:
        data = {
            "game": self.question.game.slug,
            "decks": self.question.decks,
            "rules": self.question.rules.as_text(),
            "ev_percent_chart": 100 * self.solved.best_chart.value,
            "chart": {row: dict(zip(UPS, (cell.value for cell in self.chart.cells[row]), strict=True)) for row in ROWS},
            "costs": [
                {
                    "hand": cost.row,
                    "up": up_name(cost),
                    "plays": cost.plays.value,
                    "instead": cost.instead.value,
                    "met_percent": 100 * cost.frequency,
                    "cost_percent_a_round": 100 * cost.per_round,
                    "cost_percent_a_time": 100 * cost.per_decision,
                }
                for cost in self.deviations
            ],
            "notices": list(self.question.notices),
        }
        return json_text(data)

    def as_csv(self) -> str:
        """The chart in the format of a chart file."""
        return self.chart.dump()


def best_strategy(question: ParsedQuestion) -> Strategy:
    """Solves the main game for its best chart."""
    solved = solve(question.shoe, question.rules)
    chart = solved.best_chart.chart(title(question))
    return Strategy(
        question=question, solved=solved, chart=chart, deviations=list(deviation_costs(solved.best_chart, chart))
    )


def title(question: ParsedQuestion) -> str:
    """The heading of the chart."""
    heading = f"The best chart by totals for {question.game.name}, {question.shoe_text}."
    return f"{heading}\nRules: {rules_text(question)}.\n{LEGEND}"


def up_name(cost: DeviationCost) -> str:
    return "A" if cost.up_value == 1 else str(cost.up_value)
