"""The shipped catalog, which the mutations exchange for another."""

import pytest

from upcard.catalog import shipped
from upcard.catalog.index import Catalog


@pytest.fixture
def catalog() -> Catalog:
    return shipped()
