"""Reads the floor's log: the name of the house, shift notes, handovers, and disputes with how they ended.

Each record is read once per process: disputes and answers are kept, notes are read page by page when asked for."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import sqlalchemy as sa
from typing_extensions import TypedDict

from upcard.ledger.journal import FLOOR
from upcard.service import schema
from upcard.service.floor_log_commands import (
    DisputeOutcome,
    FloorLogCommand,
    HandOver,
    NameHouse,
    OpenDispute,
    SettleDispute,
    TakeOver,
    WriteNote,
)
from upcard.service.queries import Queries
from upcard.service.records import command_of

LogRow = sa.Row[Any]

_H = schema.history.c
_NOTES = sa.or_(*(_H.command.like(f'%"do":"{do}"%') for do in ("note", "hand-over")))


class Settlement(TypedDict):
    """How a dispute ended; `paid` is in cents."""

    outcome: DisputeOutcome
    why: str
    paid: int
    by: str
    at: str


class Dispute(TypedDict):
    """A dispute about a finished round; `number` is its record in the floor's log."""

    number: int
    at: str
    day: str
    by: str
    table: str
    round: int
    player: str
    spot: int | None
    claim: str
    settled: Settlement | None


class TakenOver(TypedDict):
    by: str
    at: str


class ShiftNote(TypedDict):
    """A note of the shift, or a handover; `table` is empty if it is about no table."""

    number: int
    at: str
    day: str
    by: str
    role: str
    kind: Literal["note", "hand-over"]
    table: str
    text: str
    taken_over: TakenOver | None


class FloorLog:
    """The floor's log of one book."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        self._lock = threading.Lock()
        self._last = 0
        self._name = ""
        self._disputes: dict[int, Dispute] = {}
        self._taken_over: dict[int, TakenOver] = {}

    def house_name(self) -> str:
        """The name of the house; empty if it was not named yet."""
        self._catch_up()
        return self._name

    def disputes(self) -> list[Dispute]:
        """All disputes, newest first."""
        self._catch_up()
        return [self._disputes[number] for number in sorted(self._disputes, reverse=True)]

    def dispute(self, number: int) -> Dispute | None:
        self._catch_up()
        return self._disputes.get(number)

    def notes(self, *, before: int, most: int) -> list[ShiftNote]:
        """Notes and handovers before a record, newest first."""
        self._catch_up()
        query = sa.select(schema.history).where(_H.stream == FLOOR, _H.number < before, _NOTES)
        notes: list[ShiftNote] = []
        for row, command in self._read(query.order_by(_H.number.desc()).limit(most)):
            if isinstance(command, WriteNote | HandOver):
                notes.append(
                    {
                        "number": row.number,
                        "at": row.at,
                        "day": row.day,
                        "by": row.actor,
                        "role": row.role,
                        "kind": command.do,
                        "table": command.table if isinstance(command, WriteNote) else "",
                        "text": command.text,
                        "taken_over": self._taken_over.get(row.number),
                    }
                )
        return notes

    def _catch_up(self) -> None:
        """Reads the records that were added since the last time."""
        with self._lock:
            query = sa.select(schema.history).where(_H.stream == FLOOR, _H.number > self._last)
            for row, command in self._read(query.order_by(_H.number)):
                self._add(row, command)
                self._last = row.number

    def _add(self, row: LogRow, command: FloorLogCommand) -> None:
        match command:
            case NameHouse():
                self._name = command.name
            case TakeOver():
                self._taken_over[command.hand_over] = {"by": row.actor, "at": row.at}
            case OpenDispute():
                self._disputes[row.number] = {
                    "number": row.number,
                    "at": row.at,
                    "day": row.day,
                    "by": row.actor,
                    "table": command.table,
                    "round": command.round,
                    "player": command.player,
                    "spot": command.spot,
                    "claim": command.claim,
                    "settled": None,
                }
            case SettleDispute():
                settled: Settlement = {
                    "outcome": command.outcome,
                    "why": command.why,
                    "paid": command.paid,
                    "by": row.actor,
                    "at": row.at,
                }
                self._disputes[command.dispute] = {**self._disputes[command.dispute], "settled": settled}
            case _:
                pass

    def _read(self, query: sa.Select[Any]) -> Iterator[tuple[LogRow, FloorLogCommand]]:
        with self._queries.book.store.view() as unit:
            rows: Sequence[LogRow] = unit.connection.execute(query).all()
        for row in rows:
            command = command_of(row._asdict())
            if isinstance(command, FloorLogCommand):
                yield row, command
