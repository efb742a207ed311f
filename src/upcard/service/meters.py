"""Jackpots for displays and the floor: meters, pending wins, and the last paid wins."""

from collections.abc import Iterable

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.book import Book
from upcard.ledger.chains import state_of
from upcard.ledger.house_awards import place_of_win
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.jackpot_state import JackpotState, Win, needs_verification
from upcard.ledger.journal import jackpot_chain
from upcard.service.jackpot_lines import AccruedDay, JackpotLine, QueuedValues, Waiting, Winner, Won
from upcard.service.jackpot_signs import sign_of

LAST_WINS = 5


class Meters:
    """Reads the jackpots; caches the paid wins until there is a new one."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._won: dict[str, tuple[int, list[Won]]] = {}  # by jackpot: its number of hits, and the last wins

    def rows(self) -> list[JackpotLine]:
        """Every jackpot, sorted by name."""
        with self.book.store.view() as unit:
            states = [(state_of(chain), chain.number) for chain in unit.jackpot_chains()]
            return [
                self._row(unit.connection, state, number) for state, number in states if isinstance(state, JackpotState)
            ]

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
            "waiting": [_waiting(state, key, win) for key, win in state.wins.items()],
            "last": self._last(connection, state),
            "queued": queued_values(state),
            "accrued": last_accrual(state),
        }

    def _last(self, connection: sa.Connection, state: JackpotState) -> list[Won]:
        """The last paid wins, newest first."""
        hits, wins = self._won.get(state.jackpot, (0, []))
        if hits != state.hits:
            wins = _paid(connection, state.jackpot)
            self._won[state.jackpot] = (state.hits, wins)
        return wins


def without_staff_names(jackpots: Iterable[JackpotLine]) -> list[JackpotLine]:
    """Jackpots for displays and guests, without the names of staff."""
    return [
        {
            **line,
            "waiting": [_without_names(win) for win in line["waiting"]],
            "queued": None if line["queued"] is None else {**line["queued"], "by": ""},
        }
        for line in jackpots
    ]


def _without_names(win: Waiting) -> Waiting:
    awards: list[Winner] = [{**award, "player": ""} for award in win["awards"]]
    return {**win, "locked_by": "", "verified_by": "", "handed_to": "", "awards": awards}


def queued_values(state: JackpotState) -> QueuedValues | None:
    """The values that wait to be posted."""
    queued = state.queued if isinstance(state, HousePosted) else None
    if queued is None or not isinstance(state, HousePosted):
        return None
    return {
        "values": dict(queued.values),
        "seeds": dict(queued.seeds),
        "by": queued.actor,
        "at": queued.at,
        "tables": state.undecided(),
    }


def last_accrual(state: JackpotState) -> AccruedDay | None:
    """The last daily accrual."""
    accrual = state.last_accrual if isinstance(state, DailyJackpot) else None
    return None if accrual is None else {"day": accrual.day.isoformat(), "amount": accrual.amount, "at": accrual.at}


def _waiting(state: JackpotState, key: str, win: Win) -> Waiting:
    hand = state.running.get(win.table)
    return {
        "win": key,
        "table": win.table,
        "round": win.round,
        "meter": win.meter,
        "amount": win.amount,
        "day": win.day.isoformat(),
        "locked_by": win.locked_by,
        "verified_by": win.verified_by,
        "handed_to": win.handed_to,
        "verification": needs_verification(state, win),
        "round_over": hand is None or hand.round != win.round,
        "awards": [
            {"spot": award.spot, "player": award.player, "event": award.event, "amount": award.amount}
            for award in win.awards
        ],
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
            table, number = place_of_win(key, win["meter"])
            locked[key] = {"table": table, "round": number, "meter": win["meter"], "amount": win["amount"], "at": ""}
    return paid[: -LAST_WINS - 1 : -1]
