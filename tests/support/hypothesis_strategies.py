"""Hypothesis strategies shared by all tests."""

from hypothesis import strategies as st

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.catalog.paytable import Paytable
from upcard.wagers import KINDS, DealKind

cards = st.sampled_from(DECK)
deal_kinds = st.sampled_from([kind for kind in KINDS.values() if isinstance(kind, DealKind)])


def hands(least: int, most: int) -> st.SearchStrategy[list[Card]]:
    """Some cards, copies allowed."""
    return st.lists(cards, min_size=least, max_size=most)


def priced_tables() -> list[Paytable]:
    """Every table on cards of the first deal."""
    return [table for table in shipped().paytables.values() if isinstance(table.kind, DealKind)]


tables = st.sampled_from(priced_tables())
