"""The service's part of `upcard ledger check`: recomputes histories, shoes and rounds and compares them with the book.

Checks the numbers and hashes of every stream's records, and replays every table from its first record, as far as its
shoes' keys are available. The ledger must contain exactly what the records requested, and the rows of rounds, players'
rounds and shoes must agree with the records.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.cards.shoe import commitment
from upcard.catalog.ruleset import Ruleset
from upcard.engine import Refusal
from upcard.ledger import rulesets
from upcard.ledger import schema as book
from upcard.ledger.append_only_triggers import missing_triggers
from upcard.ledger.chains import chain_of, request_text
from upcard.ledger.findings import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.journal import FLOOR, GENESIS, HOUSE, instant_of, row_hash, table_chain
from upcard.ledger.keyring import Keyring
from upcard.ledger.opening_requests import jackpot_opening
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.seals import Seals
from upcard.ledger.unit import Unit
from upcard.people.register import LOG
from upcard.pit.refusals import PitRefusal
from upcard.problems import BadRequest, UpcardError
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import Rulesets
from upcard.service.pending import stream_of
from upcard.service.records import Row, command_of
from upcard.service.refusal_chains import NO_STREAM
from upcard.service.refusals import ServiceRefusal
from upcard.service.round_index import RoundIndex
from upcard.service.stream_audit import AuditKeys, AuditProblem, StreamAudit, checked_hash

TRIGGERS = "triggers of the records"
_REASONS = {code.value for kind in (Refusal, PitRefusal, BookRefusal, ServiceRefusal) for code in kind}


@dataclass
class RecordsReport:
    """What was checked, what could not be checked, and the findings."""

    streams: int = 0
    records: int = 0
    replayed: int = 0
    rounds: int = 0
    shoes: int = 0
    refused: int = 0
    notes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings


def check(unit: Unit, keyring: Keyring | None, seals: Seals | None = None) -> RecordsReport:
    """Checks the service's records; with `keyring`, also the shoes in play."""
    report, seals = RecordsReport(), seals or Seals(unit, keyring)
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    report.findings += [Finding(name, "this database table of the service is missing") for name in missing]
    if missing:
        return report
    for name, findings in (
        ("streams", _check_streams(unit, keyring, seals, report)),
        ("refusals", _check_refusals(unit, seals, report)),
        ("shoes", _check_encrypted_keys(unit, keyring, seals)),
        (TRIGGERS, _check_triggers(unit)),
    ):
        try:
            report.findings += findings
        except UNREADABLE as error:
            report.findings.append(Finding(name, f"it cannot be read: {one_line(error)}"))
    return report


def _check_triggers(unit: Unit) -> Iterator[Finding]:
    for table, change in missing_triggers(unit.connection, schema.APPEND_ONLY):
        yield Finding(
            TRIGGERS, f"the database no longer refuses {change} on {table}: its trigger is missing or changed"
        )


# --- streams ------------------------------------------------------------------------------------------------------


def _check_streams(unit: Unit, keyring: Keyring | None, seals: Seals, report: RecordsReport) -> Iterator[Finding]:
    stored = {row["stream"]: row for row in unit.rows(schema.streams, "stream")}
    for stream in unit.connection.scalars(sa.select(schema.history.c.stream).distinct()):
        if stream not in stored:
            yield Finding(str(stream), "it has records, but its row is missing")
    tables: dict[str, RoundIndex | None] = {}
    for name, row in stored.items():
        type_error = mistyped(schema.streams, row)
        kind, _, table = name.partition(":") if isinstance(name, str) else ("", "", "")
        if type_error is not None:
            yield Finding(str(name), type_error)
        elif name == HOUSE:
            yield from _check_plain_stream(unit, row, seals, report, _check_house_entry)
        elif name == FLOOR and row["version"]:
            yield from _check_plain_stream(unit, row, seals, report, _check_floor_log_entry)
        elif name == FLOOR:
            yield from _check_empty_stream(unit, row)
        elif kind != "table" or not table:
            yield Finding(str(name), "this kind of stream does not exist")
        elif row["version"] == 0:
            yield from _check_empty_stream(unit, row)
        else:
            tables[table] = yield from _check_table(
                unit, AuditKeys(table, _shoes(unit, table), keyring), row, seals, report
            )
        report.streams += 1
    yield from _check_derived(unit, tables, report)


def _check_empty_stream(unit: Unit, row: Row) -> Iterator[Finding]:
    """A stream without records must have an empty row."""
    stored_state = (row["hash"], row["snapshot"], row["snapshot_version"], row["due"])
    if stored_state != (GENESIS, "", 0, None) or any(True for _ in _history(unit, row["stream"])):
        yield Finding(row["stream"], "its row says that it has no records, but there is data for it")


def _history(unit: Unit, stream: str) -> Iterator[Row]:
    query = sa.select(schema.history).where(schema.history.c.stream == stream).order_by(schema.history.c.number)
    for row in unit.connection.execute(query):
        yield row._asdict()


def _shoes(unit: Unit, table: str) -> dict[int, Row]:
    query = sa.select(schema.shoes).where(schema.shoes.c.table_name == table)
    return {shoe.number: shoe._asdict() for shoe in unit.connection.execute(query)}


