"""The readings a table plays by, and what they change: the main game's rules, and the paytables.

A game chooses an option for every question of its filing; a layout may choose another. Whatever reads a layout (terms,
rules card, odds, simulator, jackpots) asks here. An option that tables cannot play is refused when the file is checked.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from upcard.catalog.game import Rules
from upcard.catalog.layout import Layout
from upcard.catalog.paytable import Paytable
from upcard.units import Basis

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog

Source = Literal["those-of-the-game", "those-of-the-layout"]  # the second since format 2
Chosen = Mapping[str, str]  # an option by the number of its reading

# The first option of a reading is always played; these are played too. An option that is missing here is refused.
_ALTERNATIVES: Mapping[str, frozenset[str]] = {
    "R1": frozenset({"literal", "stand"}),
    "R2": frozenset({"not-offered"}),
    "R6": frozenset({"lost"}),
    "R7": frozenset({"for-1"}),
    "R8": frozenset({"pro-rata"}),
    "R9": frozenset({"before-peek"}),
    "R12": frozenset({"all-six"}),
    "R14": frozenset({"seat-order"}),
    "R18": frozenset({"each-in-full"}),
    "R25": frozenset({"offered"}),
    "R30": frozenset({"same-proportion"}),
}
_WHY_REFUSED: Mapping[tuple[str, str], str] = {
    ("R9", "until-reveal"): (
        "a table takes this wager while nobody acts, not between decisions: choose after-peek or before-peek"
    ),
    ("R27", "larger-award"): (
        "a hand is ranked before a meter is read, so a table cannot compare the awards: choose rank-decides"
    ),
}
_FROM_THE_LAYOUT_BEFORE = ("R8", "R14", "R18", "R25")  # a layout's only choices that tables of format 1 followed
_IGNORED_BEFORE = ("R6", "R7", "R9", "R12", "R30")  # of which such tables played the first option
_ALL_SIX_DECKS = tuple(range(2, 9))


def why_not_played(catalog: "Catalog", number: str, option: str) -> str:
    """Why tables cannot play an option; empty if they can."""
    if option == next(iter(catalog.readings[number].options)) or option in _ALTERNATIVES.get(number, ()):
        return ""
    return _WHY_REFUSED.get((number, option), "tables cannot play this option")


def chosen_readings(catalog: "Catalog", layout: Layout, source: Source = "those-of-the-layout") -> dict[str, str]:
    """The option in force for every question of the layout's game, and of games whose wagers it adds."""
    chosen: dict[str, str] = {}
    for game in reversed(catalog.games_of(layout)):  # the layout's own game last: its choices count
        chosen |= game.readings
    if source == "those-of-the-layout":
        return chosen | layout.readings
    first = {number: next(iter(catalog.readings[number].options)) for number in _IGNORED_BEFORE if number in chosen}
    from_layout = {number: layout.readings[number] for number in _FROM_THE_LAYOUT_BEFORE if number in layout.readings}
    return chosen | first | from_layout


def rules_in_force(catalog: "Catalog", layout: Layout, source: Source = "those-of-the-layout") -> Rules:
    """The main game's rules: the game's, changed by readings that the layout chooses, then by its settings (R23)."""
    rules = catalog.game(layout.game).rules
    if layout.readings and source == "those-of-the-layout":
        changes: dict[str, str | bool | int] = {}
        for number, option in layout.readings.items():
            changes |= catalog.readings[number].options[option].rules
        rules = rules.model_copy(update=changes)
    return layout.rules.over(rules)


def paytable_in_force(table: Paytable, chosen: Chosen) -> Paytable:
    """A paytable as the readings pay it (R7) and for the decks they allow (R12)."""
    if "R7" in table.readings and chosen.get("R7") == "for-1":
        table = replace(table, basis=Basis.FOR_ONE)
    if "R12" in table.readings and chosen.get("R12") == "all-six":
        table = replace(table, decks=_ALL_SIX_DECKS)
    return table
