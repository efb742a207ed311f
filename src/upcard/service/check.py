"""The service's half of `upcard ledger check`: histories, shoes and rounds, made again and compared with the book.

Every stream's records are counted and hashed again; every table's are done again from the first by the rules, as far as
the keys of its shoes are here. What a record asks of the book must stand in the book, and rounds, players' rounds and
shoes are what the records tell.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
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
from upcard.ledger.journal import GENESIS, HOUSE, instant_of, row_hash, table_chain
from upcard.ledger.keyring import Keyring
from upcard.ledger.opening_requests import jackpot_opening
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.seals import Seals
from upcard.ledger.unit import Unit
from upcard.people.register import LOG
from upcard.pit.table import PitRefusal
from upcard.problems import BadRequest, UpcardError
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.live_table import Rulesets
from upcard.service.pending import stream_of
from upcard.service.records import Row, command_of
from upcard.service.refusal_chains import NO_STREAM
from upcard.service.refusals import ServiceRefusal
from upcard.service.round_index import RoundIndex
from upcard.service.stream_audit import Follower, Keys, Wrong, hash_of_row

TRIGGERS = "triggers of the records"
_REASONS = {one.value for kind in (Refusal, PitRefusal, BookRefusal, ServiceRefusal) for one in kind}


@dataclass
class Records:
    """What was looked at, what could not be, and what was found."""

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
        """Whether nothing was found."""
        return not self.findings


def check(unit: Unit, keyring: Keyring | None, seals: Seals | None = None) -> Records:
    """Checks the service's own records; `keyring` opens the live shoes, where the operator's keys are at hand."""
    report, seals = Records(), seals or Seals(unit, keyring)
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    report.findings += [Finding(name, "this table of the service is missing") for name in missing]
    if missing:
        return report
    for name, look in (
        ("streams", _streams(unit, keyring, seals, report)),
        ("refusals", _refused(unit, seals, report)),
        ("shoes", _encrypted_keys(unit, keyring, seals)),
        (TRIGGERS, _triggers(unit)),
    ):
        try:
            report.findings += look
        except UNREADABLE as wrong:
            report.findings.append(Finding(name, f"it cannot be read: {one_line(wrong)}"))
    return report


def _triggers(unit: Unit) -> Iterator[Finding]:
    for table, change in missing_triggers(unit.connection, schema.APPEND_ONLY):
        yield Finding(
            TRIGGERS, f"the database no longer refuses {change} on {table}: its trigger is missing or changed"
        )


# --- streams ------------------------------------------------------------------------------------------------------


def _streams(unit: Unit, keyring: Keyring | None, seals: Seals, report: Records) -> Iterator[Finding]:
    stored = {row["stream"]: row for row in unit.rows(schema.streams, "stream")}
    for stream in unit.connection.scalars(sa.select(schema.history.c.stream).distinct()):
        if stream not in stored:
            yield Finding(str(stream), "its row is missing, and there are records of it")
    tables: dict[str, RoundIndex | None] = {}
    for name, row in stored.items():
        odd = mistyped(schema.streams, row)
        kind, _, table = name.partition(":") if isinstance(name, str) else ("", "", "")
        if odd is not None:
            yield Finding(str(name), odd)
        elif name == HOUSE:
            yield from _house(unit, row, seals, report)
        elif kind != "table" or not table:
            yield Finding(str(name), "there is no such kind of stream")
        elif row["version"] == 0:
            yield from _never_begun(unit, row)
        else:
            tables[table] = yield from _table(unit, Keys(table, _shoes(unit, table), keyring), row, seals, report)
        report.streams += 1
    yield from _derived(unit, tables, report)


def _never_begun(unit: Unit, row: Row) -> Iterator[Finding]:
    """A row without records: nothing may hang on it."""
    told = (row["hash"], row["snapshot"], row["snapshot_version"], row["due"])
    if told != (GENESIS, "", 0, None) or any(True for _ in _history(unit, row["stream"])):
        yield Finding(row["stream"], "its row says that it never began")


def _history(unit: Unit, stream: str) -> Iterator[Row]:
    query = sa.select(schema.history).where(schema.history.c.stream == stream).order_by(schema.history.c.number)
    for row in unit.connection.execute(query):
        yield row._asdict()


def _shoes(unit: Unit, table: str) -> dict[int, Row]:
    query = sa.select(schema.shoes).where(schema.shoes.c.table_name == table)
    return {one.number: one._asdict() for one in unit.connection.execute(query)}


def _table(
    unit: Unit, keys: Keys, row: Row, seals: Seals, report: Records
) -> Generator[Finding, None, RoundIndex | None]:
    entries = _entries(unit, table_chain(keys.table))
    follower = Follower(_rulesets(unit), keys.table, keys, entries, _openings(unit), row, seals)
    findings = list(follower.follow(_history(unit, row["stream"])))
    yield from findings
    report.records += follower.number
    report.replayed += follower.replayed
    report.notes += follower.gaps
    return None if findings else follower.told


def _rulesets(unit: Unit) -> Rulesets:
    """The book's own stored rules: no file is asked."""

    def find(name: str) -> Ruleset:
        found = rulesets.find(unit.connection, name)
        if found is None:
            raise Wrong(f"the rules {name[:12]} it was dealt by are missing")
        return found

    return find


