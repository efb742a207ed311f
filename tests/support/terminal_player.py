"""A player at a terminal table with a stacked shoe, and what their screen shows."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from upcard.cards import DECK, read_cards
from upcard.cards.shoe import KEY_BYTES, Shoe, Shuffle
from upcard.catalog import shipped
from upcard.catalog.layout import Layout
from upcard.cli.play.app import PlayApp
from upcard.cli.play.keys import press
from upcard.cli.play.sitting import Shoes, Sitting
from upcard.pit import Table, open_table
from upcard.pit.dealer import table_shoe
from upcard.units import money

Step = Callable[[str], None]


def stacked(cards: str, cut_card: int = 200) -> Shoes:
    """Shoes that begin with these cards: one per spot, the up card, one more per spot, the hole card, then draws."""

    def shoe(table: Table) -> Shoe:
        top = read_cards(cards)
        others = Counter(dict.fromkeys(DECK, table.layout.decks))
        others.subtract(top)
        order = (*top, *others.elements())
        return Shoe(shuffle=Shuffle(key=bytes(KEY_BYTES), cut=100), order=order, cut_card=cut_card)

    return shoe


def shuffled(chance: random.Random, cut_card: int) -> Shoes:
    """Short shoes shuffled from a test's random numbers."""

    def shoe(table: Table) -> Shoe:
        return replace(table_shoe(table, key=chance.randbytes(KEY_BYTES)), cut_card=cut_card)

    return shoe


def sit(
    layout: str | Layout, cards: str = "", *, spots: int = 1, bankroll: str = "$1,000", cut_card: int = 200
) -> Sitting:
    catalog = shipped()
    table = open_table(catalog, catalog.layout(layout) if isinstance(layout, str) else layout)
    return Sitting(table, spots=spots, bankroll=money(bankroll), shoes=stacked(cards, cut_card))


def type_keys(sitting: Sitting, keys: str) -> Sitting:
    """Presses keys, which are separated by spaces."""
    for key in keys.split():
        press(sitting, key)
    return sitting


def watch(sitting: Sitting, keys: str, *, size: tuple[int, int] = (150, 40), on_screen: Step | None = None) -> str:
    """Presses keys in the running application; returns the last screen, and passes each screen to `on_screen`."""

    async def play() -> str:
        app = PlayApp(sitting)
        async with app.run_test(size=size) as pilot:
            for step in keys.split() if on_screen else (keys,):
                await pilot.press(*step.split())
                if on_screen:
                    on_screen(screen_text(app))
            return screen_text(app)

    return asyncio.run(play())


def screen_text(app: PlayApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)
