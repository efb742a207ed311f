"""Statements: an account line by line, a meter day by day, in such detail that anybody can add them up by hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.accounts import Account, Side
from upcard.ledger.journal import MeterChange, jackpot_chain
from upcard.ledger.transfers import Phase
from upcard.ledger.unit import Unit

_FINAL = (Phase.POSTED.value, Phase.POST.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One line of an account's statement."""

    day: str
    at: str
    transfer: str
    reason: str
    other: str  # the account on the other side
    amount: int  # positive on the account's normal side
    balance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An account over some days."""

    account: Account
    opening: int
    postings: tuple[Posting, ...]

    @property
    def closing(self) -> int:
        return self.postings[-1].balance if self.postings else self.opening


def statement(unit: Unit, account: Account, since: date | None = None, until: date | None = None) -> Statement:
    """The final transfers of an account; those before the first day make up its opening balance."""
    opening, balance, postings = 0, 0, []
    for row in _transfers_of(unit, account):
        grows = (row.debit == str(account)) == (account.kind.side is Side.DEBIT)
        amount = row.amount if grows else -row.amount
        balance += amount
        if since is not None and row.day < since.isoformat():
            opening = balance
        elif until is None or row.day <= until.isoformat():
            other = row.credit if row.debit == str(account) else row.debit
            postings.append(
                Posting(
                    day=row.day,
                    at=row.at,
                    transfer=row.id,
                    reason=formats.upcast("transfer", row._asdict(), row.format)["reason"],
                    other=other,
                    amount=amount,
                    balance=balance,
                )
            )
    return Statement(account=account, opening=opening, postings=tuple(postings))


def _transfers_of(unit: Unit, account: Account) -> Iterator[Any]:
    transfer, entry = schema.transfers, schema.entries
    query = (
        sa.select(transfer, entry.c.day, entry.c.at, entry.c.format)
        .join(entry, sa.and_(transfer.c.chain == entry.c.chain, transfer.c.number == entry.c.number))
        .where(
            sa.or_(transfer.c.debit == str(account), transfer.c.credit == str(account)), transfer.c.phase.in_(_FINAL)
        )
        .order_by(entry.c.at, transfer.c.chain, transfer.c.number, transfer.c.position)
    )
    yield from unit.connection.execute(query)


@dataclass(slots=True, kw_only=True)
class MeterDay:
    """A meter over one gaming day."""

    day: date
    opening: int
    wagered: int = 0  # on its wager in settled hands, by the day of the deal
    moves: dict[str, int] = field(default_factory=dict)  # sums by reason
    closing: int = 0
    won: int = 0  # locked this day
    paid: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterMovement:
    """One movement of a meter, with the command that ordered it."""

    day: str
    at: str
    meter: str
    reason: str
    before: int
    after: int
    carry: str
    command: str
    actor: str


def history(unit: Unit, jackpot: str) -> list[MeterMovement]:
    """Every movement of a jackpot's meters, from its opening until now."""
    move, entry = schema.movements, schema.entries
    query = (
        sa.select(move, entry.c.day, entry.c.at, entry.c.command, entry.c.actor)
        .join(entry, sa.and_(move.c.chain == entry.c.chain, move.c.number == entry.c.number))
        .where(move.c.chain == jackpot_chain(jackpot))
        .order_by(move.c.number, move.c.position)
    )
    names = ("day", "at", "meter", "reason", "before", "after", "carry", "command", "actor")
    rows = [row._asdict() for row in unit.connection.execute(query)]
    posts = _posts(unit, jackpot) if any(row["reason"] == MeterChange.POSTED.value for row in rows) else {}
    for row in rows:
        if row["reason"] == MeterChange.POSTED.value:  # perhaps queued: then it happened with a later command
            row |= posts[max(number for number in posts if number <= row["number"])]
    return [MeterMovement(**{name: row[name] for name in names}) for row in rows]


