"""`upcard odds ... --readings`: what the alternative readings of a filing do to a price."""

from upcard.catalog import shipped
from upcard.catalog.paytable import Paytable
from upcard.cli.main_question import Asked
from upcard.cli.output import Cell, Form, percentage, write_csv, write_json, write_lines, write_table
from upcard.odds.main.rules import checked, with_values
from upcard.odds.main.solve import solve
from upcard.odds.readings import Alternative, alternatives
from upcard.problems import BadRequest
from upcard.units import Cents


def show_main(asked: Asked, form: Form) -> None:
    """Every reading of the game that sets a rule of the main game, each option priced."""
    rows: list[dict[str, Cell]] = []
    catalog, base = shipped(), solve(asked.shoe, asked.rules).optimum.value
    for number, chosen in asked.game.readings.items():
        options = catalog.readings[number].options
        for option, meaning in options.items():
            if meaning.rules:
                rules = checked(with_values(asked.rules, meaning.rules))
                value = base if rules == asked.rules else solve(asked.shoe, rules).optimum.value
                rows.append(_main_row(number, option, meaning.means, option == chosen, value, base))
    others = [number for number in asked.game.readings if not any(row["reading"] == number for row in rows)]
    match form:
        case Form.JSON:
            write_json({"game": asked.game.slug, "decks": asked.decks, "ev_percent": 100 * base, "readings": rows})
        case Form.CSV:
            write_csv(rows)
        case Form.PEOPLE:
            for row in rows:
                row["ev_percent"] = f"{row['ev_percent']:+.6f}%"
                row["change_percent"] = f"{row['change_percent']:+.6f}%"
            title = f"Readings of {asked.game.name}, {asked.shoe_text}: best play by composition (CDZ-)"
            write_table(title, rows, right=["ev_percent", "change_percent"])
            write_lines(
                "Percent of the initial wager, beside the rules asked for.",
                f"Readings that do not touch the main game's value: {', '.join(others) or 'none'}.",
            )


def _main_row(number: str, option: str, means: str, chosen: bool, value: float, base: float) -> dict[str, Cell]:
    return {
        "reading": number,
        "option": option,
        "chosen": "yes" if chosen else "",
        "ev_percent": 100 * value,
        "change_percent": 100 * (value - base),
        "means": means,
    }


def show_side(table: Paytable, decks: int, form: Form, *, suit: int, stake: Cents | None) -> None:
    """The options of a side wager's readings."""
    found = list(alternatives(table, decks, suit=suit, stake=stake))
    if not found:
        raise BadRequest(f"{table.name} has no reading with an alternative")
    match form:
        case Form.JSON:
            write_json({"paytable": table.name, "decks": decks, "readings": [_side_dict(one) for one in found]})
        case Form.CSV:
            write_csv([_side_row(one) for one in found])
        case Form.PEOPLE:
            write_table(f"Readings of {table.name}, {decks} decks", [_side_row(one) for one in found])


def _side_dict(one: Alternative) -> dict[str, object]:
    edge = None if one.price is None else one.price.edge
    return {
        "reading": one.reading,
        "option": one.option,
        "chosen": one.chosen,
        "means": one.means,
        "edge": edge,
        "edge_percent": None if edge is None else float(100 * edge),
        "note": one.note,
    }


def _side_row(one: Alternative) -> dict[str, Cell]:
    return {
        "reading": one.reading,
        "option": one.option,
        "chosen": "yes" if one.chosen else "",
        "house edge": "" if one.price is None else percentage(one.price.edge),
        "note": one.note,
        "means": one.means,
    }
