"""The golden books: of each format one book, kept as text, that every later version must open, continue and check.

`golden/format-N.rows` has the rows of the book, and `golden/format-N.json` its keys, the time it was left and the form
of its tables. A book is added by adding these two files: `write_golden.py` writes those of today's format.
"""

import json
from pathlib import Path
from typing import Any

from upgrades.book_as_text import FIRST_FORM, read_text

GOLDEN = Path(__file__).parent / "golden"
BOOKS = sorted(path.stem for path in GOLDEN.glob("*.json"))


def format_of(name: str) -> int:
    return int(name.removeprefix("format-"))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a book as text."""
    return [json.loads(line) for line in path.with_suffix(".rows").read_text(encoding="utf-8").splitlines()]


def load_golden(name: str, address: str) -> dict[str, Any]:
    """Puts a golden book into an empty database; returns its keys and the time it was left."""
    path = GOLDEN / name
    golden: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    read_text(path.with_suffix(".rows"), address, golden.pop("form", FIRST_FORM))
    return golden
