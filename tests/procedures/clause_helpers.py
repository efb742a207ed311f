"""Helpers of the clause tests: the filings they run for, and a round with one bonus wager."""

from collections.abc import Sequence
from io import StringIO

import pytest
from procedures.catalogs import complaints, default_layout
from rich.console import Console

from upcard.cards import DECK, read_cards
from upcard.cards.shoe import Shoe, Shuffle
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.cli.play.felt import hands
from upcard.cli.play.sitting import Sitting
from upcard.engine.commands import CloseBetting, Command, PlaceWager
from upcard.pit import open_table
from upcard.pit.rulescard import rules_card
from upcard.pit.terms import derive
from upcard.units import Cents

BET_BIGGER = ("000", "001", "002")


def numbers(*filings: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("number", filings)


def complaints_about(place: str, catalog: Catalog, slug: str, **changes: object) -> str:
    return " ".join(
        complaint for complaint in complaints(catalog, slug, **changes) if complaint.startswith(f"{place}: ")
    )


def decks_for(catalog: Catalog, number: str, wager: str, paytable: str) -> set[int]:
    """With how many decks a layout may offer a wager with this paytable."""
    layout = default_layout(catalog, number)
    offered = layout.wager[0].model_copy(update={"name": wager, "paytable": paytable})
    allowed = set()
    for decks in range(1, 9):
        problems = complaints(catalog, layout.slug, wager=(layout.wager[0], offered), decks=decks)
        if not any(f"{paytable} is for" in problem for problem in problems):
            allowed.add(decks)
    return allowed


def rules_card_text(catalog: Catalog, slug: str) -> str:
    """The rules card of a new table."""
    table = open_table(catalog, catalog.layout(slug))
    lines = [line for section in rules_card(table, derive(table)) for line in section.lines]
    return "\n".join(line if isinstance(line, str) else " ".join(line) for line in lines)


def terminal_felt(catalog: Catalog, layout: Layout, cards: str, wagers: Sequence[str], command: Command) -> str:
    """The hands on the felt of the terminal, after a player with $5 on each of these wagers gives a command."""
    order = tuple(read_cards(cards)) + DECK
    shoe = Shoe(shuffle=Shuffle(key=bytes(32), cut=1), order=order, cut_card=len(order))
    sitting = Sitting(open_table(catalog, layout), spots=1, bankroll=Cents(1000_00), shoes=lambda _: shoe)
    for wager in wagers:
        sitting.dealer.say(PlaceWager(1, wager, Cents(5_00)))
    sitting.dealer.say(CloseBetting())
    sitting.say(command)
    console = Console(width=200, record=True, file=StringIO())
    console.print(hands(sitting, boxed=False))
    return console.export_text()


def one_round(slug: str, cards: str, wager: str) -> tuple[str, ...]:
    """The lines of a round of 003 with one bonus wager, whose slip comes first."""
    return (
        f"table {slug}",
        f"cards {cards}",
        *("> seat Ann 1", "> round", "> 1 bet Blackjack $5", f"> 1 bet {wager}"),
        *("> deal", "> close late wagers", "> 1 stay"),
    )


def queens_of_hearts(slug: str, wager: str) -> tuple[str, ...]:
    return one_round(slug, "Qh 7s Qh Ts", wager)
