"""Writes and reads docs/tampering.md: what finds each tampering."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from service.forger import CHAIN_OF, TABLES
from support.guards import APPEND_ONLY

from upcard.people import schema as people

PAGE = Path(__file__).parents[2] / "docs" / "tampering.md"
CHAINED = (*CHAIN_OF, "transfers", "movements")  # hashes of entries cover transfers and movements too
SEALED = tuple(table.name for table in people.SEALED)
_SEALS = ("hash", "mac", "mac_by_previous", "mac_by_new", "signature_by_previous")
CELL_ACTS = ("change", "change, hashed again", "change, sealed again")
ROW_ACTS = ("delete", "cut off, heads moved", "insert", "insert, hashed again", "insert, sealed again")

INTRODUCTION = """\
# What finds tampering

Somebody has the database, and changes, deletes or inserts rows. This page shows what finds it, on SQLite and on
PostgreSQL alike. `tests/service/test_tamper_matrix.py` tries every cell below on a small book whose guards were set
aside, and fails when the page says something else (`make test` tries a part of them, `make soak` all of them on both
databases). Tables and columns come from the schema, so none can be forgotten. `make tampering` writes the page.

What a forger does:

- **change, delete, insert**: one row, and nothing else.
- **hashed again**: then they compute every hash and every head again, as anybody can.
- **cut off, heads moved**: they delete the last row of a chain, and its head says that it never existed.
- **sealed again**: they also stole the operator's keys, and make every seal and signature again.

What finds it:

- **check**: `upcard ledger check BOOK`, with the operator's key and nothing else.
- **mark**: `upcard doctor BOOK` with the key, which compares the book with the
  [high-water mark](operating.md#what-to-keep-and-where) beside the key. A mark has seen the last row of every chain
  five seconds after it was written at the latest.
- **checkpoint**: `upcard doctor BOOK`, or `upcard ledger check BOOK --checkpoint FOLDER`: the book does not match a
  checkpoint. A running service writes one every hour and after each daily close. It shows only what happened to rows
  that are older than the checkpoint, and so it is not listed where the row may be newer.
- **nothing**: see [limits](#limits).

The guards of the database come first: it refuses to change or delete written records, to replace them (SQLite's
`INSERT OR REPLACE`) or to truncate them (PostgreSQL). The check and the doctor report guards that are missing, and
triggers that are not Upcard's (`tests/service/test_guards.py`). On PostgreSQL the service's role
[cannot remove them](operating.md#a-role-for-the-service).

## Limits

- Without the operator's key, one thing goes unnoticed: deleting sessions, tickets and counts of wrong attempts. That
  signs people out, or lets somebody guess again sooner.
- Whoever also stole the key writes like the service. The rules still find wrong money and wrong cards. They do not find
  a forged session, or a link with other roles, or a new line at the end of a log. What is rewritten or cut off
  differs from the mark and from the checkpoints: keep those where the forger cannot write. The mark lies beside the
  key, so against a thief of the key only a folder of checkpoints on another machine helps.
- A whole book that is put back to a moment after the last checkpoint is found by the mark only. The service also finds
  it when it starts, and makes the book ready for play ([restore](operating.md#backup-and-restore)).
"""


@dataclass(frozen=True, slots=True)
class Case:
    table: str
    column: str  # empty: a whole row
    act: str

    def __str__(self) -> str:
        return f"{self.table}{'.' * bool(self.column)}{self.column}: {self.act}"


def applies(table: str, column: str, act: str) -> bool:
    """Whether an act makes sense for a table or column: not every row has a hash or a seal."""
    if act.endswith("hashed again"):
        return table in CHAINED and column not in _SEALS
    if act.endswith("sealed again"):
        return table in (*CHAINED, *SEALED) and column not in _SEALS
    return table in CHAIN_OF if act.startswith("cut off") else True


def refused(table: str, dialect: str) -> str:
    """What a database refuses to do to the rows of a table."""
    if table not in {guarded.name for guarded in APPEND_ONLY}:
        return ""
    if dialect == "postgresql":
        return "change, delete, truncate"
    return "change, delete" if table == "transfers" else "change, delete, replace"


def page(known_attacks: Mapping[str, str], results: Mapping[Case, str]) -> str:
    """The page: what finds each known attack and each case, and what the database refuses by table."""
    known = [f"| {name} | {finders} |" for name, finders in known_attacks.items()]
    lines = [INTRODUCTION.rstrip(), "", "## Known attacks", "", "| attack | what finds it |", "|---|---|", *known]
    lines += [
        "",
        "## Whole rows",
        "",
        _line("table", "SQLite refuses", "PostgreSQL refuses", *ROW_ACTS),
        _rule(3 + len(ROW_ACTS)),
    ]
    for name in TABLES:
        guards = [refused(name, dialect) for dialect in ("sqlite", "postgresql")]
        lines.append(_line(f"`{name}`", *guards, *_cells(results, name, "", ROW_ACTS)))
    lines += ["", "## Cells"]
    for name, table in TABLES.items():
        lines += ["", f"### `{name}`", "", _line("column", *CELL_ACTS), _rule(1 + len(CELL_ACTS))]
        names = [column.name for column in table.columns]
        lines += [_line(f"`{column}`", *_cells(results, name, column, CELL_ACTS)) for column in names]
    return "\n".join([*lines, ""])


def _cells(results: Mapping[Case, str], table: str, column: str, acts: tuple[str, ...]) -> list[str]:
    return [results.get(Case(table, column, act), "") for act in acts]


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(count: int) -> str:
    return "|" + "---|" * count


def documented(text: str) -> dict[Case, str]:
    """The results that a page shows."""
    results: dict[Case, str] = {}
    table, in_rows = "", True
    for line in text.partition("## Whole rows")[2].splitlines():
        if line.startswith("## Cells"):
            in_rows = False
        elif line.startswith("### "):
            table = line.strip("# `")
        elif line.startswith("| `"):
            first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            name = first.strip("`")
            place = (name, "") if in_rows else (table, name)
            shown = zip(ROW_ACTS, cells[2:], strict=True) if in_rows else zip(CELL_ACTS, cells, strict=True)
            results |= {Case(*place, act): cell for act, cell in shown if applies(*place, act)}
    return results
