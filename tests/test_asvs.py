"""docs/asvs.md has a row for every requirement of ASVS 5.0 at levels 1 and 2, and names only tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "asvs.md").read_text()

# How many requirements of levels 1 and 2 each section has. Within a section they come first, except those left out.
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2,
    "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2,
    "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4,
    "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2,
    "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1,
    "9.1": 3, "9.2": 4,
    "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4,
    "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5,
    "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7,
    "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
}  # fmt: skip
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if re.match(r"\| \d", line)]


def numbers(cell: str) -> list[str]:
    """The requirements that a cell names: one, several, or a range like 1.2.6 to 1.2.8."""
    listed = []
    for part in cell.strip().split(", "):
        first, _, last = part.partition(" to ")
        section, _, start = first.rpartition(".")
        end = int((last or first).rpartition(".")[2])
        listed += [f"{section}.{number}" for number in range(int(start), end + 1)]
    return listed


def test_every_requirement_has_one_row() -> None:
    listed = [number for row in ROWS for number in numbers(row[0])]
    expected = [f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)]
    assert sorted(listed) == sorted(expected)


def test_every_row_has_a_test_or_a_reason() -> None:
    for row in ROWS:
        number, how, shown = (cell.strip() for cell in row)
        assert how, number
        assert shown, number


def test_the_tests_named_exist() -> None:
    paths = set(re.findall(r"`((?:tests|src|bench)/[\w/.]+)`", PAGE))
    assert len(paths) > 40
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
