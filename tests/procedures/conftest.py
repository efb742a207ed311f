"""The shipped catalog, which mutations replace with a changed copy."""

import pytest

from upcard.catalog import shipped
from upcard.catalog.index import Catalog


@pytest.fixture
def catalog() -> Catalog:
    return shipped()
