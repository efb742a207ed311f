"""What `upcard ledger check` reports, and the checks of single rows that all its parts share."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from upcard import formats
from upcard.ledger.schema import Row

# What reading a damaged record can raise. The check reports it as a finding instead of failing.
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
    SQLAlchemyError,
    formats.LaterFormat,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem, and where it is."""

    place: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


def one_line(error: Exception) -> str:
    """An error's first line."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def mistyped(table: sa.Table, row: Row) -> str | None:
    """Says which column of a row does not have its type: SQLite stores any value in any column."""
    for column in table.columns:
        value, expected = row[column.name], column.type.python_type
        if not (type(value) is expected or (value is None and column.nullable)):
            kind = "text" if expected is str else "a whole number"
            return f"{column.name} of {table.name} is not {kind}: {str(value)[:40]!r}"
    return None
