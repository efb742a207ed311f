"""What happened at a table on a gaming day: drop and win by the hour, and what each player bet, won and bought.

Records are read once: of an earlier day between the day's bounds, of today from the last record on. A round belongs to
the hour and the day in which it ends."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import sqlalchemy as sa

from upcard import formats
from upcard.ledger.gaming_day import ONE_DAY, Hours, start_of
from upcard.ledger.journal import instant_of, instant_text, table_chain
from upcard.service import schema
from upcard.service.day_handle import Handle
from upcard.service.felt_wagers import RELEVANT, DayFelt
from upcard.service.queries import Queries
from upcard.service.record_search import first_number
from upcard.service.wire_models import EventSent, without_slip
from upcard.workers.hold import EVEN_MONEY, MAIN

LONGEST_PAUSE = timedelta(minutes=15)  # between two rounds, that still counts as time at the table
_MAX_CACHED = 2048  # tables and days
_MONEY = ('"do":"buy-in"', '"do":"cash-out"')
_H = schema.history.c


@dataclass
class PlayerDay:
    """A player at one table on one day; amounts in cents."""

    hands: int = 0  # spots played
    main: int = 0  # main wagers, without doubles and splits
    side: int = 0
    won: int = 0  # from the house; negative: lost
    bought_in: int = 0
    cashed_out: int = 0
    played: timedelta = timedelta()
    first_at: str = ""
    last_at: str = ""
    handle: Handle = field(default_factory=Handle)

    def note_round(self, at: str) -> None:
        """Time goes on while they play, and over short pauses."""
        if self.last_at:
            pause = instant_of(at) - instant_of(self.last_at)
            self.played += pause if pause <= LONGEST_PAUSE else timedelta()
        self.first_at, self.last_at = self.first_at or at, at


@dataclass
class HourOfTable:
    """An hour at a table; amounts in cents."""

    rounds: int = 0
    drop: int = 0
    win: int = 0


@dataclass
class TableActivity:
    """A table on a day, up to a record."""

    begins: datetime
    last_record: int
    hours: dict[int, HourOfTable] = field(default_factory=dict)  # by the number of the hour in the gaming day
    players: dict[str, PlayerDay] = field(default_factory=dict)
    _felt: DayFelt = field(default_factory=DayFelt)
    _slips: list[EventSent] = field(default_factory=list)

    def hour(self, at: str) -> HourOfTable:
        number = int((instant_of(at) - self.begins) / timedelta(hours=1))
        return self.hours.setdefault(max(0, number), HourOfTable())

    def player(self, name: str) -> PlayerDay:
        return self.players.setdefault(name, PlayerDay())

    def add_money(self, at: str, command: dict[str, object]) -> None:
        """Adds a buy-in or a cash-out."""
        player, amount = self.player(str(command["player"])), int(str(command["amount"]))
        if command["do"] == "buy-in":
            self.hour(at).drop += amount
            player.bought_in += amount
        else:
            player.cashed_out += amount

    def add_events(self, at: str, events: Iterable[EventSent], rules: str) -> None:
        for event in events:
            self._felt.add(event)
            match event["event"]:
                case "slip":
                    self._slips.append(event)
                case "slip-reversed":
                    self._slips = without_slip(self._slips, event)
                case "round-over":
                    if event["void"] is None:
                        self._add_round(at, rules)
                    self._felt.clear()
                    self._slips = []

    def _add_round(self, at: str, rules: str) -> None:
        hour = self.hour(at)
        hour.rounds += 1
        for slip in self._slips:
            won = slip["returned"] + slip["paid"] - slip["stake"]
            hour.win -= won
            self.player(slip["player"]).won += won
        stakes = self._felt.stakes()
        for name in sorted(set(self._felt.players.values())):
            own = [stakes[spot] for spot, owner in self._felt.players.items() if owner == name and spot in stakes]
            if not own:
                continue
            player = self.player(name)
            player.note_round(at)
            player.hands += len(own)
            player.main += sum(spot.get(MAIN, 0) for spot in own)
            player.side += sum(
                stake for spot in own for wager, stake in spot.items() if wager not in (MAIN, EVEN_MONEY)
            )
            player.handle.add_round(rules, own)


class TableDays:
    """The tables of a book by gaming day, each record read once per process."""

    def __init__(self, queries: Queries) -> None:
        self._queries, self._lock = queries, threading.Lock()
        self._cache: dict[tuple[str, date], TableActivity] = {}

    def of(self, table: str, day: date, hours: Sequence[Hours]) -> TableActivity:
        """A table's day up to its last record."""
        with self._lock:
            if len(self._cache) > _MAX_CACHED:
                self._cache.clear()
            activity = self._cache.get((table, day))
            with self._queries.book.store.view() as unit:
                if activity is None:
                    begins = start_of(day, hours)
                    activity = TableActivity(begins=begins, last_record=_before_the_day(unit.connection, table, day))
                    self._cache[table, day] = activity
                ends = instant_text(start_of(day + ONE_DAY, hours))
                self._read(unit.connection, table, activity, ends)
            return activity

    def _read(self, connection: sa.Connection, table: str, activity: TableActivity, ends: str) -> None:
        relevant = sa.or_(
            *(_H.events.like(f"%{text}%") for text in (*RELEVANT, '"event":"slip')),
            *(_H.command.like(f"%{text}%") for text in _MONEY),
        )
        owner = _H.stream == table_chain(table)
        after = first_number(connection, owner, schema.history.c.number, schema.history.c.at, ends)
        bounds = [owner, _H.number > activity.last_record, *([] if after is None else [_H.number < after])]
        columns = (_H.number, _H.at, _H.format, _H.command, _H.events, _H.rules)
        began = instant_text(activity.begins)
        for row in connection.execute(sa.select(*columns).where(*bounds, relevant).order_by(_H.number)):
            activity.last_record = row.number
            command = formats.read("command", row.command, row.format)
            if command["do"] in ("buy-in", "cash-out") and row.at >= began:
                activity.add_money(row.at, command)
            events = formats.read("events", row.events, row.format)
            over = [event["round"] for event in events if event["event"] == "round-over"]
            rules = _rules_of(connection, table, over[0]) if over else ""
            activity.add_events(row.at, events, rules)


def _before_the_day(connection: sa.Connection, table: str, day: date) -> int:
    """The last record before the first round that ends on the day, or that was bet for it."""
    owner = schema.rounds.c.table_name == table
    number = first_number(connection, owner, schema.rounds.c.round, schema.rounds.c.day, day.isoformat())
    history = _H.stream == table_chain(table)
    first = first_number(connection, history, schema.history.c.number, schema.history.c.day, day.isoformat())
    starts = [] if first is None else [first]
    if number is not None:
        query = sa.select(schema.rounds.c.first).where(owner, schema.rounds.c.round == number)
        starts.append(int(connection.execute(query).scalar_one()))
    if starts:
        return min(starts) - 1
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.max(_H.number), 0)).where(history)).scalar_one())


def _rules_of(connection: sa.Connection, table: str, number: int) -> str:
    rounds = schema.rounds.c
    query = sa.select(rounds.rules).where(rounds.table_name == table, rounds.round == number)
    return str(connection.execute(query).scalar_one())
