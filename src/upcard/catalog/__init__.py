"""The catalog: games, paytables, layouts, readings and jurisdictions as files, checked when they are loaded."""

from upcard.catalog.index import Catalog, open_catalog


def shipped() -> Catalog:
    """The catalog that comes with Upcard: the five filings. For programs that start; all others are given a catalog."""
    return open_catalog()


__all__ = ["Catalog", "open_catalog", "shipped"]
