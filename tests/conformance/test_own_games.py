"""A game of one's own obeys every law that the shipped games obey, and changes nothing of them."""

import os
import random
from pathlib import Path

import pytest
from support.cli_runner import upcard
from support.laws_of_a_round import obeys_every_law
from support.own_games import LIBRARY
from support.random_play import Player

from upcard.catalog import Catalog, shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.odds.price import price, usual_terms
from upcard.wagers.definition import definition_of

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS = 2_000 if SOAK else 20
EVERY_LAYOUT = sorted(path.stem for path in (LIBRARY / "layouts").glob("*.toml"))
LAYOUTS = EVERY_LAYOUT if SOAK else ("dealer-total", "side-wagers", "side-wagers-stand-17")
STARTS = ("000", "001", "002", "003", "004") if SOAK else ("000", "003")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_random_rounds_of_the_library_obey_every_law(layout: str) -> None:
    player = Player(layout, seed=1, spots=1 + len(layout) % 3, catalog=Catalog(None, (LIBRARY,)))
    for turn in range(ROUNDS):
        obeys_every_law(player, player.play_round(), random.Random(turn))


@pytest.mark.parametrize("start", STARTS)
def test_a_new_game_over_the_shipped_catalog_obeys_every_law_and_changes_nothing_of_it(
    start: str, tmp_path: Path
) -> None:
    folder = tmp_path / "house"
    assert upcard("init", str(folder), "--from", start).code == 0
    catalog, before = Catalog(None, (folder,)), shipped()
    assert (catalog.problems(), catalog.hidden()) == ((), ())
    (slug,) = catalog.own("layouts")
    player = Player(slug, seed=2, spots=2, catalog=catalog)
    for turn in range(ROUNDS):
        record = player.play_round()
        obeys_every_law(player, record, random.Random(turn))
    assert "Lucky Nines" in record.terms.wagers
    for part in ("games", "layouts", "paytables", "kinds", "readings", "jurisdictions"):
        old, new = getattr(before, part), getattr(catalog, part)
        assert list(new)[: len(old)] == list(old), part
    for game in before.games:
        assert catalog.game(game) == before.game(game)
    for layout in before.layouts:
        assert ruleset_of(catalog, layout).hash == ruleset_of(before, layout).hash
    for name in before.kinds:
        assert definition_of(catalog.kind(name)) == definition_of(before.kind(name))
    for table in ("002 Break Bonus", "PT-FLT-BB-01", "DA6/1"):
        prices = [
            price(own.paytable(table), 6, terms=usual_terms(own, own.paytable(table))) for own in (before, catalog)
        ]
        assert prices[0].edge == prices[1].edge
