"""`upcard odds ... --readings`: what the alternative readings of a filing do to a price."""

from collections.abc import Iterator
from fractions import Fraction

from upcard.catalog import shipped
from upcard.catalog.paytable import Paytable
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.output import Cell, Form, percentage, write_data, write_lines, write_table
from upcard.odds.main.jit import note_compiled
from upcard.odds.main.question import ParsedQuestion
from upcard.odds.main.rules import checked, with_rules
from upcard.odds.main.solve import solve
from upcard.odds.readings import Alternative, alternatives, hand_alternatives
from upcard.problems import BadRequest
from upcard.units import Cents

_ASKED_OTHERWISE = {"R20": "--decks", "R23": "--set"}  # readings that leave the choice to the operator


def show_main_readings(asked: ParsedQuestion, form: Form) -> None:
    """Every reading of the game that sets a rule of the main game, and of its wagers that hang on the play; priced."""
    rows: list[dict[str, Cell]] = []
    catalog, base = shipped(), solve(asked.shoe, asked.rules).optimum.value
    for number, chosen in asked.game.readings.items():
        options = catalog.readings[number].options
        for option, meaning in options.items():
            if meaning.rules:
                rules = checked(with_rules(asked.rules, meaning.rules))
                value = base if rules == asked.rules else solve(asked.shoe, rules).optimum.value
                rows.append(_main_row(number, option, meaning.means, option == chosen, value, base))
    others = [number for number in asked.game.readings if not any(row["reading"] == number for row in rows)]
    untouched = [number for number in others if number not in _ASKED_OTHERWISE]
    beside = list(_beside(asked))
    rows += [row for row, _ in beside]
    told = {"game": asked.game.slug, "decks": asked.decks, "ev_percent": 100 * base, "readings": rows}
    if write_data(form, lambda: told, lambda: rows):
        return
    for row in rows:
        del row["note"]  # it stands below
        row["ev_percent"] = f"{row['ev_percent']:+.6f}%"
        row["change_percent"] = f"{row['change_percent']:+.6f}%"
    title = f"Readings of {asked.game.name}, {asked.shoe_text}: best play by composition (CDZ-)"
    write_table(title, rows, right=["ev_percent", "change_percent"])
    write_lines(
        "Percent of the wager named (main game: of the initial wager), with all other rules as you set them.",
        f"Readings that do not change the main game's value: {', '.join(untouched) or 'none'}.",
        *(line for _, one in beside for line in _lost_lines(one)),
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


def _beside(asked: ParsedQuestion) -> Iterator[tuple[dict[str, Cell], Alternative]]:
    """R6 for each wager of the game that it concerns, under the rules asked for; suits need whole decks."""
    tables = [shipped().paytable(name) for wager in asked.game.wager for name in wager.paytables]
    for table in tables:
        if "R6" in table.readings and asked.decks is not None and asked.decks in table.decks:
            found = list(hand_alternatives(table, asked.decks, asked.rules))
            base = next(float(one.edge) for one in found if one.chosen and one.edge is not None)
            for one in found:
                if one.edge is not None:
                    row = _main_row(one.reading, one.option, one.means, one.chosen, -float(one.edge), -base)
                    yield row | {"wager": table.name, "note": one.note}, one


def _lost_lines(one: Alternative) -> list[str]:
    """What is to be said below the table of a wager lost with the hand."""
    if not one.lost_return:
        return []
    parts = ", ".join(f"{why} {100 * amount:.4f}" for why, amount in one.lost_return.items())
    return [f"{one.reading} {one.option}: {one.note}. Percentage points by how the hand ends: {parts}."]


def show_side_readings(table: Paytable, decks: int, form: Form, *, suit: int, stake: Cents | None) -> None:
    """The options of a side wager's readings."""
    if "R6" in table.readings:
        announce_compiling(form, "kernel")
    found = list(alternatives(table, decks, suit=suit, stake=stake))
    if not found:
        raise BadRequest(f"{table.name} has no alternative readings")
    if any(one.lost_return for one in found):
        note_compiled("kernel")
    told = {"paytable": table.name, "decks": decks, "readings": [_side_dict(one) for one in found]}
    if not write_data(form, lambda: told, lambda: [_side_row(one) for one in found]):
        rows = [_side_row(one) | ({"note": "see below"} if one.lost_return else {}) for one in found]
        write_table(f"Readings of {table.name}, {decks} decks", rows)
        write_lines(*(line for one in found for line in _lost_lines(one)))


def _side_dict(one: Alternative) -> dict[str, object]:
    return {
        "reading": one.reading,
        "option": one.option,
        "chosen": one.chosen,
        "means": one.means,
        "edge": one.edge if isinstance(one.edge, Fraction) else None,
        "edge_percent": None if one.edge is None else float(100 * one.edge),
        "note": one.note,
        **(
            {"taken_percent": {why: 100 * amount for why, amount in one.lost_return.items()}} if one.lost_return else {}
        ),
    }


def _side_row(one: Alternative) -> dict[str, Cell]:
    return {
        "reading": one.reading,
        "option": one.option,
        "chosen": "yes" if one.chosen else "",
        "house edge": "" if one.edge is None else percentage(one.edge),
        "note": one.note,
        "means": one.means,
    }
