"""A gaming day on the floor: drop, win and hold hour by hour, and ratings of the players."""

from dataclasses import dataclass
from datetime import date, timedelta

from typing_extensions import TypedDict

from upcard.ledger.gaming_day import Hours, length_of, start_of
from upcard.ledger.journal import instant_text
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.service.expected_win import expected
from upcard.service.hold_solver import Solver
from upcard.service.running import Service
from upcard.service.table_activity import PlayerDay, TableActivity, TableDays


class HourCell(TypedDict):
    """Money at a table in an hour, in cents."""

    rounds: int
    drop: int
    win: int


class TableHours(TypedDict):
    """A table hour by hour; an hour in which nothing happened is empty."""

    table: str
    hours: list[HourCell]
    total: HourCell


class HoursOfDay(TypedDict):
    """A gaming day hour by hour. `starts` has the moments at which its hours begin: 23, 24 or 25."""

    day: str
    zone: str
    starts: list[str]
    tables: list[TableHours]
    together: TableHours


class Rating(TypedDict):
    """What a player bet on a gaming day, and what that should win the house; in cents."""

    player: str
    tables: list[str]
    first_at: str
    last_at: str
    seconds: int  # at the tables, without pauses of more than a quarter of an hour
    hands: int
    average_bet: int  # the main wager of a hand, before doubles and splits
    side: int
    bought_in: int
    cashed_out: int
    won: int  # from the house; negative: lost
    theoretical: float | None  # the expected win of the house; None: it is being calculated


class RatingsOfDay(TypedDict):
    """The ratings of a gaming day, the largest theoretical win first."""

    day: str
    ratings: list[Rating]
    solving: bool


@dataclass
class _Sum:
    tables: list[str]
    first_at: str
    last_at: str
    played: timedelta
    hands: int
    main: int
    side: int
    bought_in: int
    cashed_out: int
    won: int
    theoretical: float | None


class FloorDays:
    """The gaming days of a floor; theoretical wins come from the solver that the hold uses."""

    def __init__(self, service: Service, solver: Solver) -> None:
        self._service, self._solver = service, solver
        self._days = TableDays(service.queries)

    def hours(self, day: date, table: str | None) -> HoursOfDay:
        """Drop and win of every table that was active, hour by hour."""
        hours = self._hours()
        count = round(length_of(day, hours) / timedelta(hours=1))
        begins = start_of(day, hours)
        lines = [_line(name, activity, count) for name, activity in self._active(day, hours, table)]
        together: TableHours = {
            "table": "",
            "hours": _sum_of([line["hours"] for line in lines], count),
            "total": _NOTHING,
        }
        together["total"] = _total(together["hours"])
        return {
            "day": day.isoformat(),
            "zone": hours[-1].zone,
            "starts": [instant_text(begins + timedelta(hours=number)) for number in range(count)],
            "tables": lines,
            "together": together,
        }

    def ratings(self, day: date, table: str | None) -> RatingsOfDay:
        """Every player who played on the day."""
        sums: dict[str, _Sum] = {}
        for name, activity in self._active(day, self._hours(), table):
            for player, played in activity.players.items():
                _add(sums, name, player, played, self._theoretical(played))
        ratings = [_rating(player, total) for player, total in sums.items()]
        ratings.sort(key=lambda rating: (-(rating["theoretical"] or 0.0), rating["player"]))
        return {
            "day": day.isoformat(),
            "ratings": ratings,
            "solving": any(rating["theoretical"] is None for rating in ratings),
        }

    def _hours(self) -> tuple[Hours, ...]:
        with self._service.desk.book.look() as clerk:
            hours = clerk.house().hours
        if not hours:
            raise BookRefused(BookRefusal.NO_HOURS)
        return hours

    def _active(self, day: date, hours: tuple[Hours, ...], table: str | None) -> list[tuple[str, TableActivity]]:
        names = self._service.queries.tables() if table is None else [table]
        activities = [(name, self._days.of(name, day, hours)) for name in names]
        return [(name, activity) for name, activity in activities if activity.hours or activity.players]

    def _theoretical(self, played: PlayerDay) -> float | None:
        win = expected(self._service.queries.stored_rules, played.handle, self._solver.solutions)
        return None if win is None else win.mean


_NOTHING: HourCell = {"rounds": 0, "drop": 0, "win": 0}


def _line(table: str, activity: TableActivity, count: int) -> TableHours:
    hours: list[HourCell] = []
    for number in range(count):
        hour = activity.hours.get(number)
        hours.append(_NOTHING if hour is None else {"rounds": hour.rounds, "drop": hour.drop, "win": hour.win})
    return {"table": table, "hours": hours, "total": _total(hours)}


def _sum_of(lines: list[list[HourCell]], count: int) -> list[HourCell]:
    return [_total([line[number] for line in lines]) for number in range(count)]


def _total(cells: list[HourCell]) -> HourCell:
    return {
        "rounds": sum(cell["rounds"] for cell in cells),
        "drop": sum(cell["drop"] for cell in cells),
        "win": sum(cell["win"] for cell in cells),
    }


def _add(sums: dict[str, _Sum], table: str, player: str, played: PlayerDay, theoretical: float | None) -> None:
    total = sums.setdefault(player, _Sum([], "", "", timedelta(), 0, 0, 0, 0, 0, 0, 0.0))
    total.tables.append(table)
    total.first_at = min(filter(None, (total.first_at, played.first_at)), default="")
    total.last_at = max(total.last_at, played.last_at)
    total.played += played.played
    total.hands += played.hands
    total.main += played.main
    total.side += played.side
    total.bought_in += played.bought_in
    total.cashed_out += played.cashed_out
    total.won += played.won
    known = total.theoretical is not None and theoretical is not None
    total.theoretical = (total.theoretical or 0.0) + (theoretical or 0.0) if known else None


def _rating(player: str, total: _Sum) -> Rating:
    return {
        "player": player,
        "tables": total.tables,
        "first_at": total.first_at,
        "last_at": total.last_at,
        "seconds": round(total.played.total_seconds()),
        "hands": total.hands,
        "average_bet": round(total.main / total.hands) if total.hands else 0,
        "side": total.side,
        "bought_in": total.bought_in,
        "cashed_out": total.cashed_out,
        "won": total.won,
        "theoretical": total.theoretical,
    }
