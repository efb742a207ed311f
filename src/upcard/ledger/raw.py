"""The journal read raw, row by row, with everything that does not hold together on the way: half of the check.

It trusts nothing: rows are counted, numbered and hashed again.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.journal import GENESIS, Entry, entry_hash, movement_of, transfer_of
from upcard.ledger.schema import Cell, Row
from upcard.ledger.unit import Unit

if TYPE_CHECKING:
    from upcard.ledger.seals import Seals

Place = tuple[Cell, Cell]  # a chain and a number, as far as the row tells them

_COLUMNS = ("chain", "number", "format", "command", "part", "at", "day", "actor", "request", "answer", "key")

# What reading a spoiled record can end in; the check names it as a finding instead of falling over it.
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
    """One thing wrong, and where."""

    place: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


@dataclass
class Journal:
    """All entries by chain, in order, and what was found wrong while reading them."""

    chains: dict[str, list[Entry]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def read(unit: Unit, seals: "Seals | None" = None) -> Journal:
    """Reads the whole journal, and verifies its seals."""
    transfers = _by_place(unit.rows(schema.transfers, "chain", "number", "position"))
    movements = _by_place(unit.rows(schema.movements, "chain", "number", "position"))
    journal = Journal()
    broken: set[Cell] = set()
    for row in unit.rows(schema.entries, "chain", "number"):
        place = (row["chain"], row["number"])
        rows = transfers.pop(place, []), movements.pop(place, [])
        if row["chain"] in broken:
            continue
        if not isinstance(row["chain"], str):
            broken.add(row["chain"])
            journal.findings.append(Finding(f"{row['chain']!r} {row['number']}", "the name of its chain is no text"))
            continue
        chain = journal.chains.setdefault(row["chain"], [])
        found = _entry(row, *rows, chain, seals)
        if isinstance(found, Finding):
            broken.add(row["chain"])
            journal.findings.append(found)
        else:
            chain.append(found)
    for (chain_name, number), left in sorted([*transfers.items(), *movements.items()], key=lambda pair: str(pair[0])):
        journal.findings.append(Finding(f"{chain_name} {number}", f"{len(left)} rows belong to no entry"))
    return journal


def place_of(entry: Entry) -> str:
    """Where an entry stands, for people."""
    return f"{entry.chain} {entry.number}"


def one_line(wrong: Exception) -> str:
    """An error's first line."""
    said = str(getattr(wrong, "orig", None) or wrong).strip()
    return said.splitlines()[0] if said else type(wrong).__name__


def _by_place(rows: Iterator[Row]) -> dict[Place, list[Row]]:
    found: dict[Place, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["chain"], row["number"]].append(row)
    return dict(found)


def _entry(
    row: Row, transfers: list[Row], movements: list[Row], before: list[Entry], seals: "Seals | None"
) -> Entry | Finding:
    """The next entry of a chain, or why it is not."""
    place = f"{row['chain']} {row['number']}"
    if row["number"] != len(before) + 1:
        return Finding(place, f"entry {len(before) + 1} is missing before it")
    wrong = _mistyped((schema.entries, [row]), (schema.transfers, transfers), (schema.movements, movements))
    if wrong is not None:
        return Finding(place, wrong)
    for rows in (transfers, movements):
        if [one["position"] for one in rows] != list(range(len(rows))):
            return Finding(place, "its rows are not numbered without a gap")
    columns: dict[str, Any] = {name: row[name] for name in _COLUMNS}  # each of its column's type
    previous = before[-1].hash if before else GENESIS
    try:
        new_hash = entry_hash(
            columns, previous, *([_without_place(one) for one in rows] for rows in (transfers, movements))
        )
        if new_hash != row["hash"]:
            return Finding(place, "its hash does not fit what it says, or the entry before it")
        wrong = None if seals is None else seals.wrong_in_chain("entries", columns["chain"], row)
        if wrong is not None:
            return Finding(place, wrong)
        return Entry(
            **columns,
            previous=previous,
            transfers=tuple(transfer_of(formats.upcast("transfer", one, columns["format"])) for one in transfers),
            movements=tuple(movement_of(formats.upcast("movement", one, columns["format"])) for one in movements),
            hash=new_hash,
        )
    except (TypeError, ValueError, formats.LaterFormat) as odd:
        return Finding(place, f"a row cannot be what was written: {odd}")


def _without_place(row: Row) -> Row:
    """A transfer or movement as its entry's hash covers it."""
    return {str(name): value for name, value in row.items() if name not in ("chain", "number", "position")}


def mistyped(table: sa.Table, row: Row) -> str | None:
    """What of a row is not of its column's type: SQLite keeps anything anywhere."""
    for column in table.columns:
        value, wanted = row[column.name], column.type.python_type
        if not (type(value) is wanted or (value is None and column.nullable)):
            kind = "text" if wanted is str else "whole number"
            return f"{column.name} of {table.name} is no {kind}: {str(value)[:40]!r}"
    return None


def _mistyped(*groups: tuple[sa.Table, list[Row]]) -> str | None:
    found = (mistyped(table, row) for table, rows in groups for row in rows)
    return next((wrong for wrong in found if wrong is not None), None)
