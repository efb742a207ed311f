"""JSON and CSV output, with exact fractions."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

Cell = str | int | float | None


def json_text(value: object) -> str:
    """Indented JSON; fractions are "p/q"."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=json_default) + "\n"


def csv_text(rows: Sequence[Mapping[str, Cell]]) -> str:
    """A header and rows; empty if there are no rows."""
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def fraction(value: Fraction) -> str:
    """A fraction as "p/q"."""
    return f"{value.numerator}/{value.denominator}"


def number(value: Fraction) -> int | float:
    """A fraction as a plain number."""
    return value.numerator if value.denominator == 1 else float(value)


def json_default(value: object) -> object:
    """Converts fractions, which JSON does not have."""
    if isinstance(value, Fraction):
        return fraction(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
