"""The service's half of `upcard ledger check`: histories, shoes and rounds, made again and compared with the book.

Every stream's records are counted and sealed again; every table's are done again from the first by the rules, as far as
the keys of its shoes are here. What a record asks of the book must stand in the book, and rounds, players' rounds and
shoes are what the records tell.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from upcard.catalog.index import Catalog
from upcard.engine import Refusal
from upcard.ledger import schema as book
from upcard.ledger.chains import chain_of, request_text
from upcard.ledger.guards import missing_guards
from upcard.ledger.journal import GENESIS, HOUSE, instant_of, table_chain
from upcard.ledger.openings import jackpot_opening
from upcard.ledger.raw import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.unit import Unit
from upcard.pit.table import PitRefusal
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.following import Follower, Keys, Wrong, sealed_row
from upcard.service.records import Row
from upcard.service.refusals import ServiceRefusal
from upcard.service.shoes import Seal
from upcard.service.told import Told

GUARDS = "guards of the records"
_REASONS = {one.name for kind in (Refusal, PitRefusal, BookRefusal, ServiceRefusal) for one in kind} | {
    "UNKNOWN_NAME",
    "BAD_REQUEST",
}


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


def check(unit: Unit, catalog: Catalog, seal: Seal | None) -> Records:
    """Checks the service's own records; `seal` opens the live shoes, where the operator's key is at hand."""
    report = Records()
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    report.findings += [Finding(name, "this table of the service is missing") for name in missing]
    if missing:
        return report
    for name, look in (
        ("streams", _streams(unit, catalog, seal, report)),
        ("refused", _refused(unit, report)),
        (GUARDS, _guards(unit)),
    ):
        try:
            report.findings += look
        except UNREADABLE as wrong:
            report.findings.append(Finding(name, f"it cannot be read: {one_line(wrong)}"))
    return report


def _guards(unit: Unit) -> Iterator[Finding]:
    for table, change in missing_guards(unit.connection, schema.GROWING):
        yield Finding(GUARDS, f"the database no longer refuses {change} on {table}: its trigger is gone or changed")


# --- streams ------------------------------------------------------------------------------------------------------


def _streams(unit: Unit, catalog: Catalog, seal: Seal | None, report: Records) -> Iterator[Finding]:
    stored = {row["stream"]: row for row in unit.rows(schema.streams, "stream")}
    for stream in unit.connection.scalars(sa.select(schema.history.c.stream).distinct()):
        if stream not in stored:
            yield Finding(str(stream), "its row is missing, and there are records of it")
    tables: dict[str, Told | None] = {}
    for name, row in stored.items():
        odd = mistyped(schema.streams, row)
        kind, _, table = name.partition(":") if isinstance(name, str) else ("", "", "")
        if odd is not None:
            yield Finding(str(name), odd)
        elif name == HOUSE:
            yield from _house(unit, catalog, row, report)
        elif kind != "table" or not table:
            yield Finding(name, "there is no such kind of stream")
        elif row["version"] == 0:
            yield from _never_begun(unit, row)
        else:
            tables[table] = yield from _table(unit, catalog, seal, table, row, report)
        report.streams += 1
    yield from _derived(unit, tables, report)


def _never_begun(unit: Unit, row: Row) -> Iterator[Finding]:
    """A row without records: nothing may hang on it."""
    told = (row["seal"], row["snapshot"], row["snapshot_version"], row["due"])
    if told != (GENESIS, "", 0, None) or any(True for _ in _history(unit, row["stream"])):
        yield Finding(row["stream"], "its row says that it never began")


def _history(unit: Unit, stream: str) -> Iterator[Row]:
    query = sa.select(schema.history).where(schema.history.c.stream == stream).order_by(schema.history.c.number)
    for row in unit.connection.execute(query):
        yield row._asdict()


def _table(
    unit: Unit, catalog: Catalog, seal: Seal | None, table: str, row: Row, report: Records
) -> Generator[Finding, None, Told | None]:
    shoes = sa.select(schema.shoes).where(schema.shoes.c.table_name == table)
    keys = Keys(table, {one.number: one._asdict() for one in unit.connection.execute(shoes)}, seal)
    follower = Follower(catalog, table, keys, _entries(unit, table_chain(table)), _openings(unit), row)
    findings = list(follower.follow(_history(unit, row["stream"])))
    yield from findings
    report.records += follower.number
    report.replayed += follower.replayed
    report.notes += follower.gaps
    return None if findings else follower.told


def _entries(unit: Unit, chain: str) -> Iterator[Row]:
    """The first parts of the book's entries in a chain."""
    entries = book.entries
    query = sa.select(entries.c.number, entries.c.command, entries.c.actor, entries.c.request)
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


