"""The audit trail: commands that were carried out and refused, newest first, filtered by place, person, kind and time.

Records are found by their numbers, which grow with time, so that an old page costs no more than a new one. A filter
without a first moment looks at the newest records of each stream only."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import FLOOR, HOUSE, table_chain
from upcard.service import schema
from upcard.service.event_models import Event
from upcard.service.queries import Queries
from upcard.service.query_models import TrailEntry
from upcard.service.record_search import first_number
from upcard.service.trail_kinds import TRAIL_KINDS

SEARCHED = 20_000  # records of a stream that a filter looks through, unless it says since when
_Row = Mapping[str, Any]
_NAMES = ("at", "stream", "format", "id", "actor", "role", "command")
_H, _R = schema.history.c, schema.refusals.c
_DONE = sa.select(*(_H[name] for name in _NAMES), _H.number, sa.null().label("refused"), sa.null().label("details"))
_REFUSED = sa.select(*(_R[name] for name in _NAMES), sa.null().label("number"), _R.code.label("refused"), _R.details)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailFilter:
    """Which entries to list; empty: all. `house` and `floor_log` are places beside tables."""

    table: str | None = None
    house: bool = False
    floor_log: bool = False
    person: str = ""
    kind: str = ""  # a key of TRAIL_KINDS, or "refused"
    since: str = ""

    @property
    def streams(self) -> list[str]:
        """The streams it names; none: all."""
        named = [HOUSE] * self.house + [FLOOR] * self.floor_log
        return named + ([] if self.table is None else [table_chain(self.table)])

    def conditions(self, of: sa.Table) -> list[sa.ColumnElement[bool]]:
        """What a row must satisfy besides its place and time."""
        conditions = [of.c.actor == self.person] if self.person else []
        if orders := TRAIL_KINDS.get(self.kind):
            texts = (f'%"{field}":"{order}"%' for order in orders for field in ("do", "order"))
            conditions.append(sa.or_(*(of.c.command.like(text) for text in texts)))
        return conditions


def read_trail(
    queries: Queries, wanted: TrailFilter | None = None, *, before: str = "~", most: int = 50
) -> list[TrailEntry]:
    """Entries before a moment, newest first.

    Entries of the same time are never split over two pages, even if a page gets longer than `most`."""
    wanted = wanted or TrailFilter()
    entries: dict[tuple[str, str, bool], _Row] = {}
    with queries.book.store.view() as unit:
        connection = unit.connection
        for stream in wanted.streams or connection.scalars(sa.select(schema.streams.c.stream)).all():
            for row in _of_stream(connection, str(stream), wanted, before, most):
                entries[stream, row["id"], row["number"] is None] = row
    rows = sorted(entries.values(), key=lambda row: (row["at"], row["number"] or 0, row["id"]), reverse=True)
    last = rows[most - 1]["at"] if len(rows) > most else ""
    return [_entry(queries, row) for row in rows if row["at"] >= last]


def _of_stream(connection: sa.Connection, stream: str, wanted: TrailFilter, before: str, most: int) -> Iterator[_Row]:
    """A page of a stream's commands and one of its refusals."""
    if wanted.kind != "refused":
        numbers = _numbers(connection, stream, wanted, before)
        if numbers is not None:
            inside = (_H.number >= numbers[0], _H.number < numbers[1], *wanted.conditions(schema.history))
            yield from _page(connection, _DONE.where(_H.stream == stream, *inside), _H.at, _H.number, most)
    times = (_R.at < before, _R.at >= wanted.since)
    yield from _page(
        connection, _REFUSED.where(_R.stream == stream, *times, *wanted.conditions(schema.refusals)), _R.at, _R.at, most
    )


def _page(connection: sa.Connection, query: sa.Select[Any], at: Any, newest: Any, most: int) -> Iterator[_Row]:
    """The newest rows; with the last, all others of its time."""
    page = [row._asdict() for row in connection.execute(query.order_by(newest.desc()).limit(most))]
    yield from page
    if len(page) == most:
        for row in connection.execute(query.where(at == page[-1]["at"])):
            yield row._asdict()


def _numbers(connection: sa.Connection, stream: str, wanted: TrailFilter, before: str) -> tuple[int, int] | None:
    """The numbers of the records to look through: from the first, up to but without the second."""
    owner = _H.stream == stream
    newest = connection.execute(sa.select(sa.func.max(_H.number)).where(owner)).scalar()
    if newest is None:
        return None
    until = first_number(connection, owner, schema.history.c.number, schema.history.c.at, before)
    until = newest + 1 if until is None else until
    if wanted.since:
        first = first_number(connection, owner, schema.history.c.number, schema.history.c.at, wanted.since)
        return None if first is None else (first, until)
    return (max(1, until - SEARCHED) if wanted.person or wanted.kind else 1), until


def _entry(queries: Queries, row: _Row) -> TrailEntry:
    command = formats.read("command", row["command"], row["format"])
    events: list[Event] = []
    if row["number"] is not None and command["do"] == "change-rules":
        records = queries.records(command["table"], since=row["number"] - 1, most=1)
        events = [event for record in records for event in record["events"]]
    return {
        "at": row["at"],
        "stream": row["stream"],
        "number": row["number"],
        "id": row["id"],
        "actor": row["actor"],
        "role": row["role"],
        "command": command,
        "refused": row["refused"],
        "details": formats.read("refusal", row["details"] or "{}", row["format"]),
        "events": events,
        "approved_by": None,
    }
