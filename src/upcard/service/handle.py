"""The handle: which wagers were made at a table on a gaming day, and how often, read from its records.

A round belongs to the day on which it ends and is booked, also where its wagers were made before the day began.

Wagers that play together are told together: Ante and Bet Bigger win and lose as one. What was taken back before the
deal was not made, and a void round has no wagers.
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

MAIN, INSURANCE = "main", "insurance"  # no wager of a game has such a name: they begin with a capital letter
Made = tuple[str, str, int]  # the rules of the round, a wager and its stake in cents
_TELLING = ("wager-placed", "wagers-cleared", "betting-closed", "insured", "entry-taken-back", "round-over")
_MOST_KEPT = 4096  # tables and days


@dataclass
class Handle:
    """What was wagered at a table on a day, as far as it was read."""

    read: int = 0  # the last record
    made: Counter[Made] = field(default_factory=Counter)
    _felt: dict[tuple[int, str], int] = field(default_factory=dict)  # spot and wager: what lies there now
    _main: frozenset[str] = frozenset()
    _insured: list[int] = field(default_factory=list)

    def follow(self, number: int, events: Sequence[EventSent], rules: Mapping[int, str]) -> None:
        """One more record. `rules` are those of this day's rounds; a round that is not among them is of another day."""
        self.read = number
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
        """All that was wagered, in cents, without what was added by doubling and splitting."""
        return sum(stake * times for (_, _, stake), times in self.made.items())


class Handles:
    """The handles of tables and days; each record is read once."""

    def __init__(self, queries: Queries) -> None:
        self.queries = queries
        self._kept: dict[tuple[str, date], Handle] = {}

    def of(self, table: str, day: date) -> Handle:
        """The handle up to the last record."""
        if len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        known = self._kept.get((table, day)) or Handle(read=self._last_before(table, day))
        found = Handle(
            read=known.read,
            made=Counter(known.made),
            _felt=dict(known._felt),
            _main=known._main,
            _insured=list(known._insured),
        )
        rules = self._rules(table, day)
        for number, events in self._records(table, day, found.read):
            found.follow(number, events, rules)
        self._kept[table, day] = found
        return found

    def _last_before(self, table: str, day: date) -> int:
        """The record that ended the last round of an earlier day: wagers since then belong to this one."""
        rounds = schema.rounds
        earlier = sa.select(rounds.c.last).where(rounds.c.table_name == table, rounds.c.day < day.isoformat())
        with self.queries.book.store.view() as unit:
            return unit.connection.execute(earlier.order_by(rounds.c.round.desc()).limit(1)).scalar() or 0

    def _rules(self, table: str, day: date) -> dict[int, str]:
        """The rounds of a day, each with the hash of its rules."""
        rounds = schema.rounds
        query = sa.select(rounds.c.round, rounds.c.rules)
        with self.queries.book.store.view() as unit:
            found = unit.connection.execute(query.where(rounds.c.table_name == table, rounds.c.day == day.isoformat()))
            return {row.round: row.rules for row in found}

    def _records(self, table: str, day: date, since: int) -> list[tuple[int, list[EventSent]]]:
        history = schema.history
        telling = sa.or_(*(history.c.events.like(f'%"event":"{name}"%') for name in _TELLING))
        query = (
            sa.select(history.c.number, history.c.format, history.c.events)
            .where(history.c.stream == table_chain(table), history.c.number > since)
            .where(history.c.day <= day.isoformat(), telling)
            .order_by(history.c.number)
        )
        with self.queries.book.store.view() as unit:
            return [
                (row.number, formats.read("events", row.events, row.format)) for row in unit.connection.execute(query)
            ]
