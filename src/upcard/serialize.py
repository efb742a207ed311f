"""Values as programs get them: JSON and CSV, with fractions exact."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

Cell = str | int | float | None


def json_text(value: object) -> str:
    """JSON as people can read it too; fractions are "p/q"."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=plain) + "\n"


def csv_text(rows: Sequence[Mapping[str, Cell]]) -> str:
    """A header and rows; nothing where there are none."""
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


def plain(value: object) -> object:
    """What JSON has no form for: fractions."""
    if isinstance(value, Fraction):
        return fraction(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
