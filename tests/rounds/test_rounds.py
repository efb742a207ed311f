"""The golden rounds: every transcript here is replayed and must match byte for byte.

A file is named after the clauses it shows; docs/procedures.md says what they mean.
"""

from pathlib import Path

import pytest

from upcard.catalog import shipped
from upcard.pit.transcript import replay

ROUNDS = sorted(Path(__file__).parent.glob("*.round"))


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_golden_round_replays_byte_for_byte(path: Path) -> None:
    assert replay(shipped(), path) == []


def test_there_are_golden_rounds_of_every_filing() -> None:
    assert len(ROUNDS) >= 60
    assert {path.name[:3] for path in ROUNDS} == {"000", "001", "002", "003", "004"}


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_golden_round_begins_with_the_clause_it_shows(path: Path) -> None:
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"# {path.name[:3]}")
    assert first.endswith(".")
    assert second.startswith("table ")