def _house(unit: Unit, catalog: Catalog, stored: Row, report: Records) -> Iterator[Finding]:
    number, seal = 0, GENESIS
    try:
        for row in _history(unit, HOUSE):
            number += 1
            seal = sealed_row(row, number, seal)
            _booked(unit, catalog, row)
        told = (stored["version"], stored["seal"], stored["snapshot"], stored["snapshot_version"], stored["due"])
        if told != (number, seal, "", 0, None):
            raise Wrong("it is not the last: the stream's row says something else")
    except Wrong as wrong:
        yield Finding(f"{HOUSE} record {number}", str(wrong))
    except (UpcardError, *UNREADABLE) as wrong:
        yield Finding(f"{HOUSE} record {number}", f"it cannot be read: {one_line(wrong)}")
    report.records += number
    report.replayed += number


def _booked(unit: Unit, catalog: Catalog, row: Row) -> None:
    command = s.COMMANDS.validate_json(row["command"])
    if isinstance(command, s.OpenJackpot):
        request: Record = jackpot_opening(catalog, command.jackpot, command.layout, command.wager)
    elif isinstance(command, s.House):
        request = command.request
    else:
        raise Wrong("it is no record of the house")
    found = unit.parts_of(row["id"])
    if not found or (found[0]["chain"], found[0]["request"], found[0]["actor"]) != (
        chain_of(request),
        request_text(request),
        row["actor"],
    ):
        raise Wrong("the book was asked for something else, or for nothing")


# --- what follows from the records --------------------------------------------------------------------------------


def _derived(unit: Unit, streams: Mapping[str, Told | None], report: Records) -> Iterator[Finding]:
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
    """Rows are those the records tell, cell by cell; `sealed` alone is told by no record."""
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
            wrong = [key for key, value in expected.items() if row[key] != value]
            if wrong:
                yield Finding(where, f"its {wrong[0]} is not what the records tell")
    for name in left:
        yield Finding(f"{table.name}: {place.format(*name)}", "it is missing")


def _refused(unit: Unit, report: Records) -> Iterator[Finding]:
    """Refusals move nothing and nothing seals them; they must at least be refusals, of commands that were not done."""
    refused, history = schema.refused, schema.history
    same = sa.and_(history.c.id == refused.c.id, history.c.command == refused.c.command)
    done: Sequence[str] = list(unit.connection.scalars(sa.select(refused.c.id).join(history, same)))
    for name in done:
        yield Finding(f"refused: {name}", "it was also carried out")
    for row in unit.rows(schema.refused, "id"):
        report.refused += 1
        where = f"refused: {row['id']}"
        odd = mistyped(schema.refused, row)
        try:
            command = s.COMMANDS.validate_json(row["command"])
            instant_of(row["at"])
        except UNREADABLE as wrong:
            yield Finding(where, odd or f"it cannot be read: {one_line(wrong)}")
            continue
        stream = table_chain(command.table) if isinstance(command, s.OfTable) else HOUSE
        if odd is not None:
            yield Finding(where, odd)
        elif row["stream"] != stream or command.model_dump_json() != row["command"]:
            yield Finding(where, "its command belongs elsewhere, or is not as it was written")
        elif row["reason"] not in _REASONS:
            yield Finding(where, f"there is no reason {row['reason']!r}")
