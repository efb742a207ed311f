"""Fixtures: tables driven by tests, on both databases where the database could matter."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from service.desk_driver import desk_driver
from service.table_driver import StackedShoe, TableDriver
from support.empty_books import NewAddress

__all__ = ["desk_driver"]

NewDriver = Callable[..., TableDriver]


@pytest.fixture
def new_driver(empty_file: Path, tmp_path: Path) -> Iterator[NewDriver]:
    """Evenings on a file; each is checked when it ends."""
    numbers = itertools.count(1)
    yield from _drivers(lambda: str(shutil.copy(empty_file, tmp_path / f"{next(numbers)}.db")))


@pytest.fixture
def new_driver_any_database(new_address: NewAddress) -> Iterator[NewDriver]:
    """Evenings on a file and on a server."""
    yield from _drivers(new_address)


def _drivers(new_address: NewAddress) -> Iterator[NewDriver]:
    opened: list[TableDriver] = []

    def new(layout: str = "bet-bigger", **how: Any) -> TableDriver:
        opened.append(TableDriver(new_address(), layout, **how))
        return opened[-1]

    yield new
    for driver in opened:
        driver.end()


@pytest.fixture
def stack_shoe(monkeypatch: pytest.MonkeyPatch) -> StackedShoe:
    """Lays the first cards of every shoe."""
    laid = StackedShoe()
    monkeypatch.setattr("upcard.service.table_shoes.new_shoe", laid.order)
    return laid