def _entries(unit: Unit, chain: str) -> Iterator[Row]:
    """The first parts of the book's entries in a chain."""
    entries = book.entries
    query = sa.select(entries.c.number, entries.c.format, entries.c.command, entries.c.actor, entries.c.request)
    for row in unit.connection.execute(query.where(entries.c.chain == chain, entries.c.part == 0).order_by("number")):
        yield row._asdict()


def _openings(unit: Unit) -> Mapping[str, set[str]]:
    """Which jackpots were opened beside a table, by the record that opened both."""
    entries = book.entries
    first = sa.select(entries.c.chain, entries.c.command).where(
        entries.c.chain.like("jackpot:%"), entries.c.number == 1
    )
    found: dict[str, set[str]] = {}
    for row in unit.connection.execute(first):
        name, _, number = row.command.rpartition("//")
        owner = name if name and number.isdigit() else row.command
        found.setdefault(owner, set()).add(row.chain.partition(":")[2])
    return found


def _house(unit: Unit, stored: Row, seals: Seals, report: Records) -> Iterator[Finding]:
    number, last = 0, GENESIS
    try:
        for row in _history(unit, HOUSE):
            number += 1
            last = hash_of_row(row, number, last, seals)
            _booked(unit, row)
        told = (stored["version"], stored["hash"], stored["snapshot"], stored["snapshot_version"], stored["due"])
        if told != (number, last, "", 0, None):
            raise Wrong("it is not the last: the stream's row says something else")
    except Wrong as wrong:
        yield Finding(f"{HOUSE} record {number}", str(wrong))
    except (UpcardError, *UNREADABLE) as wrong:
        yield Finding(f"{HOUSE} record {number}", f"it cannot be read: {one_line(wrong)}")
    report.records += number
    report.replayed += number


def _booked(unit: Unit, row: Row) -> None:
    command = command_of(row)
    if isinstance(command, s.OpenJackpot):
        request: Record = jackpot_opening(_rulesets(unit)(row["rules"]), command.jackpot, command.wager)
    elif isinstance(command, s.House):
        request = command.request
    else:
        raise Wrong("it is no record of the house")
    found = unit.parts_of(row["id"])
    if not found or (found[0].chain, found[0].actor) != (chain_of(request), row["actor"]):
        raise Wrong("the book was asked for something else, or for nothing")
    if formats.today("request", found[0].request, found[0].format) != request_text(request):
        raise Wrong("the book was asked for something else, or for nothing")


# --- what follows from the records --------------------------------------------------------------------------------


def _derived(unit: Unit, streams: Mapping[str, RoundIndex | None], report: Records) -> Iterator[Finding]:
    """Rounds, players' rounds and shoes; what follows from a broken stream would only hide the first thing wrong."""
    broken = {table for table, told in streams.items() if told is None}
    tables = {table: told for table, told in streams.items() if told is not None}
    told_rounds = {(one["table_name"], one["round"]): one for told in tables.values() for one in told.rounds}
    told_players = {
        (one["player"], one["at"], one["table_name"], one["round"]): one
        for told in tables.values()
        for one in told.players
    }
    told_shoes = {
        (table, number): {"table_name": table, "number": number, **one}
        for table, told in tables.items()
        for number, one in told.shoes.items()
    }
    report.rounds, report.shoes = len(told_rounds), len(told_shoes)
    yield from _same(unit, schema.rounds, told_rounds, broken, "round {1} of {0}")
    yield from _same(unit, schema.player_rounds, told_players, broken, "round {3} of {0} at {2}")
    yield from _same(unit, schema.shoes, told_shoes, broken, "shoe {1} of {0}")


