"""`upcard strategy`: the best chart by totals, and what each deviation from it costs."""

from upcard.cli.compile_notice import announce_compiling
from upcard.cli.output import Cell, Form, console, write_lines, write_table, write_texts
from upcard.odds.main.deviation_costs import DeviationCost
from upcard.odds.main.jit import note_compiled
from upcard.odds.main.question import MainQuestion, ParsedQuestion, parse_question
from upcard.odds.main.solve import Solution
from upcard.odds.main.strategy import LEGEND, best_strategy, title, up_name
from upcard.serialize import csv_text
from upcard.strategy.chart import ROWS, UPS, Chart

_COLOURS = {"H": "black on bright_red", "S": "black on bright_yellow", "D": "black on bright_cyan"} | {
    "P": "black on bright_green",
    "R": "black on bright_white",
}


def show_strategy(question: MainQuestion, form: Form, *, costs: bool) -> None:
    parsed = parse_question(question)
    announce_compiling(form, "kernel")
    strategy = best_strategy(parsed)
    note_compiled("kernel")
    rows = [_csv_row(cost) for cost in strategy.deviations]
    if write_texts(form, strategy.as_json, lambda: csv_text(rows) if costs else strategy.as_csv()):
        return
    if not costs:
        _show_chart(parsed, strategy.solved, strategy.chart)
    _show_costs(parsed, strategy.deviations, most=None if costs else 8)


def _show_chart(parsed: ParsedQuestion, solved: Solution, chart: Chart) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title(parsed).splitlines()[0]), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    table.add_column("hand")
    for up in UPS:
        table.add_column(up, justify="center")
    for row in ROWS:
        if row in ("soft 12", "pair 2"):
            table.add_section()
        table.add_row(row, *(Text(f" {cell.value:2}", style=_COLOURS[cell.value[0]]) for cell in chart.cells[row]))
    console().print(table)
    write_lines(
        LEGEND,
        f"Expectation {100 * solved.best_chart.value:+.5f}% of the initial wager; best play by composition "
        f"{100 * solved.optimum.value:+.5f}%. --costs shows what every deviation costs.",
        *(f"Notice: {notice}" for notice in parsed.notices),
    )


def _show_costs(parsed: ParsedQuestion, deviations: list[DeviationCost], *, most: int | None) -> None:
    cheapest = sorted(deviations, key=lambda cost: cost.per_decision)
    rows = [_cost_cells(cost) for cost in cheapest[:most]]
    title = f"What one deviation costs, cheapest first: {parsed.game.name}, {parsed.shoe_text}"
    write_table(title, rows, right=["met", "each time", "per round"])
    write_lines(
        "Met: times per hundred rounds. Costs: percent of the initial wager, each time it comes up and per round."
    )


def _cost_cells(cost: DeviationCost) -> dict[str, Cell]:
    figures = {"met": cost.frequency, "each time": cost.per_decision, "per round": cost.per_round}
    return _deviation(cost) | {name: f"{100 * figure:.6f}%" for name, figure in figures.items()}


def _csv_row(cost: DeviationCost) -> dict[str, Cell]:
    figures = {"met": cost.frequency, "a time": cost.per_decision, "a round": cost.per_round}
    return _deviation(cost) | {name: 100 * figure for name, figure in figures.items()}


def _deviation(cost: DeviationCost) -> dict[str, Cell]:
    return {"hand": cost.row, "up": up_name(cost), "plays": cost.plays.value, "instead": cost.instead.value}
