"""A month of each jackpot plan, on both databases, gives the statements in docs/jackpot-statements.md."""

from pathlib import Path

import pytest
from jackpot_statements_page import INTRODUCTION, PLANS, section
from ledger.conftest import NewBook

from upcard.ledger.batch_unit import Memory

PAGE = (Path(__file__).parents[2] / "docs" / "jackpot-statements.md").read_text()


@pytest.mark.parametrize("name", PLANS)
def test_a_month_gives_the_statement_in_the_docs(new_book: NewBook, name: str) -> None:
    """Several tables, daily closes, wins, a daylight-saving change; `make docs` writes the page."""
    with new_book().batch(Memory()) as clerk:
        text = section(name, clerk)
    assert text in PAGE
    assert "closes: sound." in text
    assert "2026-03-07 has 23 hours" in text


def test_the_page_holds_the_four_months_and_nothing_else() -> None:
    assert PAGE.startswith(INTRODUCTION)
    assert [line[3:].partition(":")[0] for line in PAGE.splitlines() if line.startswith("## ")] == list(PLANS)
