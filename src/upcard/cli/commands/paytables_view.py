"""`upcard paytables`: the list of paytables, or one with all its lines."""

from fractions import Fraction

from upcard.catalog.fields import decks_text
from upcard.catalog.pays import Fixed, Share, pay_text
from upcard.catalog.paytable import Paytable
from upcard.catalog.paytable_data import as_json
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.commands.paytables_toml import toml_lines
from upcard.cli.output import Cell, Form, counted, write_lines, write_plain, write_table, write_texts
from upcard.cli.paytable_lookup import find_paytables
from upcard.problems import BadRequest
from upcard.serialize import csv_text, fraction, number
from upcard.units import dollars


def show_paytables(name: str | None, form: Form, *, as_toml: bool) -> None:
    if as_toml:
        if name is None:
            raise BadRequest("--toml needs the name of a paytable, such as upcard paytables DA6/1 --toml")
        write_plain(*(line for table in find_paytables(name) for line in toml_lines(table)))
        return
    tables = list(catalog_in_use().paytables.values()) if name is None else find_paytables(name)
    several = name is None or len(tables) > 1
    rows = [row for table in tables for row in _rows(table)]
    if write_texts(form, lambda: as_json(tables if several else tables[0]), lambda: csv_text(rows)):
        return
    if name is None:
        _show_list(tables)
    else:
        for table in tables:
            _show_paytable(table)


def _rows(table: Paytable) -> list[dict[str, Cell]]:
    return [
        {
            "paytable": table.name,
            "wager": table.kind.name,
            "filing": table.filing,
            "decks": decks_text(table.decks),
            "basis": table.basis.value,
            "event": event,
            "title": table.title(event),
            "pays": number(pay.units) if isinstance(pay, Fixed) else "",
            "jackpot": pay.jackpot if isinstance(pay, Share) else "",
            "share": fraction(Fraction(pay.largest)) if isinstance(pay, Share) else "",
        }
        for event, pay in table.lines.items()
    ]


def _show_list(tables: list[Paytable]) -> None:
    rows: list[dict[str, Cell]] = [
        {
            "paytable": table.name,
            "wager": table.kind.title,
            "filing": table.filing,
            "place": table.place,
            "decks": decks_text(table.decks),
            "pays": table.basis.value,
            "lines, highest first": " / ".join(pay_text(pay) for pay in table.lines.values()),
        }
        for table in tables
    ]
    write_table(counted(len(tables), "paytable"), rows, drop=["place", "filing", "wager", "pays"])
    write_lines("upcard paytables NAME shows one; upcard odds NAME --decks N prices it.")


def _show_paytable(table: Paytable) -> None:
    where = f"filing {table.filing}, {table.place}" if table.filing else table.file
    rows: list[dict[str, Cell]] = [
        {"event": event, "in the filing": table.title(event), "pays": pay_text(pay, basis=table.basis.value)}
        for event, pay in table.lines.items()
    ]
    title = f"{table.name}: {table.kind.title}, {decks_text(table.decks)} decks ({where})"
    write_table(title, rows, right=["pays"])
    if table.printed_wager:
        write_lines(f"Printed for a wager of {dollars(table.printed_wager)}.")
    published = [
        f"{figure.figure}{', ' + table.title(figure.event) if figure.event else ''}: {figure.printed}"
        for figure in table.published
    ]
    write_lines(*(f"Published {line}" for line in published), *table.notes)
    if table.readings:
        write_lines(f"Readings: {', '.join(table.readings)} (see upcard games {table.filing})")
