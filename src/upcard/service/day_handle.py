"""The handle: which wagers were made at a table on a gaming day, and how often, from its records.

A round belongs to the day on which it ends, even if its wagers were made before that day began.

Wagers that win and lose as one, such as Ante and Bet Bigger, are counted as one. Wagers cleared before the deal and
wagers of void rounds do not count.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import table_chain
from upcard.service import schema
from upcard.service.manual_dealing import INSURE
from upcard.service.queries import Queries
from upcard.service.wire_models import EventSent

MAIN, INSURANCE = "main", "insurance"  # names of a game's wagers begin with a capital letter
WagerKey = tuple[str, str, int]  # the rules of the round, a wager and its stake in cents
_RELEVANT_EVENTS = ("wager-placed", "wagers-cleared", "betting-closed", "insured", "entry-taken-back", "round-over")
_MAX_CACHED = 4096  # tables and days


@dataclass
class Handle:
    """What was wagered at a table on a day, up to a record."""

    last_record: int = 0
    made: Counter[WagerKey] = field(default_factory=Counter)
    _felt: dict[tuple[int, str], int] = field(default_factory=dict)  # by spot and wager: the stake there now
    _main: frozenset[str] = frozenset()
    _insured: list[int] = field(default_factory=list)

    def add_record(self, number: int, events: Sequence[EventSent], rules: Mapping[int, str]) -> None:
        """Adds a record. `rules` has the rules of each round of the day; other rounds belong to other days."""
        self.last_record = number
        for event in events:
            match event["event"]:
                case "wager-placed":
                    self._felt[event["spot"], event["wager"]] = event["amount"]
                case "wagers-cleared":
                    for wager in event["wagers"]:
                        self._felt.pop((event["spot"], wager), None)
                case "betting-closed":
                    self._main = frozenset(event["main_wagers"])
                case "insured":
                    self._insured.append(sum(event["amounts"].values()))
                case "entry-taken-back" if event["entry"]["do"] == INSURE:
                    self._insured.pop()
                case "round-over":
                    if event["round"] in rules and event["void"] is None:
                        self._count(rules[event["round"]])
                    self._felt, self._insured = {}, []

    def _count(self, rules: str) -> None:
        mains: Counter[int] = Counter()
        for (spot, wager), stake in self._felt.items():
            if wager in self._main:
                mains[spot] += stake
            else:
                self.made[rules, wager, stake] += 1
        self.made.update((rules, MAIN, stake) for stake in mains.values())
        self.made.update((rules, INSURANCE, stake) for stake in self._insured)

    @property
    def amount(self) -> int:
        """All wagers in cents, without doubles and splits."""
        return sum(stake * times for (_, _, stake), times in self.made.items())


class Handles:
    """The handles of tables and days, cached so that each record is read once."""

    def __init__(self, queries: Queries) -> None:
        self.queries = queries
        self._cache: dict[tuple[str, date], Handle] = {}

    def of(self, table: str, day: date) -> Handle:
        """The handle up to the last record."""
        if len(self._cache) > _MAX_CACHED:
            self._cache.clear()
        cached = self._cache.get((table, day)) or Handle(last_record=self._last_before(table, day))
        handle = Handle(
            last_record=cached.last_record,
            made=Counter(cached.made),
            _felt=dict(cached._felt),
            _main=cached._main,
            _insured=list(cached._insured),
        )
        rules = self._rules(table, day)
        for number, events in self._records(table, day, handle.last_record):
            handle.add_record(number, events, rules)
        self._cache[table, day] = handle
        return handle

    def _last_before(self, table: str, day: date) -> int:
        """The record that ended the last round of an earlier day; later wagers belong to this day."""
        rounds = schema.rounds
        earlier = sa.select(rounds.c.last).where(rounds.c.table_name == table, rounds.c.day < day.isoformat())
        with self.queries.book.store.view() as unit:
            return unit.connection.execute(earlier.order_by(rounds.c.round.desc()).limit(1)).scalar() or 0

    def _rules(self, table: str, day: date) -> dict[int, str]:
        """The rounds of a day, each with the hash of its rules."""
        rounds = schema.rounds
        query = sa.select(rounds.c.round, rounds.c.rules)
        with self.queries.book.store.view() as unit:
            rows = unit.connection.execute(query.where(rounds.c.table_name == table, rounds.c.day == day.isoformat()))
            return {row.round: row.rules for row in rows}

    def _records(self, table: str, day: date, since: int) -> list[tuple[int, list[EventSent]]]:
        history = schema.history
        relevant = sa.or_(*(history.c.events.like(f'%"event":"{name}"%') for name in _RELEVANT_EVENTS))
        query = (
            sa.select(history.c.number, history.c.format, history.c.events)
            .where(history.c.stream == table_chain(table), history.c.number > since)
            .where(history.c.day <= day.isoformat(), relevant)
            .order_by(history.c.number)
        )
        with self.queries.book.store.view() as unit:
            return [
                (row.number, formats.read("events", row.events, row.format)) for row in unit.connection.execute(query)
            ]
