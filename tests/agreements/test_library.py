"""Every wager of the library: simulated within four standard errors of its exact price, and dealt into a clean book."""

import os
from pathlib import Path

import pytest
from support.cli_runner import upcard
from support.own_games import LIBRARY

from upcard.catalog import Catalog
from upcard.odds.dealer_hands import terms_at
from upcard.odds.price import price
from upcard.sim.compile import compile_game
from upcard.sim.executors import ThreadExecutor
from upcard.sim.run import Run, play
from upcard.strategy.chart import usual
from upcard.strategy.player import Player
from upcard.wagers import DealerHandKind

SOAK = bool(os.environ.get("UPCARD_SOAK"))
SAMPLE = ("dealer-total", "in-between", "side-wagers", "side-wagers-stand-17")
LAYOUTS = sorted(path.stem for path in (LIBRARY / "layouts").glob("*.toml")) if SOAK else SAMPLE
CATALOG = Catalog(None, (LIBRARY,))


def test_every_kind_of_the_library_is_on_a_table() -> None:
    offered = {offer.paytable for layout in CATALOG.own("layouts") for offer in CATALOG.layout(layout).wager}
    dealt = {CATALOG.paytable(name).kind.name for name in offered if name}
    assert dealt == {CATALOG.paytable(name).kind.name for name in CATALOG.own("paytables")}
    assert len(dealt) >= 12


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_wager_is_within_four_standard_errors_of_its_exact_price(layout: str) -> None:
    game = compile_game(CATALOG, CATALOG.layout(layout), usual(), Player(), fresh=True)
    run = Run(compiled=game, seed=11)
    play(run, ThreadExecutor(1), 50_000_000 if SOAK else 1_000_000)
    for name, wager in game.terms.wagers.items():
        if wager.paytable is None:
            continue
        of_dealer = terms_at(game.terms, wager) if isinstance(wager.kind, DealerHandKind) else None
        exact = price(wager.paytable, game.terms.decks, terms=of_dealer, each_upcard=False)
        figure = run.figure(name)
        assert abs(figure.mean + float(exact.edge)) < 4 * figure.stderr, name


@pytest.mark.parametrize("layout", LAYOUTS)
def test_bots_play_every_wager_into_a_clean_book(layout: str, tmp_path: Path) -> None:
    book, rounds = str(tmp_path / "library.db"), "1000" if SOAK else "10"
    words = ("--layout", layout, "--rounds", rounds, "--players", "1", "--chart", "usual", "--catalog", str(LIBRARY))
    assert upcard("bots", book, *words).code == 0
    checked = upcard("ledger", "check", book)
    assert (checked.code, checked.err) == (0, "")
    assert f"{int(rounds):,} rounds" in checked.out
