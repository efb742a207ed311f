"""A paytable as a file to edit. It loses nothing that the paytable's own file says."""

import json
import re
from fractions import Fraction

from upcard.catalog.fields import decks_text
from upcard.catalog.pays import Cell, Printed, Share
from upcard.catalog.paytable import MOST_LETTERS, Paytable
from upcard.units import decimal_text, dollars


def toml_lines(table: Paytable) -> list[str]:
    """One `[[paytable]]` that is complete by itself."""
    jackpot = _unnamed_jackpot(table)
    titles = {event: title for event, title in table.titles.items() if event in table.kind.events}
    new_name = f"My {table.name}"
    made_from = table.name if table.name.isprintable() else _text(table.name)
    return [
        f"# Made from {made_from}. The events of this wager: upcard kinds {table.kind.name}",
        "[[paytable]]",
        f"name = {_text(new_name if len(new_name) <= MOST_LETTERS else table.name)}",
        f"wager = {_text(table.kind.name)}",
        f"basis = {_text(table.basis.value)}",
        f"decks = {_text(decks_text(table.decks))}",
        *([f"jackpot = {_text(jackpot)}"] if jackpot else []),
        *([f"printed_wager = {_text(dollars(table.printed_wager))}"] if table.printed_wager else []),
        *(["", "[paytable.titles]"] if titles else []),
        *(f"{_key(event)} = {_text(title)}" for event, title in titles.items()),
        "",
        "[paytable.pays]",
        *(f"{_key(event)} = {_pay(printed)}" for event, printed in table.printed.items()),
        "",
    ]


def _unnamed_jackpot(table: Paytable) -> str:
    """The jackpot that lines such as "25%" mean without naming it."""
    for event, printed in table.printed.items():
        pay = table.lines[event]
        if isinstance(pay, Share) and any(isinstance(cell, tuple) and not cell[1] for _, cell in printed.by_stake):
            return pay.jackpot
    return ""


def _pay(printed: Printed) -> str:
    (stake, cell), *more = printed.by_stake
    if stake is None and not more:
        return _cell(cell, printed.what)
    cells = (f"{_text(dollars(stake or 0))} = {_cell(cell, printed.what)}" for stake, cell in printed.by_stake)
    return f"{{ {', '.join(cells)} }}"


def _cell(cell: Cell, what: str) -> str:
    if isinstance(cell, tuple):
        part, jackpot = cell
        return _text(f"{decimal_text(part * 100)}%{f' of {jackpot}' if jackpot else ''}")
    return _text(dollars(int(cell))) if what == "dollars" else decimal_text(Fraction(cell))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _text(text: str) -> str:
    """A TOML string: JSON's escapes are TOML's, except for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
