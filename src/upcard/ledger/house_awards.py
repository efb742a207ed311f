"""Jackpots with the house's own money: their meters by table, and what they cost on a day."""

from collections import Counter
from datetime import date

import sqlalchemy as sa

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.chains import state_of
from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.journal import jackpot_chain
from upcard.ledger.table_state import TableState
from upcard.ledger.unit import Unit

_ENDED = ("deny-win", "withdraw-claims")


def house_meters(unit: Unit) -> dict[str, dict[str, dict[str, int]]]:
    """The meters that the house pays, now, by table and wager."""
    states = [state for chain in unit.jackpot_chains() if isinstance(state := state_of(chain), HouseJackpot)]
    values = {state.jackpot: state.values() for state in states}
    tables = [state for chain in unit.chains().values() if isinstance(state := state_of(chain), TableState)]
    return {
        table.table: meters
        for table in tables
        if (meters := {wager: values[jackpot] for wager, jackpot in table.links.items() if jackpot in values})
    }


def house_awards(unit: Unit, day: date) -> Counter[str]:
    """Wins locked on a day, less those denied, in cents by table; wins that wait to be verified count in full."""
    states = [state for chain in unit.jackpot_chains() if isinstance(state := state_of(chain), HouseJackpot)]
    awards: Counter[str] = Counter()
    for state in states:
        if state.hits or state.wins:
            awards.update(_awards(unit, state.jackpot, day))
    return awards


def _awards(unit: Unit, jackpot: str, day: date) -> Counter[str]:
    entry = schema.entries
    locks = sa.and_(entry.c.day == day.isoformat(), entry.c.answer.like('%"awards":%'))
    ends = sa.or_(*(entry.c.request.like(f'%"order":"{order}"%') for order in _ENDED))
    query = sa.select(entry.c.day, entry.c.format, entry.c.request, entry.c.answer)
    query = query.where(entry.c.chain == jackpot_chain(jackpot), sa.or_(locks, ends)).order_by(entry.c.number)
    locked: dict[str, tuple[str, int, int]] = {}  # by win: table, round, cents
    for row in unit.connection.execute(query):
        request = formats.read("request", row.request, row.format)
        if request["order"] == "deny-win":
            locked.pop(request["win"], None)
        elif request["order"] == "withdraw-claims":
            hand = request["table"], request["round"]
            locked = {win: award for win, award in locked.items() if award[:2] != hand}
        if row.day == day.isoformat():
            for win, award in formats.read("answer", row.answer, row.format).get("wins", {}).items():
                table, number = place_of_win(win, award["meter"])
                locked[win] = table, number, award["amount"]
    totals: Counter[str] = Counter()
    for table, _, cents in locked.values():
        totals[table] += cents
    return totals


def place_of_win(win: str, meter: str) -> tuple[str, int]:
    """The table and round in a win's key: `T1/7`, or `T1/7/MEGA` where there are several meters."""
    table, _, number = win.removesuffix(f"/{meter}").rpartition("/")
    return table, int(number)
