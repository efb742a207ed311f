"""The card of a layout by its stored rules, as a table plays it, beside the card by its files."""

import pytest

from upcard.catalog import shipped
from upcard.catalog.ruleset import read_ruleset, ruleset_of
from upcard.service.layout_card import layout_card


@pytest.mark.parametrize("slug", shipped().layouts)
def test_stored_rules_give_the_same_rules_card_as_the_files(slug: str) -> None:
    """Word for word and in the same order: meters from the largest, readings by number."""
    stored = read_ruleset(ruleset_of(shipped(), slug).text)
    assert layout_card(stored.catalog, stored.layout) == layout_card(shipped(), shipped().layout(slug))
