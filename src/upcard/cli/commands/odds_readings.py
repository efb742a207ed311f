"""`upcard odds ... --readings`: what the alternative readings of a filing do to a price."""

from collections.abc import Iterator
from fractions import Fraction

from upcard.catalog.paytable import Paytable
from upcard.catalog.readings_in_force import chosen_readings
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.output import Cell, Form, percentage, write_data, write_lines, write_table
from upcard.odds.main.jit import note_compiled
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.rules import checked, with_rules
from upcard.odds.main.solve import solve
from upcard.odds.readings import Alternative, InForce, alternatives, hand_alternatives, of_game, of_layout
from upcard.problems import BadRequest
from upcard.units import Cents

_ASKED_OTHERWISE = {"R20": "--decks", "R23": "--set"}  # readings that leave the choice to the operator


def show_main_readings(question: ParsedQuestion, form: Form) -> None:
    """Prices every reading that changes a rule of the main game, or a wager that depends on how the hand is played."""
    rows: list[dict[str, Cell]] = []
    catalog, base = catalog_in_use(), solve(question.shoe, question.rules).optimum.value
    readings = chosen_readings(catalog, question.layout) if question.layout else question.game.readings
    for number, chosen in readings.items():
        options = catalog.readings[number].options
        for option, meaning in options.items():
            if meaning.rules:
                rules = checked(with_rules(question.rules, meaning.rules))
                value = base if rules == question.rules else solve(question.shoe, rules).optimum.value
                rows.append(_main_row(number, option, meaning.means, option == chosen, value, base))
    others = [number for number in readings if not any(row["reading"] == number for row in rows)]
    untouched = [number for number in others if number not in _ASKED_OTHERWISE]
    beside = list(_beside(question))
    rows += [row for row, _ in beside]
    data = {"game": question.game.slug, "decks": question.decks, "ev_percent": 100 * base, "readings": rows}
    if write_data(form, lambda: data, lambda: rows):
        return
    for row in rows:
        del row["note"]  # it stands below
        row["ev_percent"] = f"{row['ev_percent']:+.6f}%"
        row["change_percent"] = f"{row['change_percent']:+.6f}%"
    title = f"Readings of {question.game.name}, {question.shoe_text}: best play by composition (CDZ-)"
    write_table(title, rows, right=["ev_percent", "change_percent"])
    write_lines(
        "Percent of the wager named (main game: of the initial wager), with all other rules as you set them.",
        f"Readings that do not change the main game's value: {', '.join(untouched) or 'none'}.",
        *(line for _, alternative in beside for line in _lost_lines(alternative)),
        *(["R6: priced only for the numbers of decks that the game permits."] if "R6" in others and not beside else []),
        *(f"{number}: use {how}." for number, how in _ASKED_OTHERWISE.items() if number in others),
    )


def _main_row(number: str, option: str, means: str, chosen: bool, value: float, base: float) -> dict[str, Cell]:
    return {
        "reading": number,
        "option": option,
        "chosen": "yes" if chosen else "",
        "wager": "main game",
        "ev_percent": 100 * value,
        "change_percent": 100 * (value - base),
        "means": means,
        "note": "",
    }


def _beside(question: ParsedQuestion) -> Iterator[tuple[dict[str, Cell], Alternative]]:
    """R6 for each wager that it concerns, under the same rules; suits need whole decks."""
    catalog, layout = catalog_in_use(), question.layout
    names = [name for wager in question.game.wager for name in wager.paytables]
    if layout is not None:
        names = [offered.paytable for offered in layout.wager if offered.paytable]
    for table in map(catalog.paytable, names):
        if "R6" in table.readings and question.decks is not None and question.decks in table.decks:
            in_force = of_game(catalog, table) if layout is None else of_layout(catalog, table, layout)
            if in_force.terms is None:
                continue
            chosen = in_force.chosen["R6"]
            options = list(hand_alternatives(catalog, table, question.decks, question.rules, in_force.terms, chosen))
            base = next(float(option.edge) for option in options if option.chosen and option.edge is not None)
            for option in options:
                if option.edge is not None:
                    row = _main_row(
                        option.reading, option.option, option.means, option.chosen, -float(option.edge), -base
                    )
                    yield row | {"wager": table.name, "note": option.note}, option


def _lost_lines(alternative: Alternative) -> list[str]:
    """Lines below the table for a wager that is lost with the hand."""
    if not alternative.lost_return:
        return []
    parts = ", ".join(f"{why} {100 * amount:.4f}" for why, amount in alternative.lost_return.items())
    name = f"{alternative.reading} {alternative.option}"
    return [f"{name}: {alternative.note}. Percentage points by how the hand ends: {parts}."]


def show_side_readings(
    table: Paytable, decks: int, form: Form, *, suit: int, stake: Cents | None, in_force: InForce | None = None
) -> None:
    if "R6" in table.readings:
        announce_compiling(form, "kernel")
    choices = list(alternatives(catalog_in_use(), table, decks, suit=suit, stake=stake, in_force=in_force))
    if not choices:
        raise BadRequest(f"{table.name} has no alternative readings")
    if any(alternative.lost_return for alternative in choices):
        note_compiled("kernel")
    data = {"paytable": table.name, "decks": decks, "readings": [_side_dict(alternative) for alternative in choices]}
    if not write_data(form, lambda: data, lambda: [_side_row(alternative) for alternative in choices]):
        rows = [
            _side_row(alternative) | ({"note": "see below"} if alternative.lost_return else {})
            for alternative in choices
        ]
        write_table(f"Readings of {table.name}, {decks} decks", rows)
        write_lines(*(line for alternative in choices for line in _lost_lines(alternative)))


def _side_dict(alternative: Alternative) -> dict[str, object]:
    return {
        "reading": alternative.reading,
        "option": alternative.option,
        "chosen": alternative.chosen,
        "means": alternative.means,
        "edge": alternative.edge if isinstance(alternative.edge, Fraction) else None,
        "edge_percent": None if alternative.edge is None else float(100 * alternative.edge),
        "note": alternative.note,
        **(
            {"taken_percent": {why: 100 * amount for why, amount in alternative.lost_return.items()}}
            if alternative.lost_return
            else {}
        ),
    }


def _side_row(alternative: Alternative) -> dict[str, Cell]:
    return {
        "reading": alternative.reading,
        "option": alternative.option,
        "chosen": "yes" if alternative.chosen else "",
        "house edge": "" if alternative.edge is None else percentage(alternative.edge),
        "note": alternative.note,
        "means": alternative.means,
    }
