"""The people's part of `upcard ledger check`: verifies the log, and compares every row with what the log says.

The log is a hash chain, so no entry can be removed or changed unnoticed. It has a hash of each person's row, of each
link and of each approval: a row that was added, deleted, changed or put back from an earlier time does not match it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema as book
from upcard.ledger.append_only_triggers import missing_triggers
from upcard.ledger.findings import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.journal import GENESIS, row_hash
from upcard.ledger.seals import Seals
from upcard.ledger.unit import Unit
from upcard.people import schema
from upcard.people.invitations import LINK_ID_DIGITS, RECOVERY
from upcard.people.person import name_key
from upcard.people.register import LOG, person_hash, sealed_text

Row = Mapping[str, Any]
TRIGGERS = "triggers of the people log"


@dataclass
class PeopleReport:
    """How much was checked, and what is wrong."""

    people: int = 0
    log_lines: int = 0
    findings: list[Finding] = field(default_factory=list)


@dataclass
class _Expected:
    """What the tables must hold, according to the log."""

    people: dict[str, str] = field(default_factory=dict)  # by name key: the hash of the row
    links: dict[str, str] = field(default_factory=dict)  # by the invitation's key: part of the token's hash
    approvals: dict[str, dict[str, Any]] = field(default_factory=dict)


def check(unit: Unit, seals: Seals) -> PeopleReport:
    report = PeopleReport()
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    report.findings += [Finding(name, "this table is missing from the database") for name in missing]
    if missing:
        return report
    try:
        expected, broken = _check_log(unit, seals, report)
        report.findings += broken
        report.findings += _check_rows(unit, seals, report, None if broken else expected)
        for table, change in missing_triggers(unit.connection, schema.APPEND_ONLY):
            sentence = f"the database no longer refuses {change} on {table}: its trigger is missing or changed"
            report.findings.append(Finding(TRIGGERS, sentence))
    except UNREADABLE as error:
        report.findings.append(Finding("people", f"cannot be read: {one_line(error)}"))
    return report


def _check_log(unit: Unit, seals: Seals, report: PeopleReport) -> tuple[_Expected, list[Finding]]:
    expected, previous = _Expected(), GENESIS
    for number, row in enumerate(unit.rows(schema.people_log, "number"), 1):
        place = f"people_log {row['number']}"
        wrong_type = mistyped(schema.people_log, row)
        if wrong_type is not None:
            return expected, [Finding(place, wrong_type)]
        if row["number"] != number:
            return expected, [Finding(place, f"entry {number}, which comes before it, is missing")]
        if row["hash"] != row_hash(previous, row):
            return expected, [Finding(place, "its hash does not match its contents or the entry before it")]
        wrong_seal = seals.wrong_in_chain("people_log", LOG, row)
        if wrong_seal is not None:
            return expected, [Finding(place, wrong_seal)]
        _apply(expected, row)
        previous, report.log_lines = row["hash"], number
    logs = book.logs.c
    head = unit.connection.execute(sa.select(logs.number, logs.hash).where(logs.log == LOG)).first()
    if (report.log_lines, previous) != ((0, GENESIS) if head is None else tuple(head)):
        written = 0 if head is None else head.number
        return expected, [Finding("people_log", f"ends with entry {report.log_lines}, but {written} were written")]
    return expected, []


def _apply(expected: _Expected, row: Row) -> None:
    """Applies one log entry to what the tables must hold."""
    after, subject = formats.read("people log", row["after"], row["format"]), row["subject"]
    if "person" in after:
        expected.people[name_key(subject)] = after["person"]
    match row["action"]:
        case "setup-link-created":
            expected.links[""] = after["link"]
        case "person-invited":
            expected.links[name_key(subject)] = after["link"]
        case "recovery-link-created":
            expected.links[f"{RECOVERY}{name_key(subject)}"] = after["link"]
        case "house-set-up":
            expected.links.pop("", None)
        case "invitation-accepted":
            expected.links.pop(name_key(subject), None)
        case "account-recovered":
            expected.links.pop(f"{RECOVERY}{name_key(subject)}", None)
        case "approval-requested":
            requested = {"payload": after["payload"], "role": after["role"], "requested_by": row["actor"]}
            unused = {"approved_by": None, "approved_at": None, "used_at": None}
            expected.approvals[subject] = {**requested, "requested_at": row["at"], **unused}
        case "approval-given":
            expected.approvals[subject] |= {"approved_by": row["actor"], "approved_at": row["at"]}
        case "approval-used" | "approval-withdrawn":
            expected.approvals[subject]["used_at"] = row["at"]


def _check_rows(unit: Unit, seals: Seals, report: PeopleReport, expected: _Expected | None) -> Iterator[Finding]:
    """Checks every row's seal; compares people, links and approvals with the log, if that could be read."""
    rows: dict[str, list[Row]] = {}
    for table in schema.SEALED:
        (key, *_) = table.primary_key
        rows[table.name] = list(unit.rows(table, key.name))
        for row in rows[table.name]:
            place = f"{table.name}: {row[key.name]}"
            problem = mistyped(table, row) or seals.wrong_row(row, sealed_text(table, row))
            if problem is not None:
                yield Finding(place, problem)
    report.people = len(rows["people"])
    if expected is None:
        return
    people = {row["name_key"]: person_hash(row) for row in rows["people"]}
    links = {row["name_key"]: row["token"][:LINK_ID_DIGITS] for row in rows["invitations"]}
    approvals = {
        row["id"]: {name: row[name] for name in row if name not in ("id", "format", "expires_at", "key", "mac")}
        for row in rows["approvals"]
    }
    yield from _compare("people", people, expected.people)
    yield from _compare("invitations", links, expected.links)
    yield from _compare("approvals", approvals, expected.approvals)


def _compare(table: str, stored: Mapping[str, object], expected: Mapping[str, object]) -> Iterator[Finding]:
    for key in sorted({*stored, *expected}):
        if key not in stored:
            yield Finding(f"{table}: {key}", "its row was deleted: the log still lists it")
        elif key not in expected:
            yield Finding(f"{table}: {key}", "its row was added: the log does not list it")
        elif stored[key] != expected[key]:
            yield Finding(f"{table}: {key}", "its row does not match the log")
