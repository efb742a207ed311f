"""The golden rounds: every transcript here is replayed and must match byte for byte.

A file is named after the clauses it shows; docs/procedures.md says what they mean.
"""

import re
from pathlib import Path

import pytest

from upcard.catalog import shipped
from upcard.pit.transcript import replay

ROUNDS = sorted(Path(__file__).parent.glob("*.round"))


def filing_of(path: Path) -> str:
    """By its name, or where it is named after a reading by its first line."""
    return path.read_text(encoding="utf-8")[2:5] if path.name.startswith("R") else path.name[:3]


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_golden_round_replays_byte_for_byte(path: Path) -> None:
    assert replay(shipped(), path) == []


def test_there_are_golden_rounds_of_every_filing() -> None:
    assert len(ROUNDS) >= 60
    assert {filing_of(path) for path in ROUNDS} == {"000", "001", "002", "003", "004"}


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_golden_round_begins_with_the_clause_it_shows(path: Path) -> None:
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"# {filing_of(path)}")
    if path.name.startswith("R"):  # an option of a reading
        named = re.match(r"# \d{3}, (R\d+) ([a-z0-9-]+)", first)
        assert named is not None
        assert path.name.startswith(f"{named[1]}-{named[2]}-")
    assert first.endswith(".")
    assert second.startswith("table ")