def _same(
    unit: Unit, table: sa.Table, told: dict[Any, dict[str, Any]], broken: set[str], place: str
) -> Iterator[Finding]:
    """Rows are those the records tell, cell by cell; `encrypted_key` alone is told by no record."""
    keys = [column.name for column in table.primary_key]
    left = dict(told)
    for row in unit.rows(table, *keys):
        if row["table_name"] in broken:
            continue
        name = tuple(row[key] for key in keys)
        expected = left.pop(name, None)
        where = f"{table.name}: {place.format(*name)}"
        odd = mistyped(table, row)
        if odd is not None:
            yield Finding(where, odd)
        elif expected is None:
            yield Finding(where, "no record tells of it")
        else:
            wrong = [key for key, value in expected.items() if _today(row, key) != value]
            if wrong:
                yield Finding(where, f"its {wrong[0]} is not what the records tell")
    for name in left:
        yield Finding(f"{table.name}: {place.format(*name)}", "it is missing")


def _today(row: Row, column: str) -> Any:
    """A cell in today's form."""
    if column in ("slips", "void") and row[column] is not None:
        return formats.today(column, row[column], row["format"])
    return row[column]


def _encrypted_keys(unit: Unit, keyring: Keyring | None, seals: Seals) -> Iterator[Finding]:
    """A shoe's encrypted key opens to the key that was promised, as far as the operator's keys are here."""
    if keyring is None:
        return  # the seals' note says that the operator's key is not here
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
        except BadRequest as wrong:
            yield Finding(f"shoes: {owner}", str(wrong))
            continue
        if commitment(key) != row["commitment"]:
            yield Finding(f"shoes: {owner}", "its encrypted key is not the one that was promised")


# --- refusals -----------------------------------------------------------------------------------------------------


def _refused(unit: Unit, seals: Seals, report: Records) -> Iterator[Finding]:
    """Refusals are chained, stream by stream; each is of a command that was not done."""
    refused, history = schema.refusals, schema.history
    same = sa.and_(history.c.id == refused.c.id, history.c.command == refused.c.command)
    done: Sequence[str] = list(unit.connection.scalars(sa.select(refused.c.id).join(history, same)))
    for name in done:
        yield Finding(f"refusals: {name}", "it was also carried out")
    ends: dict[str, tuple[int, str]] = {}
    broken: set[str] = set()
    for row in unit.rows(refused, "chain", "number"):
        report.refused += 1
        chain = str(row["chain"])
        wrong = None if chain in broken else _wrong_refusal(row, ends.get(chain, (0, GENESIS)), seals)
        if wrong is not None:
            broken.add(chain)
            yield Finding(f"refusals: {row['id']}", wrong)
        elif chain not in broken:
            ends[chain] = int(row["number"] or 0), str(row["hash"])
    logs = book.logs.c
    streams = schema.streams.c
    told = unit.connection.execute(sa.select(streams.stream, streams.refusals, streams.refusals_hash))
    heads = {stream: (number, last) for stream, number, last in told}
    for log, number, last in unit.connection.execute(
        sa.select(logs.log, logs.number, logs.hash).where(logs.log != LOG)
    ):
        heads[log] = number, last
    for stream in sorted({*heads, *ends} - broken):
        if heads.get(stream, (0, GENESIS)) != ends.get(stream, (0, GENESIS)):
            written, stored = heads.get(stream, (0, ""))[0], ends.get(stream, (0, ""))[0]
            yield Finding(f"refusals of {stream}", f"{written} were written, and the last one stored is {stored}")


def _wrong_refusal(row: Row, before: tuple[int, str], seals: Seals) -> str | None:
    odd = mistyped(schema.refusals, row)
    if odd is not None:
        return odd
    number, previous = before
    if row["number"] != number + 1:
        return f"number {number + 1} is missing before it"
    if row["hash"] != row_hash(previous, row):
        return "its hash does not fit what it says, or the refusal before it"
    wrong = seals.wrong_in_chain("refusals", row["chain"], row)
    if wrong is not None:
        return wrong
    try:
        command = command_of(row)
        instant_of(row["at"])
    except (UpcardError, *UNREADABLE) as error:
        return f"it cannot be read: {one_line(error)}"
    stream = stream_of(command)
    if row["stream"] != stream or row["chain"] not in (stream, NO_STREAM):
        return "its command belongs elsewhere"
    if row["code"] not in _REASONS and row["format"] == formats.FORMAT:
        return f"there is no refusal {row['code']!r}"
    return None
