"""Hypothesis strategies shared by all tests."""

from hypothesis import strategies as st

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.catalog.paytable import Paytable
from upcard.wagers import DealKind

cards = st.sampled_from(DECK)
deal_kinds = st.sampled_from([kind for kind in shipped().kinds.values() if isinstance(kind, DealKind)])


def hands(least: int, most: int) -> st.SearchStrategy[list[Card]]:
    """Hands of `least` to `most` cards, with copies allowed."""
    return st.lists(cards, min_size=least, max_size=most)


def priced_tables() -> list[Paytable]:
    """Every paytable whose wager is decided by the first cards of the deal."""
    return [table for table in shipped().paytables.values() if isinstance(table.kind, DealKind)]


tables = st.sampled_from(priced_tables())
