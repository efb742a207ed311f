"""Reads the whole journal for `upcard ledger check`, and reports every row that is missing, changed or out of place.

It trusts nothing: rows are counted, numbered and hashed again.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.findings import Finding, mistyped
from upcard.ledger.journal import GENESIS, Entry, entry_hash, movement_of, transfer_of
from upcard.ledger.schema import Cell, Row
from upcard.ledger.unit import Unit

if TYPE_CHECKING:
    from upcard.ledger.seals import Seals

Place = tuple[Cell, Cell]  # a chain and a number, whatever the row has in those columns

_COLUMNS = ("chain", "number", "format", "command", "part", "at", "day", "actor", "request", "answer", "key")


@dataclass
class Journal:
    """All entries by chain, in order, and the problems found while reading them."""

    chains: dict[str, list[Entry]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def read_journal(unit: Unit, seals: "Seals | None" = None) -> Journal:
    """Reads the whole journal, and verifies its seals. A chain is read up to its first problem."""
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
            journal.findings.append(Finding(f"{row['chain']!r} {row['number']}", "the name of its chain is not text"))
            continue
        chain = journal.chains.setdefault(row["chain"], [])
        result = _entry(row, *rows, chain, seals)
        if isinstance(result, Finding):
            broken.add(row["chain"])
            journal.findings.append(result)
        else:
            chain.append(result)
    for (chain_name, number), extra in sorted([*transfers.items(), *movements.items()], key=lambda pair: str(pair[0])):
        journal.findings.append(Finding(f"{chain_name} {number}", f"{len(extra)} rows belong to no entry"))
    return journal


def place_of(entry: Entry) -> str:
    """How a finding names an entry."""
    return f"{entry.chain} {entry.number}"


def _by_place(rows: Iterator[Row]) -> dict[Place, list[Row]]:
    grouped: dict[Place, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row["chain"], row["number"]].append(row)
    return dict(grouped)


def _entry(
    row: Row, transfers: list[Row], movements: list[Row], before: list[Entry], seals: "Seals | None"
) -> Entry | Finding:
    """The next entry of a chain, or what is wrong with it."""
    place = f"{row['chain']} {row['number']}"
    if row["number"] != len(before) + 1:
        return Finding(place, f"entry {len(before) + 1}, which comes before it, is missing")
    wrong_type = _mistyped((schema.entries, [row]), (schema.transfers, transfers), (schema.movements, movements))
    if wrong_type is not None:
        return Finding(place, wrong_type)
    for rows in (transfers, movements):
        if [part["position"] for part in rows] != list(range(len(rows))):
            return Finding(place, "its transfers or movements are not numbered 0, 1, 2 and so on")
    columns: dict[str, Any] = {name: row[name] for name in _COLUMNS}  # each of its column's type
    previous = before[-1].hash if before else GENESIS
    try:
        new_hash = entry_hash(
            columns, previous, *([_without_place(part) for part in rows] for rows in (transfers, movements))
        )
        if new_hash != row["hash"]:
            return Finding(place, "its hash does not match its contents or the entry before it")
        wrong_seal = None if seals is None else seals.wrong_in_chain("entries", columns["chain"], row)
        if wrong_seal is not None:
            return Finding(place, wrong_seal)
        return Entry(
            **columns,
            previous=previous,
            transfers=tuple(transfer_of(formats.upcast("transfer", part, columns["format"])) for part in transfers),
            movements=tuple(movement_of(formats.upcast("movement", part, columns["format"])) for part in movements),
            hash=new_hash,
        )
    except (TypeError, ValueError, formats.LaterFormat) as error:
        return Finding(place, f"a row of it is not valid: {error}")


def _without_place(row: Row) -> Row:
    """A transfer or movement as its entry's hash covers it."""
    return {str(name): value for name, value in row.items() if name not in ("chain", "number", "position")}


def _mistyped(*groups: tuple[sa.Table, list[Row]]) -> str | None:
    problems = (mistyped(table, row) for table, rows in groups for row in rows)
    return next((problem for problem in problems if problem is not None), None)