def _check_table(
    unit: Unit, keys: AuditKeys, row: Row, seals: Seals, report: RecordsReport
) -> Generator[Finding, None, RoundIndex | None]:
    entries = _entries(unit, table_chain(keys.table))
    audit = StreamAudit(_rulesets(unit), keys.table, keys, entries, _openings(unit), row, seals)
    findings = list(audit.run(_history(unit, row["stream"])))
    yield from findings
    report.records += audit.number
    report.replayed += audit.replayed
    report.notes += audit.gaps
    return None if findings else audit.index


def _rulesets(unit: Unit) -> Rulesets:
    """The rules stored in the book, not those in files."""

    def find(name: str) -> Ruleset:
        ruleset = rulesets.find(unit.connection, name)
        if ruleset is None:
            raise AuditProblem(f"the rules {name[:12]} that it was dealt by are missing")
        return ruleset

    return find


def _entries(unit: Unit, chain: str) -> Iterator[Row]:
    """The entries of a chain, without the parts that continue them."""
    entries = book.entries
    query = sa.select(entries.c.number, entries.c.format, entries.c.command, entries.c.actor, entries.c.request)
    for row in unit.connection.execute(query.where(entries.c.chain == chain, entries.c.part == 0).order_by("number")):
        yield row._asdict()


def _openings(unit: Unit) -> Mapping[str, set[str]]:
    """The jackpots opened together with a table, by the id of the command that opened both."""
    entries = book.entries
    first = sa.select(entries.c.chain, entries.c.command).where(
        entries.c.chain.like("jackpot:%"), entries.c.number == 1
    )
    opened: dict[str, set[str]] = {}
    for row in unit.connection.execute(first):
        name, _, number = row.command.rpartition("//")
        owner = name if name and number.isdigit() else row.command
        opened.setdefault(owner, set()).add(row.chain.partition(":")[2])
    return opened


def _check_plain_stream(
    unit: Unit, stored: Row, seals: Seals, report: RecordsReport, check_entry: Callable[[Unit, Row], None]
) -> Iterator[Finding]:
    """A stream without a state of its own: the house's, or the floor's log."""
    name, number, last = stored["stream"], 0, GENESIS
    try:
        for row in _history(unit, name):
            number += 1
            last = checked_hash(row, number, last, seals)
            check_entry(unit, row)
        stored_state = (
            stored["version"],
            stored["hash"],
            stored["snapshot"],
            stored["snapshot_version"],
            stored["due"],
        )
        if stored_state != (number, last, "", 0, None):
            raise AuditProblem("the stream's row does not match its last record")
    except AuditProblem as error:
        yield Finding(f"{name} record {number}", str(error))
    except (UpcardError, *UNREADABLE) as error:
        yield Finding(f"{name} record {number}", f"it cannot be read: {one_line(error)}")
    report.records += number
    report.replayed += number


def _check_floor_log_entry(_: Unit, row: Row) -> None:
    if not isinstance(command_of(row), s.FloorLogCommand):
        raise AuditProblem("it is not a record of the floor's log")


def _check_house_entry(unit: Unit, row: Row) -> None:
    command = command_of(row)
    if isinstance(command, s.OpenJackpot):
        request: Record = jackpot_opening(_rulesets(unit)(row["rules"]), command.jackpot, command.wager)
    elif isinstance(command, s.House):
        request = command.request
    else:
        raise AuditProblem("it is not a record of the house")
    parts = unit.parts_of(row["id"])
    if not parts or (parts[0].chain, parts[0].actor) != (chain_of(request), row["actor"]):
        raise AuditProblem("the ledger has no entry for it, or one with another request")
    if formats.today("request", parts[0].request, parts[0].format) != request_text(request):
        raise AuditProblem("the ledger has no entry for it, or one with another request")


# --- what follows from the records --------------------------------------------------------------------------------


def _check_derived(unit: Unit, streams: Mapping[str, RoundIndex | None], report: RecordsReport) -> Iterator[Finding]:
    """Rounds, players' rounds and shoes. Skips broken streams: more findings would only hide the first one."""
    broken = {table for table, index in streams.items() if index is None}
    tables = {table: index for table, index in streams.items() if index is not None}
    expected_rounds = {
        (round_row["table_name"], round_row["round"]): round_row
        for index in tables.values()
        for round_row in index.rounds
    }
    expected_players = {
        (player_row["player"], player_row["at"], player_row["table_name"], player_row["round"]): player_row
        for index in tables.values()
        for player_row in index.players
    }
    expected_shoes = {
        (table, number): {"table_name": table, "number": number, **shoe_row}
        for table, index in tables.items()
        for number, shoe_row in index.shoes.items()
    }
    report.rounds, report.shoes = len(expected_rounds), len(expected_shoes)
    yield from _compare_rows(unit, schema.rounds, expected_rounds, broken, "round {1} of {0}")
    yield from _compare_rows(unit, schema.player_rounds, expected_players, broken, "round {3} of {0} at {2}")
    yield from _compare_rows(unit, schema.shoes, expected_shoes, broken, "shoe {1} of {0}")


