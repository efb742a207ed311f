"""Every game file under every law, over random legal rounds; every round is also played again by the filing."""

import os
import random

import pytest
from support.filing_comparison import compare_with_the_filing
from support.laws_of_a_round import obeys_every_law
from support.random_play import Player

from upcard.catalog import shipped

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS = 100_000 if SOAK else 2_000
SPOTS = (1, 2, 3, 1, 2, 4, 1, 6)
PARTS = len(SPOTS)  # so that workers can share a game
TABLES = {  # every game file, and the layouts that show what the default does not
    "000": ("the-brook", "the-brook-by-hand"),
    "001": ("lucky-ladies-jackpot", "lucky-ladies-jackpot-two-decks"),
    "002": ("bet-bigger",),
    "003": ("lucky-ladies", "lucky-ladies-six-games", "lucky-ladies-progressive"),
    "004": ("double-action", "double-action-second-action", "double-action-with-21-3"),
}


def test_every_shipped_layout_is_played() -> None:
    assert sorted(layout for layouts in TABLES.values() for layout in layouts) == sorted(shipped().layouts)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", TABLES)
def test_random_rounds_obey_every_law(game: str, part: int) -> None:
    layouts = TABLES[game]
    for number, layout in enumerate(layouts):
        player = Player(layout, seed=part, spots=SPOTS[(part + number) % PARTS])
        for turn in range(-(-ROUNDS // (PARTS * len(layouts)))):
            record = player.play_round()
            compare_with_the_filing(record)
            obeys_every_law(player, record, random.Random(turn))
