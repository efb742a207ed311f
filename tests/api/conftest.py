"""One open house for the tests of a file, and a shut one's folder for those that need another."""

from collections.abc import Iterator

import pytest
from api.house import House, running_house
from service.table_driver import StackedShoe


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house without limits of rate; its door's clock moves when a test says so."""
    with running_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture
def stack_shoe(monkeypatch: pytest.MonkeyPatch) -> StackedShoe:
    stacked = StackedShoe()
    monkeypatch.setattr("upcard.service.table_shoes.new_shoe", stacked.order)
    return stacked
