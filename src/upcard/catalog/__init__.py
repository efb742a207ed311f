"""The catalog: games, paytables, layouts, readings and jurisdictions as files, checked when they are loaded."""

from functools import cache

from upcard.catalog.index import Catalog


@cache
def shipped() -> Catalog:
    """The catalog that comes with Upcard: the five filings."""
    return Catalog()


__all__ = ["Catalog", "shipped"]
