"""Jackpots as displays and the floor look at them: meters, wins that wait, the last that were paid."""

from collections.abc import Iterable

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.book import Book
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.state import JackpotState, Win
from upcard.ledger.journal import jackpot_chain
from upcard.ledger.unit import Chain
from upcard.service.wire_models import JackpotLine, Waiting, Won

LAST_WINS = 5
_CHAINS = sa.select(schema.chains).where(schema.chains.c.chain.like("jackpot:%"), schema.chains.c.number > 0)


class Meters:
    """Looks at the jackpots; remembers the wins of those that were not hit since."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._won: dict[str, tuple[int, list[Won]]] = {}  # by jackpot: its hits, and the last of them

    def rows(self) -> list[JackpotLine]:
        """Every jackpot, by name."""
        with self.book.store.view() as unit:
            found = []
            for row in unit.connection.execute(_CHAINS.order_by(schema.chains.c.chain)):
                state = state_of(Chain(row.chain, row.number, row.hash, row.at, row.state, row.format))
                if isinstance(state, JackpotState):
                    found.append(self._row(unit.connection, state, row.number))
        return found

    def _row(self, connection: sa.Connection, state: JackpotState, number: int) -> JackpotLine:
        stopped = state.stopped()
        return {
            "jackpot": state.jackpot,
            "number": number,
            "plan": state.trigger.plan,
            "moves": state.trigger.plan == "progressive",
            "meters": dict(state.values()),
            "tables": list(state.tables),
            "stopped": None if stopped is None else stopped.coded,
            "suspended": state.suspended,
            "notice": state.terms.notice if isinstance(state, BonusJackpot) else "",
            "waiting": [_waiting(key, win) for key, win in state.wins.items()],
            "last": self._last(connection, state),
        }

    def _last(self, connection: sa.Connection, state: JackpotState) -> list[Won]:
        """The last wins that were paid, the newest first."""
        hits, found = self._won.get(state.jackpot, (0, []))
        if hits != state.hits:
            found = _paid(connection, state.jackpot)
            self._won[state.jackpot] = (state.hits, found)
        return found


def nameless(jackpots: Iterable[JackpotLine]) -> list[JackpotLine]:
    """Jackpots as a display and the guests hear of them: who of the house locked or verified a win is the house's."""
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
        "awards": [{"spot": one.spot, "event": one.event, "amount": one.amount} for one in win.awards],
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
    """The table and round out of a win's name: `T1/7`, or `T1/7/MEGA` where there are several meters."""
    table, _, number = key.removesuffix(f"/{meter}").rpartition("/")
    return table, int(number)
