"""The daily accrual of 000: each morning, part of yesterday's wagers is added to the fund.

Any process may add a day, by its clock or together with the day's first wager or deal: the id of the command is made
from the jackpot and the day, so it happens once. The book itself deals no hand before the accrual.
"""

import logging
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from upcard.ledger.batch_unit import Memory
from upcard.ledger.chains import state_of
from upcard.ledger.gaming_day import day_of
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.requests import AccrueDay
from upcard.ledger.journal import jackpot_chain, table_chain
from upcard.ledger.table_state import TableState
from upcard.ledger.unit import Unit
from upcard.people.person import CLOCK
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.money_locks import jackpots_of
from upcard.service.pending import Answer, PendingCommand
from upcard.service.rules_in_force import ACCRUE

if TYPE_CHECKING:
    from upcard.service.desk import Desk

_log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(minutes=1)  # the first wager of a day does not wait for this


def accrual(jackpot: str, day: date) -> PendingCommand:
    """The command that adds the wagers of a day; the same in every process."""
    command = s.House(request=AccrueDay(jackpot=jackpot, day=day))
    return PendingCommand(command, f"{ACCRUE}{jackpot}/{day}", actor=CLOCK, role=CLOCK)


def daily_jackpots(unit: Unit) -> Iterator[DailyJackpot]:
    """Every jackpot that grows each morning."""
    for chain in unit.jackpot_chains():
        state = state_of(chain)
        if isinstance(state, DailyJackpot):
            yield state


def may_accrue(memory: Memory, now: datetime, commands: Iterable[s.Command]) -> bool:
    """Whether one of these commands may be the first of a gaming day for a jackpot, as far as the cache knows."""
    today = memory.last_day
    for command in commands:
        if not isinstance(command, s.AtTable):
            continue
        table = memory.chains.get(table_chain(command.table))
        if table is None or not isinstance(table.state, TableState) or not table.state.links:
            continue
        for name in jackpots_of(table.state, command):
            jackpot = memory.chains.get(jackpot_chain(name))
            fund = None if jackpot is None else jackpot.state
            if isinstance(fund, DailyJackpot) and (
                today is None or not today.begins <= now < today.ends or fund.due(today.day)
            ):
                return True
    return False


class DailyAccruals:
    """Adds past days as soon as this process notices that a gaming day has begun."""

    def __init__(self, desk: "Desk") -> None:
        self.desk = desk
        self._next: datetime | None = None

    def run(self) -> list[Answer]:
        """Adds what is due; reads the book at most once a minute."""
        now = self.desk.clock()
        if self._next is not None and now < self._next:
            return []
        self._next = now + LOOK_AGAIN
        return accrue_due(self.desk)


def accrue_due(desk: "Desk") -> list[Answer]:
    """Adds the wagers of every past day that were not added yet, day by day."""
    with desk.book.look() as clerk:
        hours = clerk.house().hours
        today = day_of(desk.clock(), hours) if hours else date.min
        due = [accrual(state.jackpot, day) for state in daily_jackpots(clerk.unit) for day in state.due(today)]
    answers = []
    for pending in due:
        try:
            answers.append(desk.do(pending.command, id=pending.id, actor=pending.actor, role=pending.role))
        except UpcardError as error:  # another process or a person was faster, or the store failed: look again later
            _log.warning("%s: %s", pending.id, error)
    return answers
