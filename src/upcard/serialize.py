"""JSON and CSV output, with exact fractions."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

Cell = str | int | float | None


def json_text(value: object) -> str:
    """Indented JSON; fractions are "p/q"."""
    import orjson  # only for output as JSON: most commands start without it

    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE
    try:
        return orjson.dumps(value, json_default, options).decode()
    except TypeError:  # orjson writes no integers of more than 64 bits; the standard library does, more slowly
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


def dollars_cell(cents: int) -> str:
    """An amount for a spreadsheet: dollars without a sign or commas."""
    return f"{'-' * (cents < 0)}{abs(cents) // 100}.{abs(cents) % 100:02d}"


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
