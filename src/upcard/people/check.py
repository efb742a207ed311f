"""The people's half of `upcard ledger check`: the log made again, and every row compared with what the log says.

The log is a chain, so nothing can be taken out of it or changed. It has a digest of each person's row, of each link and
of each approval: rows that were added, deleted, changed or put back from an earlier time do not fit it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema as book
from upcard.ledger.guards import missing_guards
from upcard.ledger.journal import GENESIS, row_hash
from upcard.ledger.raw import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.seals import Seals
from upcard.ledger.unit import Unit
from upcard.people import schema
from upcard.people.invitations import LINK_DIGITS, RECOVERY
from upcard.people.person import key_of
from upcard.people.register import LOG, person_digest, sealed_text

Row = Mapping[str, Any]
GUARDS = "guards of the people's log"


@dataclass
class PeopleChecked:
    """What was looked at, and what was found."""

    people: int = 0
    log_lines: int = 0
    findings: list[Finding] = field(default_factory=list)


@dataclass
class _Logged:
    """What the log says there must be."""

    people: dict[str, str] = field(default_factory=dict)  # by name key: the digest of the row
    links: dict[str, str] = field(default_factory=dict)  # by the invitation's key: a part of the token's digest
    approvals: dict[str, dict[str, Any]] = field(default_factory=dict)


def check(unit: Unit, seals: Seals) -> PeopleChecked:
    """Checks the people's tables."""
    report = PeopleChecked()
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    report.findings += [Finding(name, "this table of the people is missing") for name in missing]
    if missing:
        return report
    try:
        logged, broken = _log(unit, seals, report)
        report.findings += broken
        report.findings += _rows(unit, seals, report, None if broken else logged)
        for table, change in missing_guards(unit.connection, schema.GROWING):
            sentence = f"the database no longer refuses {change} on {table}: its trigger is gone or changed"
            report.findings.append(Finding(GUARDS, sentence))
    except UNREADABLE as wrong:
        report.findings.append(Finding("people", f"they cannot be read: {one_line(wrong)}"))
    return report


def _log(unit: Unit, seals: Seals, report: PeopleChecked) -> tuple[_Logged, list[Finding]]:
    logged, previous = _Logged(), GENESIS
    for number, row in enumerate(unit.rows(schema.people_log, "number"), 1):
        place = f"people_log {row['number']}"
        odd = mistyped(schema.people_log, row)
        if odd is not None:
            return logged, [Finding(place, odd)]
        if row["number"] != number:
            return logged, [Finding(place, f"line {number} is missing before it")]
        if row["hash"] != row_hash(previous, row):
            return logged, [Finding(place, "its hash does not fit what it says, or the line before it")]
        wrong = seals.wrong_in_chain("people_log", LOG, row)
        if wrong is not None:
            return logged, [Finding(place, wrong)]
        _note(logged, row)
        previous, report.log_lines = row["hash"], number
    logs = book.logs.c
    head = unit.connection.execute(sa.select(logs.number, logs.hash).where(logs.log == LOG)).first()
    if (report.log_lines, previous) != ((0, GENESIS) if head is None else tuple(head)):
        written = 0 if head is None else head.number
        return logged, [Finding("people_log", f"it ends with line {report.log_lines}, where {written} were written")]
    return logged, []


def _note(logged: _Logged, row: Row) -> None:
    after, subject = formats.read("people log", row["after"], row["format"]), row["subject"]
    if "person" in after:
        logged.people[key_of(subject)] = after["person"]
    match row["action"]:
        case "setup-link-created":
            logged.links[""] = after["link"]
        case "person-invited":
            logged.links[key_of(subject)] = after["link"]
        case "recovery-link-created":
            logged.links[f"{RECOVERY}{key_of(subject)}"] = after["link"]
        case "house-set-up":
            logged.links.pop("", None)
        case "invitation-accepted":
            logged.links.pop(key_of(subject), None)
        case "account-recovered":
            logged.links.pop(f"{RECOVERY}{key_of(subject)}", None)
        case "approval-requested":
            told = {"payload": after["payload"], "role": after["role"], "requested_by": row["actor"]}
            unused = {"approved_by": None, "approved_at": None, "used_at": None}
            logged.approvals[subject] = {**told, "requested_at": row["at"], **unused}
        case "approval-given":
            logged.approvals[subject] |= {"approved_by": row["actor"], "approved_at": row["at"]}
        case "approval-used":
            logged.approvals[subject]["used_at"] = row["at"]


def _rows(unit: Unit, seals: Seals, report: PeopleChecked, logged: _Logged | None) -> Iterator[Finding]:
    """Every row has its seal; people, links and approvals are those of the log, where that can be read."""
    rows: dict[str, list[Row]] = {}
    for table in schema.SEALED:
        (key, *_) = table.primary_key
        rows[table.name] = list(unit.rows(table, key.name))
        for row in rows[table.name]:
            place = f"{table.name}: {row[key.name]}"
            wrong = mistyped(table, row) or seals.wrong_row(row, sealed_text(table, row))
            if wrong is not None:
                yield Finding(place, wrong)
    report.people = len(rows["people"])
    if logged is None:
        return
    people = {row["name_key"]: person_digest(row) for row in rows["people"]}
    links = {row["name_key"]: row["token"][:LINK_DIGITS] for row in rows["invitations"]}
    approvals = {
        row["id"]: {name: row[name] for name in row if name not in ("id", "format", "expires_at", "key", "mac")}
        for row in rows["approvals"]
    }
    yield from _same("people", people, logged.people)
    yield from _same("invitations", links, logged.links)
    yield from _same("approvals", approvals, logged.approvals)


def _same(table: str, there: Mapping[str, object], logged: Mapping[str, object]) -> Iterator[Finding]:
    for key in sorted({*there, *logged}):
        if key not in there:
            yield Finding(f"{table}: {key}", "its row was deleted: the log still lists it")
        elif key not in logged:
            yield Finding(f"{table}: {key}", "its row was added: the log does not list it")
        elif there[key] != logged[key]:
            yield Finding(f"{table}: {key}", "its row is not what the log says")