def _posts(unit: Unit, jackpot: str) -> dict[int, dict[str, str]]:
    """The orders to post values, by entry: their commands and who gave them."""
    entry = schema.entries.c
    of_jackpot = sa.select(entry.number, entry.command, entry.actor).where(entry.chain == jackpot_chain(jackpot))
    query = of_jackpot.where(entry.request.like('%"order":"post"%'))
    return {row.number: {"command": row.command, "actor": row.actor} for row in unit.connection.execute(query)}


def meter_days(unit: Unit, jackpot: str, meter: str, since: date, until: date) -> list[MeterDay]:
    """A meter day by day, including days without activity."""
    moves = [move for move in history(unit, jackpot) if move.meter == meter]
    activity = _activity(unit, jackpot)
    before = [move for move in moves if move.day < since.isoformat()]
    value = before[-1].after if before else 0
    days = []
    for day in map(date.fromordinal, range(since.toordinal(), until.toordinal() + 1)):  # date.max + 1 would overflow
        text = day.isoformat()
        line = MeterDay(day=day, opening=value, won=activity.won[text, meter], paid=activity.paid[text, meter])
        for move in moves:
            if move.day == text:
                line.moves[move.reason] = line.moves.get(move.reason, 0) + move.after - move.before
                value = move.after
        line.closing, line.wagered = value, activity.wagered[text]
        days.append(line)
    return days


@dataclass(slots=True)
class _JackpotActivity:
    """Wagers, wins and payments of a jackpot, by day."""

    wagered: Counter[str] = field(default_factory=Counter)
    won: Counter[tuple[str, str]] = field(default_factory=Counter)  # by day and meter
    paid: Counter[tuple[str, str]] = field(default_factory=Counter)
    wins: dict[str, "_LockedWin"] = field(default_factory=dict)

    def lock(self, key: str, hand: tuple[str, int], day: str, meter: str, amount: int) -> None:
        """Counts a win on the day it is locked; after another win was denied, it may get another amount."""
        win = self.wins.setdefault(key, _LockedWin(hand, meter))
        more, win.amount = amount - win.amount, amount
        win.days[day] += more
        self.won[day, meter] += more

    def withdraw(self, hand: tuple[str, int]) -> None:
        """Takes out the wins of a hand whose cards were wrong or whose round was void."""
        for key in [key for key, win in self.wins.items() if win.hand == hand]:
            win = self.wins.pop(key)
            for day, amount in win.days.items():
                self.won[day, win.meter] -= amount


@dataclass(slots=True)
class _LockedWin:
    hand: tuple[str, int]  # table and round
    meter: str
    amount: int = 0
    days: Counter[str] = field(default_factory=Counter)  # what was counted, by day


def _activity(unit: Unit, jackpot: str) -> _JackpotActivity:
    """Reads the chain once.

    Settled wagers count on the day of the deal, and wins that were not withdrawn on the day they were locked."""
    entry, activity = schema.entries, _JackpotActivity()
    query = sa.select(entry).where(entry.c.chain == jackpot_chain(jackpot)).order_by(entry.c.number)
    dealt: dict[tuple[str, int], tuple[str, dict[int, int]]] = {}  # day, and stakes by spot
    for row in unit.connection.execute(query):
        request = formats.read("request", row.request, row.format)
        answer = formats.read("answer", row.answer, row.format)
        hand = request.get("table", ""), request.get("round", 0)
        match request["order"]:
            case "begin-hand":
                dealt[hand] = row.day, {wager["spot"]: wager["stake"] for wager in request["stakes"]}
            case "withdraw-claims":
                activity.withdraw(hand)
            case "end-hand":
                if request["returned"]:
                    activity.withdraw(hand)
                day, stakes = dealt.get(hand, (row.day, {}))
                activity.wagered[day] += sum(stake for spot, stake in stakes.items() if spot not in request["returned"])
            case "pay-win":
                win = activity.wins[request["win"]]
                activity.paid[row.day, win.meter] += win.amount
        for key, locked in answer.get("wins", {}).items():
            activity.lock(key, hand, row.day, locked["meter"], locked["amount"])
    return activity


def reasons_of(days: Sequence[MeterDay]) -> list[str]:
    """Every reason that occurs, in the order of its first day."""
    return list(dict.fromkeys(reason for day in days for reason in day.moves))
