"""The journal read raw, row by row, with everything that does not hold together on the way: half of the check.

It trusts nothing: rows are counted, numbered and sealed again.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from upcard.ledger import schema
from upcard.ledger.journal import GENESIS, Entry, Movement, transfer_of
from upcard.ledger.transfers import Transfer
from upcard.ledger.unit import Unit
from upcard.units import Cents

Row = Mapping[str, Any]
Place = tuple[str, int]


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


def read(unit: Unit) -> Journal:
    """Reads the whole journal."""
    transfers = _by_place(unit.rows(schema.transfers, "chain", "number", "position"))
    movements = _by_place(unit.rows(schema.movements, "chain", "number", "position"))
    journal = Journal()
    broken: set[str] = set()
    for row in unit.rows(schema.entries, "chain", "number"):
        place = (row["chain"], row["number"])
        rows = transfers.pop(place, []), movements.pop(place, [])
        if row["chain"] in broken:
            continue
        chain = journal.chains.setdefault(row["chain"], [])
        found = _entry(row, *rows, chain)
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


def _by_place(rows: Iterator[Row]) -> dict[Place, list[Row]]:
    found: dict[Place, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["chain"], row["number"]].append(row)
    return dict(found)


def _entry(row: Row, transfers: list[Row], movements: list[Row], before: list[Entry]) -> Entry | Finding:
    """The next entry of a chain, or why it is not."""
    place = f"{row['chain']} {row['number']}"
    if row["number"] != len(before) + 1:
        return Finding(place, f"entry {len(before) + 1} is missing before it")
    for rows in (transfers, movements):
        if [one["position"] for one in rows] != list(range(len(rows))):
            return Finding(place, "its rows are not numbered without a gap")
    try:
        moved: tuple[Transfer, ...] = tuple(transfer_of(one) for one in transfers)
        shown = tuple(_movement(one) for one in movements)
    except ValueError as wrong:
        return Finding(place, f"a row cannot be what was written: {wrong}")
    entry = Entry(
        **{name: row[name] for name in ("chain", "number", "command", "part", "at", "day", "actor")},
        **{name: row[name] for name in ("request", "answer", "previous")},
        transfers=moved,
        movements=shown,
    )
    if entry.previous != (before[-1].hash if before else GENESIS):
        return Finding(place, "it does not continue the entry before it")
    if entry.hash != row["hash"]:
        return Finding(place, "its seal does not fit what it says")
    return entry


def _movement(row: Row) -> Movement:
    return Movement(
        meter=row["meter"],
        reason=row["reason"],
        before=Cents(row["before"]),
        after=Cents(row["after"]),
        carry=row["carry"],
    )
