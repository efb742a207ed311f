"""What the floor must look at now, and who looks after it.

An alert lasts as long as its cause; a large win, which has no end, lasts for some hours. Its id says what it is about,
so that every process finds the same alerts. An acknowledgement is a record of the house: it has a name and a time, and
every console shows it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from typing import Literal

import sqlalchemy as sa
import structlog
from typing_extensions import TypedDict

from upcard import formats
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.journal import HOUSE
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.people import People
from upcard.service import schema
from upcard.service.day_report import GamingDays
from upcard.service.health import stopped_tables
from upcard.service.jackpot_signs import read_jackpots
from upcard.service.large_wins import LargeWins
from upcard.service.running import Service
from upcard.service.unbooked_wins import unbooked_wins
from upcard.service.wire_models import Coded

_log = structlog.get_logger("upcard.alerts")

FRESH_SECONDS = 1.0  # in which the causes are not looked for again
HOLD_SECONDS = 300.0  # between two comparisons of the hold with its range
MOST_RECORDS = 5000  # of the house, in which acknowledgements are looked for after a start

Kind = Literal[
    "jackpot-win", "escrow-short", "deposit-overdue", "table-stopped", "large-win", "hold-outside", "approval-waiting"
]


class Alert(TypedDict):
    """Something to look at. Fields that do not apply are empty."""

    id: str
    kind: Kind
    at: str
    table: str
    jackpot: str
    round: int | None
    player: str
    amount: int | None
    day: str
    why: Coded | None
    asked_by: str  # of an approval that waits
    acknowledged_by: str
    acknowledged_at: str


class Alerts:
    """The alerts of a house. Used by any thread."""

    def __init__(self, service: Service, days: GamingDays, people: People, large_win: int) -> None:
        self._service, self._days, self._people = service, days, people
        self.large_wins = LargeWins(service.desk.store, large_win)
        self._lock = threading.Lock()
        self._found: list[Alert] = []
        self._fresh_until = 0.0
        self._hold: list[Alert] = []
        self._hold_due = time.monotonic() + HOLD_SECONDS
        self._acknowledged: dict[str, tuple[str, str]] = {}  # by alert: who and when
        self._read_to = -1  # the last record of the house that was looked at

    def current(self) -> list[Alert]:
        """The alerts now, the most urgent first."""
        with self._lock:
            if time.monotonic() >= self._fresh_until:
                found: dict[str, Alert] = {}
                for source in self._sources():
                    for alert in source():
                        found.setdefault(alert["id"], alert)  # one hand may win twice
                self._found = list(found.values())
                self._fresh_until = time.monotonic() + FRESH_SECONDS
            self._read_acknowledgements()
            return [self._with_names(alert) for alert in self._found]

    def compare_hold(self) -> None:
        """Compares today's win of every table and of the house with its range."""
        self._hold_due = time.monotonic() + HOLD_SECONDS
        try:
            day = self._days.days().today
            hold = self._days.hold(day, None)
        except BookRefused as error:
            if error.reason is not BookRefusal.NO_HOURS:
                raise
            return
        lines = [*hold.tables, *([hold.together] if len(hold.tables) > 1 else [])]
        self._hold = [_outside(line.table, line.win, day) for line in lines if line.inside is False]

    def _sources(self) -> tuple[Callable[[], Iterator[Alert]], ...]:
        return self._of_jackpots, self._of_stopped_tables, self._of_large_wins, self._of_hold, self._of_approvals

    def _with_names(self, alert: Alert) -> Alert:
        by, at = self._acknowledged.get(alert["id"], ("", ""))
        return {**alert, "acknowledged_by": by, "acknowledged_at": at}

    def _read_acknowledgements(self) -> None:
        """The first acknowledgement of an alert counts."""
        history = schema.history.c
        query = (
            sa.select(history.number, history.at, history.actor, history.command, history.format)
            .where(history.stream == HOUSE, history.number > self._read_to)
            .order_by(history.number.desc())
            .limit(MOST_RECORDS)
        )
        with self._service.desk.store.view() as unit:
            rows = unit.connection.execute(query).all()
        for row in reversed(rows):
            self._read_to = row.number
            request = formats.read("command", row.command, row.format).get("request", {})
            if request.get("order") == "acknowledge-alert":
                self._acknowledged.setdefault(request["alert"], (row.actor, row.at))

    # --- causes ---------------------------------------------------------------------------------------------------

    def _of_jackpots(self) -> Iterator[Alert]:
        book = self._service.desk.book
        with book.look() as reader:
            names = [chain.name.partition(":")[2] for chain in reader.unit.jackpot_chains()]
            states = list(read_jackpots(reader, names))
            decided = list(unbooked_wins(self._service.desk, reader))
        today = self._today()
        for state in states:
            for key, win in state.wins.items():
                yield _alert(
                    "jackpot-win", key, jackpot=state.jackpot, table=win.table, round=win.round, amount=win.amount
                )
        for early in decided:
            yield _alert(
                "jackpot-win",
                early.key,
                jackpot=early.jackpot,
                table=early.table,
                round=early.round,
                amount=early.amount,
            )
        for state in states:
            if not isinstance(state, ProgressiveJackpot):
                continue
            if state.shortfall:
                yield _alert("escrow-short", "", jackpot=state.jackpot, amount=state.shortfall)
            since = state.escrow.undeposited_since
            if today is not None and since is not None and state.deposit_overdue(today):
                amount = state.escrow.undeposited
                yield _alert("deposit-overdue", "", jackpot=state.jackpot, amount=amount, day=since.isoformat())

    def _of_stopped_tables(self) -> Iterator[Alert]:
        for table, (version, why) in sorted(stopped_tables(self._service.desk).items()):
            yield _alert("table-stopped", str(version), table=table, why=why)

    def _of_large_wins(self) -> Iterator[Alert]:
        for win in self.large_wins.current(self._service.desk.clock()):
            yield _alert(
                "large-win",
                f"{win.round}/{win.player}",
                table=win.table,
                round=win.round,
                player=win.player,
                amount=win.amount,
                at=win.at,
            )

    def _of_hold(self) -> Iterator[Alert]:
        if time.monotonic() >= self._hold_due:
            self._hold_due = time.monotonic() + HOLD_SECONDS
            threading.Thread(target=self._compare_hold, name="upcard-hold", daemon=True).start()
        yield from self._hold

    def _compare_hold(self) -> None:
        try:
            self.compare_hold()
        except Exception as error:  # tried again later
            _log.warning("the hold could not be compared with its range", why=str(error))

    def _of_approvals(self) -> Iterator[Alert]:
        for approval in self._people.waiting_approvals():
            at = approval.requested_at.isoformat()
            yield _alert("approval-waiting", approval.id, asked_by=approval.requested_by, at=at)

    def _today(self) -> date | None:
        try:
            return self._days.days().today
        except BookRefused:
            return None


def _outside(table: str, win: int, day: date) -> Alert:
    return _alert("hold-outside", day.isoformat(), table=table, amount=win, day=day.isoformat())


def _alert(
    kind: Kind,
    which: str,
    *,
    at: str = "",
    table: str = "",
    jackpot: str = "",
    round: int | None = None,  # noqa: A002 - the word for it
    player: str = "",
    amount: int | None = None,
    day: str = "",
    why: Coded | None = None,
    asked_by: str = "",
) -> Alert:
    return {
        "id": ":".join((kind, jackpot or table, which)),
        "kind": kind,
        "at": at,
        "table": table,
        "jackpot": jackpot,
        "round": round,
        "player": player,
        "amount": amount,
        "day": day,
        "why": why,
        "asked_by": asked_by,
        "acknowledged_by": "",
        "acknowledged_at": "",
    }
