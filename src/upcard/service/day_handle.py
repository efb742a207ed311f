"""The handle: which wagers were made at a table on a gaming day, how often, and which of them together.

A round belongs to the day on which it ends, even if its wagers were made before that day began.

Wagers that win and lose as one, such as Ante and Bet Bigger, are counted as one. Wagers cleared before the deal and
wagers of void rounds do not count. The stakes of a round are kept as sums: each spot's stakes, each wager's stakes in a
round, and products of stakes on two spots. The variance of any number of rounds follows from them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.journal import table_chain
from upcard.service import schema
from upcard.service.felt_wagers import RELEVANT, DayFelt
from upcard.service.queries import Queries
from upcard.service.wire_models import EventSent
from upcard.workers.hold import EVEN_MONEY

WagerKey = tuple[str, str, int]  # the rules of the round, a wager and its stake in cents
Stakes = tuple[tuple[str, int], ...]  # of one spot, by wager
_MAX_CACHED = 4096  # tables and days


@dataclass
class Handle:
    """What was wagered at a table on a day, up to a record."""

    last_record: int = 0
    rounds: Counter[str] = field(default_factory=Counter)  # by rules
    spots: Counter[tuple[str, Stakes]] = field(default_factory=Counter)  # by rules: how often a spot had these stakes
    shared: Counter[tuple[str, str, tuple[int, ...]]] = field(default_factory=Counter)  # by rules and wager: in a round
    products: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # by rules: of stakes on two spots
    felt: DayFelt = field(default_factory=DayFelt)

    def copy(self) -> "Handle":
        return Handle(
            last_record=self.last_record,
            rounds=Counter(self.rounds),
            spots=Counter(self.spots),
            shared=Counter(self.shared),
            products=Counter(self.products),
            felt=self.felt.copy(),
        )

    def add_record(self, number: int, events: Sequence[EventSent], rules: Mapping[int, str]) -> None:
        """Adds a record. `rules` has the rules of each round of the day; other rounds belong to other days."""
        self.last_record = number
        for event in events:
            self.felt.add(event)
            if event["event"] == "round-over":
                if event["round"] in rules and event["void"] is None:
                    self.add_round(rules[event["round"]], list(self.felt.stakes().values()))
                self.felt.clear()

    def add_round(self, rules: str, spots: Sequence[Mapping[str, int]], *, times: int = 1) -> None:
        """Adds a round with these stakes on its spots, by wager, or several."""
        self.rounds[rules] += times
        totals: Counter[str] = Counter()
        in_round: dict[str, list[int]] = {}
        for stakes in spots:
            self.spots[rules, tuple(sorted(stakes.items()))] += times
            totals.update(stakes)
            for wager, stake in stakes.items():
                in_round.setdefault(wager, []).append(stake)
        for wager, amounts in in_round.items():
            self.shared[rules, wager, tuple(sorted(amounts))] += times
        if len(spots) > 1:
            for wager, total in totals.items():
                for other, other_total in totals.items():
                    if wager <= other:  # once for each pair; the stakes of one spot are no pair of spots
                        own = sum(stakes.get(wager, 0) * stakes.get(other, 0) for stakes in spots)
                        self.products[rules, wager, other] += times * (total * other_total - own)

    @property
    def made(self) -> Counter[WagerKey]:
        """How often each wager was made at each stake; even money is no wager of its own."""
        made: Counter[WagerKey] = Counter()
        for (rules, stakes), times in self.spots.items():
            made.update({(rules, wager, stake): times for wager, stake in stakes})
        return made

    @property
    def amount(self) -> int:
        """All wagers in cents, without doubles and splits."""
        return sum(stake * times for (_, wager, stake), times in self.made.items() if wager != EVEN_MONEY)


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
        handle = cached.copy()
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
        relevant = sa.or_(*(history.c.events.like(f"%{text}%") for text in RELEVANT))
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
