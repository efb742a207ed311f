"""A month of each plan, on both databases, ends with the statement that docs/ shows."""

from pathlib import Path

import pytest
from ledger.conftest import NewBook
from months import INTRODUCTION, PLANS, tell

from upcard.ledger.batch_unit import Memory

PAGE = (Path(__file__).parents[2] / "docs" / "months.md").read_text()


@pytest.mark.parametrize("name", PLANS)
def test_a_month_ends_with_the_statement_of_the_docs(new_book: NewBook, name: str) -> None:
    """Several tables, daily closes, wins, a daylight-saving change; `make docs` writes the page."""
    with new_book().batch(Memory()) as clerk:
        told = tell(name, clerk)
    assert told in PAGE
    assert "closes: sound." in told
    assert "2026-03-07 has 23 hours" in told


def test_the_page_holds_the_four_months_and_nothing_else() -> None:
    assert PAGE.startswith(INTRODUCTION)
    assert [line[3:].partition(":")[0] for line in PAGE.splitlines() if line.startswith("## ")] == list(PLANS)