def _compare_rows(
    unit: Unit, table: sa.Table, expected_rows: dict[Any, dict[str, Any]], broken: set[str], place: str
) -> Iterator[Finding]:
    """Compares rows with the records, cell by cell; only `encrypted_key` is in no record."""
    keys = [column.name for column in table.primary_key]
    unmatched = dict(expected_rows)
    for row in unit.rows(table, *keys):
        if row["table_name"] in broken:
            continue
        name = tuple(row[key] for key in keys)
        expected = unmatched.pop(name, None)
        where = f"{table.name}: {place.format(*name)}"
        type_error = mistyped(table, row)
        if type_error is not None:
            yield Finding(where, type_error)
        elif expected is None:
            yield Finding(where, "there is no record of it")
        else:
            differing = [key for key, value in expected.items() if _current_value(row, key) != value]
            if differing:
                yield Finding(where, f"its {differing[0]} does not match the records")
    for name in unmatched:
        yield Finding(f"{table.name}: {place.format(*name)}", "it is missing")


def _current_value(row: Row, column: str) -> Any:
    """A cell in the current format."""
    if column in ("slips", "void") and row[column] is not None:
        return formats.today(column, row[column], row["format"])
    return row[column]


def _check_encrypted_keys(unit: Unit, keyring: Keyring | None, seals: Seals) -> Iterator[Finding]:
    """Decrypts the shoes' keys, as far as the operator's keys are available, and checks their commitments."""
    if keyring is None:
        return  # a note of the seals says that the operator's key is not available
    for row in unit.rows(schema.shoes, "table_name", "number"):
        owner = f"shoe {row['number']} of {row['table_name']}"
        if not row["commitment"] and not row["encrypted_key"]:
            continue  # dealt by hand
        encrypted = str(row["encrypted_key"])
        key_id = encrypted.partition(":")[0]
        if key_id in seals.key_ids and keyring.find(key_id) is None:
            continue  # encrypted with a key that was lost
        try:
            key = keyring.decrypt(encrypted, owner)
        except BadRequest as error:
            yield Finding(f"shoes: {owner}", str(error))
            continue
        if commitment(key) != row["commitment"]:
            yield Finding(f"shoes: {owner}", "its encrypted key does not match its commitment")


# --- refusals -----------------------------------------------------------------------------------------------------


def _check_refusals(unit: Unit, seals: Seals, report: RecordsReport) -> Iterator[Finding]:
    """Refusals are chained per stream; each belongs to a command that was not carried out."""
    refused, history = schema.refusals, schema.history
    same_command = sa.and_(history.c.id == refused.c.id, history.c.command == refused.c.command)
    carried_out: Sequence[str] = list(unit.connection.scalars(sa.select(refused.c.id).join(history, same_command)))
    for name in carried_out:
        yield Finding(f"refusals: {name}", "this command was also carried out")
    ends: dict[str, tuple[int, str]] = {}
    broken: set[str] = set()
    for row in unit.rows(refused, "chain", "number"):
        report.refused += 1
        chain = str(row["chain"])
        problem = None if chain in broken else _refusal_problem(row, ends.get(chain, (0, GENESIS)), seals)
        if problem is not None:
            broken.add(chain)
            yield Finding(f"refusals: {row['id']}", problem)
        elif chain not in broken:
            ends[chain] = int(row["number"] or 0), str(row["hash"])
    logs = book.logs.c
    streams = schema.streams.c
    rows = unit.connection.execute(sa.select(streams.stream, streams.refusals, streams.refusals_hash))
    heads = {stream: (number, last) for stream, number, last in rows}
    for log, number, last in unit.connection.execute(
        sa.select(logs.log, logs.number, logs.hash).where(logs.log != LOG)
    ):
        heads[log] = number, last
    for stream in sorted({*heads, *ends} - broken):
        if heads.get(stream, (0, GENESIS)) != ends.get(stream, (0, GENESIS)):
            written, stored = heads.get(stream, (0, ""))[0], ends.get(stream, (0, ""))[0]
            yield Finding(
                f"refusals of {stream}", f"{written} were written, but the last one stored is number {stored}"
            )


def _refusal_problem(row: Row, before: tuple[int, str], seals: Seals) -> str | None:
    type_error = mistyped(schema.refusals, row)
    if type_error is not None:
        return type_error
    number, previous = before
    if row["number"] != number + 1:
        return f"refusal {number + 1} is missing before it"
    if row["hash"] != row_hash(previous, row):
        return "its hash does not match its content, or the refusal before it"
    problem = seals.wrong_in_chain("refusals", row["chain"], row)
    if problem is not None:
        return problem
    try:
        command = command_of(row)
        instant_of(row["at"])
    except (UpcardError, *UNREADABLE) as error:
        return f"it cannot be read: {one_line(error)}"
    stream = stream_of(command)
    if row["stream"] != stream or row["chain"] not in (stream, NO_STREAM):
        return "its command belongs to another stream"
    if row["code"] not in _REASONS and row["format"] == formats.FORMAT:
        return f"the refusal code {row['code']!r} does not exist"
    return None
