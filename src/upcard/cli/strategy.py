"""`upcard strategy`: the best chart by totals, computed from the rules, and what leaving it costs."""

import sys

from upcard.cli.main_question import Asked, MainQuestion, announce, compiled, understand
from upcard.cli.output import Cell, Form, console, write_csv, write_json, write_lines, write_table
from upcard.odds.main.costs import Cost, deviation_costs
from upcard.odds.main.solve import Solved, solve
from upcard.strategy.chart import ROWS, UPS, Chart, Letter

LEGEND = (
    "H hit, S stand, D double or else hit, Ds double or else stand, P split, "
    "Rh Rs Rp surrender or else hit, stand, split."
)
_COLOURS = {"H": "black on bright_red", "S": "black on bright_yellow", "D": "black on bright_cyan"} | {
    "P": "black on bright_green",
    "R": "black on bright_white",
}


def show(question: MainQuestion, form: Form, *, costs: bool) -> None:
    """Computes the chart and shows it, or what each deviation from it costs."""
    asked = understand(question)
    announce(form, "kernel")
    solved = solve(asked.shoe, asked.rules)
    chart = solved.best_chart.chart(_title(asked))
    deviations = list(deviation_costs(solved.best_chart, chart))
    compiled("kernel")
    match form:
        case Form.JSON:
            write_json(_as_dict(asked, solved, chart, deviations))
        case Form.CSV if costs:
            write_csv([_cost_row(one, plain=True) for one in deviations])
        case Form.CSV:
            sys.stdout.write(chart.dump())
        case Form.PEOPLE if costs:
            _show_costs(asked, deviations, most=None)
        case Form.PEOPLE:
            _show_chart(asked, solved, chart)
            _show_costs(asked, deviations, most=8)


def _title(asked: Asked) -> str:
    rules = ", ".join(f"{key}={text}" for key, text in asked.rules.as_text().items())
    return f"The best chart by totals for {asked.game.name}, {asked.shoe_text}.\nRules: {rules}.\n{LEGEND}"


def _as_dict(asked: Asked, solved: Solved, chart: Chart, deviations: list[Cost]) -> dict[str, object]:
    return {
        "game": asked.game.slug,
        "decks": asked.decks,
        "rules": asked.rules.as_text(),
        "ev_percent_chart": 100 * solved.best_chart.value,
        "chart": {row: dict(zip(UPS, (cell.value for cell in chart.cells[row]), strict=True)) for row in ROWS},
        "costs": [
            {
                "hand": one.row,
                "up": _up(one),
                "plays": one.plays.value,
                "instead": one.instead.value,
                "met_percent": 100 * one.met,
                "cost_percent_a_round": 100 * one.a_round,
                "cost_percent_a_time": 100 * one.a_time,
            }
            for one in deviations
        ],
        "notices": list(asked.notices),
    }


def _show_chart(asked: Asked, solved: Solved, chart: Chart) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(_title(asked).splitlines()[0]), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    table.add_column("hand")
    for up in UPS:
        table.add_column(up, justify="center")
    for row in ROWS:
        if row in ("soft 12", "pair 2"):
            table.add_section()
        table.add_row(row, *(Text(f" {cell.value:2}", style=_colour(cell)) for cell in chart.cells[row]))
    console().print(table)
    write_lines(
        LEGEND,
        f"Worth {100 * solved.best_chart.value:+.5f}% of the initial wager; best play by composition "
        f"{100 * solved.optimum.value:+.5f}%. `--costs` shows what every deviation costs.",
        *(f"Notice: {notice}" for notice in asked.notices),
    )


def _colour(letter: Letter) -> str:
    return _COLOURS[letter.value[0]]


def _show_costs(asked: Asked, deviations: list[Cost], *, most: int | None) -> None:
    nearest = sorted(deviations, key=lambda one: one.a_time)
    rows = [_cost_row(one, plain=False) for one in nearest[:most]]
    title = f"What one deviation costs, cheapest first: {asked.game.name}, {asked.shoe_text}"
    write_table(title, rows, right=["met", "a time", "a round"])
    write_lines("Met: times a hundred rounds; costs in percent of the initial wager, a time it is met and a round.")


def _cost_row(one: Cost, *, plain: bool) -> dict[str, Cell]:
    figures = {"met": 100 * one.met, "a time": 100 * one.a_time, "a round": 100 * one.a_round}
    shown: dict[str, Cell] = {name: each if plain else f"{each:.6f}%" for name, each in figures.items()}
    return {"hand": one.row, "up": _up(one), "plays": one.plays.value, "instead": one.instead.value, **shown}


def _up(one: Cost) -> str:
    return "A" if one.up_value == 1 else str(one.up_value)
