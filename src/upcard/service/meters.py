"""Jackpots for displays and the floor: meters, pending wins, and the last paid wins."""

from collections.abc import Iterable

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.book import Book
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.hands_and_wins import JackpotState, Win
from upcard.ledger.journal import jackpot_chain
from upcard.ledger.unit import Chain
from upcard.service.jackpot_signs import sign_of
from upcard.service.wire_models import JackpotLine, Waiting, Won

LAST_WINS = 5
_CHAINS = sa.select(schema.chains).where(schema.chains.c.chain.like("jackpot:%"), schema.chains.c.number > 0)


class Meters:
    """Reads the jackpots; caches the paid wins until there is a new one."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._won: dict[str, tuple[int, list[Won]]] = {}  # by jackpot: its number of hits, and the last wins

    def rows(self) -> list[JackpotLine]:
        """Every jackpot, sorted by name."""
        with self.book.store.view() as unit:
            lines = []
            for row in unit.connection.execute(_CHAINS.order_by(schema.chains.c.chain)):
                state = state_of(Chain(row.chain, row.number, row.hash, row.at, row.state, row.format))
                if isinstance(state, JackpotState):
                    lines.append(self._row(unit.connection, state, row.number))
        return lines

    def _row(self, connection: sa.Connection, state: JackpotState, number: int) -> JackpotLine:
        sign = sign_of(state)
        return {
            "jackpot": sign.jackpot,
            "number": number,
            "plan": state.trigger.plan,
            "moves": state.trigger.plan == "progressive",
            "meters": dict(sign.meters),
            "tables": list(state.tables),
            "stopped": sign.stopped,
            "suspended": state.suspended,
            "notice": sign.notice,
            "waiting": [_waiting(key, win) for key, win in state.wins.items()],
            "last": self._last(connection, state),
        }

    def _last(self, connection: sa.Connection, state: JackpotState) -> list[Won]:
        """The last paid wins, newest first."""
        hits, wins = self._won.get(state.jackpot, (0, []))
        if hits != state.hits:
            wins = _paid(connection, state.jackpot)
            self._won[state.jackpot] = (state.hits, wins)
        return wins


def without_staff_names(jackpots: Iterable[JackpotLine]) -> list[JackpotLine]:
    """Jackpots for displays and guests, without the names of the staff who locked or verified a win."""
    return [
        {**line, "waiting": [{**win, "locked_by": "", "verified_by": ""} for win in line["waiting"]]}
        for line in jackpots
    ]


def _waiting(key: str, win: Win) -> Waiting:
    return {
        "win": key,
        "table": win.table,
        "round": win.round,
        "meter": win.meter,
        "amount": win.amount,
        "day": win.day.isoformat(),
        "locked_by": win.locked_by,
        "verified_by": win.verified_by,
        "awards": [{"spot": award.spot, "event": award.event, "amount": award.amount} for award in win.awards],
    }


def _paid(connection: sa.Connection, jackpot: str) -> list[Won]:
    entry = schema.entries
    of_jackpot = sa.select(entry.c.at, entry.c.format, entry.c.request, entry.c.answer).where(
        entry.c.chain == jackpot_chain(jackpot)
    )
    of_wins = sa.or_(entry.c.request.like('%"order":"pay-win"%'), entry.c.answer.like('%"awards":%'))
    locked: dict[str, Won] = {}
    paid: list[Won] = []
    for row in connection.execute(of_jackpot.where(of_wins).order_by(entry.c.number)):
        request = formats.read("request", row.request, row.format)
        if request["order"] == "pay-win":
            paid.append({**locked[request["win"]], "at": row.at})
        for key, win in formats.read("answer", row.answer, row.format)["wins"].items():
            table, number = _place(key, win["meter"])
            locked[key] = {"table": table, "round": number, "meter": win["meter"], "amount": win["amount"], "at": ""}
    return paid[: -LAST_WINS - 1 : -1]


def _place(key: str, meter: str) -> tuple[str, int]:
    """The table and round in a win's key: `T1/7`, or `T1/7/MEGA` where there are several meters."""
    table, _, number = key.removesuffix(f"/{meter}").rpartition("/")
    return table, int(number)
