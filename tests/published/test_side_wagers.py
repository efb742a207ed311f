"""Figures printed by others, outside the filings: recomputed to the digits they print."""

from fractions import Fraction

import pytest
from support.shipped_prices import price

from upcard.catalog import shipped
from upcard.catalog.pays import Fixed
from upcard.odds.audit import parse_printed
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import tally


@pytest.mark.parametrize(
    ("table", "decks", "printed"),
    [
        ("PT-FLT-LL-03", 6, "24.71%"),
        ("PT-FLT-LL-03", 8, "24.05%"),
        ("PT-FLT-213-03", 6, "3.24%"),
        ("001 Match the Dealer", 6, "4.06%"),
        # right figures of filing 004
        ("DA4/1", 4, "5.53%"),
        ("DA8/2", 8, "3.58%"),
        ("MM6/2", 6, "7.95%"),
        ("000 Suited Royals", 6, "10.44%"),
    ],
)
def test_house_edges_published_elsewhere(table: str, decks: int, printed: str) -> None:
    edge = price(shipped().paytable(table), decks).edge * 100
    assert parse_printed(printed).holds(edge), float(edge)


@pytest.mark.parametrize(
    ("decks", "edge"),
    # insurance against an unseen shoe: known in closed form, 1 - 3 * tens / unseen
    [(decks, 1 - 3 * Fraction(16 * decks, 52 * decks - 1)) for decks in range(1, 9)],
)
def test_insurance_in_closed_form(decks: int, edge: Fraction) -> None:
    kind = shipped().kind("insurance")
    assert isinstance(kind, DealKind)
    counted = tally(kind, kind.events, decks)
    assert -Fraction(2 * counted.by_event["dealer-blackjack"] - counted.loss, counted.deals) == edge


def test_king_and_queen_of_diamonds_come_once_in_1347_67_hands() -> None:
    priced = price(shipped().paytable("000 Suited Royals"), 6)
    top = priced.lines[0]
    assert isinstance(top.pay, Fixed)
    assert top.pay.units == 100
    assert round(1 / top.probability, 2) == Fraction("1347.67")
