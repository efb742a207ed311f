"""Evenings at one table; on both databases where the database could matter."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from service.evening import Evening, Laid
from service.playing import playing
from support.empty_books import NewAddress

__all__ = ["playing"]

NewEvening = Callable[..., Evening]


@pytest.fixture
def evening(empty_file: Path, tmp_path: Path) -> Iterator[NewEvening]:
    """Evenings on a file; each is checked when it ends."""
    numbers = itertools.count(1)
    yield from _evenings(lambda: str(shutil.copy(empty_file, tmp_path / f"{next(numbers)}.db")))


@pytest.fixture
def any_evening(new_address: NewAddress) -> Iterator[NewEvening]:
    """Evenings on a file and on a server."""
    yield from _evenings(new_address)


def _evenings(new_address: NewAddress) -> Iterator[NewEvening]:
    opened: list[Evening] = []

    def new(layout: str = "bet-bigger", **how: Any) -> Evening:
        opened.append(Evening(new_address(), layout, **how))
        return opened[-1]

    yield new
    for one in opened:
        one.end()


@pytest.fixture
def lay(monkeypatch: pytest.MonkeyPatch) -> Laid:
    """Lays the first cards of every shoe."""
    laid = Laid()
    monkeypatch.setattr("upcard.service.table_shoes.new_shoe", laid.order)
    return laid
