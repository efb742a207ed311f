"""Prices of the shipped tables: each under the terms of its game, in the shipped catalog."""

from collections.abc import Iterator
from typing import Any

from upcard.catalog import shipped
from upcard.catalog.paytable import Paytable
from upcard.odds import by_count as odds_by_count
from upcard.odds import price as odds_price
from upcard.odds import readings as odds_readings
from upcard.odds import removal as odds_removal
from upcard.odds.by_count import ByCount
from upcard.odds.dealer_hands import DealerTerms
from upcard.odds.price import Price
from upcard.odds.readings import Alternative
from upcard.odds.removal import Removal


def price(table: Paytable, decks: int, **options: Any) -> Price:
    return odds_price.price(table, decks, **{"terms": odds_price.usual_terms(shipped(), table), **options})


def removal(table: Paytable, decks: int) -> Removal:
    return odds_removal.removal(table, decks, terms=odds_price.usual_terms(shipped(), table))


def by_count(table: Paytable, decks: int, **options: Any) -> ByCount:
    return odds_by_count.by_count(shipped(), table, decks, **options)


def alternatives(table: Paytable, decks: int) -> Iterator[Alternative]:
    return odds_readings.alternatives(shipped(), table, decks, suit=2, stake=None)


def terms_of(table: Paytable) -> DealerTerms:
    terms = odds_price.usual_terms(shipped(), table)
    assert terms is not None
    return terms
