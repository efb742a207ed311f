"""The terminal's rules card: the table's own, plus the keys."""

from upcard.engine.terms import Terms
from upcard.pit import Table
from upcard.pit import rulescard as posted
from upcard.pit.rulescard import Section


def rules_card(table: Table, terms: Terms) -> tuple[Section, ...]:
    return (*posted.rules_card(table, terms), Section("Keys", _KEYS))


_KEYS = (
    ("1 to 9", "add a chip to the chosen circle"),
    ("Arrows, Tab", "choose a circle"),
    ("Enter or Space", "deal, continue"),
    ("Backspace, Delete, C", "undo, empty the circle, take all chips back"),
    ("B", "repeat the wagers of the last round"),
    ("H S D L P R", "hit, stay, double, double for less, split, surrender"),
    ("I E N", "insurance, even money, no"),
    ("T", "reminders of the rules on or off"),
    ("Q or Ctrl+C", "leave"),
)
