"""A side wager played alone converges on its exact edge: one table of each kind, and one that nobody filed."""

import pytest
from support.shipped_prices import price

from upcard.catalog import shipped
from upcard.catalog.editing import edit_paytable
from upcard.catalog.paytable import Paytable
from upcard.sim.chunk import play_chunk
from upcard.sim.figures import Figure
from upcard.sim.single_wager import compile_single_wager
from upcard.sim.statistics import compute_statistics
from upcard.sim.sums import Sums

TABLES = shipped().paytables
ONE_OF_EACH_KIND = list({table.kind.name: table for table in TABLES.values()}.values())


def played(filed: Paytable, edited: Paytable, decks: int) -> Figure:
    compiled, wager = compile_single_wager(shipped(), filed, edited, decks, suit="hearts", stake=None)
    sums = Sums.empty(compiled.program)
    sums.add(play_chunk(compiled.program, 10, 0, 1 << 18))
    return next(figures.figure for figures in compute_statistics(compiled, sums).wagers if figures.wager == wager)


@pytest.mark.parametrize("table", ONE_OF_EACH_KIND, ids=lambda table: table.kind.name)
def test_a_filed_table_is_played_at_its_exact_edge(table: Paytable) -> None:
    decks = table.decks[-1]
    figure = played(table, table, decks)
    assert abs(figure.mean + float(price(table, decks).edge)) < 4 * figure.stderr


def test_an_edited_table_is_played_as_edited_with_decks_nobody_filed_and_no_cap() -> None:
    filed = TABLES["DA6/1"]
    edited = edit_paytable(filed, {"match": "2", "suited-three-of-a-kind": "100000"})
    figure = played(filed, edited, 3)
    exact = -float(price(edited, 3).edge)
    assert abs(figure.mean - exact) < 4 * figure.stderr
    assert exact > 1  # far over what the filing's largest pay would allow
