"""Games compiled for the simulator's tests."""

import random
from functools import cache
from typing import Any

from upcard.catalog import shipped
from upcard.catalog.game import RuleSettings
from upcard.catalog.readings_in_force import rules_in_force
from upcard.sim.charts import chart_named
from upcard.sim.compile import Compiled, compile_game
from upcard.strategy.chart import ROWS, UPS, Chart, Letter, usual
from upcard.strategy.player import Player

GAMES = {
    "000": "the-brook",
    "001": "lucky-ladies-jackpot",
    "002": "bet-bigger",
    "003": "lucky-ladies",
    "004": "double-action",
}
PLAIN = Player()


def compiled(
    layout: str, player: Player = PLAIN, *, chart: Chart | None = None, decks: int | None = None, **changes: Any
) -> Compiled:
    """A layout compiled with some of its rules or `readings` changed; `spots` and `fresh` go to the simulator."""
    spots, fresh = changes.pop("spots", 1), changes.pop("fresh", False)
    base = shipped().layout(layout)
    update: dict[str, object] = {"readings": changes.pop("readings", {}), "rules": RuleSettings(**changes)}
    if decks is not None:
        update["decks"] = decks
    return compile_game(
        shipped(), base.model_copy(update=update), chart or usual(), player, spots=spots, fresh=fresh
    )  # fmt: skip


@cache
def best_chart(layout: str) -> Chart:
    """The chart `odds` computes for a layout."""
    from upcard.odds.main.rules import from_game

    chosen = shipped().layout(layout)
    return chart_named("best", from_game(rules_in_force(shipped(), chosen)), chosen.decks)


def any_chart(seed: int) -> Chart:
    """A random chart: it splits a lot, doubles on anything, and hits totals that nobody would."""
    chance = random.Random(seed)
    cells = {}
    for row in ROWS:
        letters = [letter for letter in Letter if row.startswith("pair") or not letter.splits]
        weights = [6 if letter is Letter.SPLIT else 2 if letter is Letter.HIT else 1 for letter in letters]
        cells[row] = tuple(chance.choices(letters, weights)[0] for _ in UPS)
    return Chart(title="random", cells=cells)
