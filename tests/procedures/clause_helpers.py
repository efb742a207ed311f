"""Helpers of the clause tests: the filings they run for, and a round with one bonus wager."""

import pytest
from procedures.catalogs import complaints

from upcard.catalog.index import Catalog

BET_BIGGER = ("000", "001", "002")


def numbers(*filings: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("number", filings)


def complaints_about(place: str, catalog: Catalog, slug: str, **changes: object) -> str:
    return " ".join(
        complaint for complaint in complaints(catalog, slug, **changes) if complaint.startswith(f"{place}: ")
    )


def deck_range(catalog: Catalog, name: str) -> tuple[int, int]:
    decks = catalog.paytables[name].decks
    return decks[0], decks[-1]


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
