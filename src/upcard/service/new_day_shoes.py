"""A new gaming day begins with a new shoe: the shoe of the day before ends between two rounds.

A command at the table does it, or the clock of any process: the id is made from the table and the day, so it happens
once.
"""

import logging
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from upcard.ledger.gaming_day import day_of
from upcard.people.person import CLOCK
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.pending import PendingCommand
from upcard.service.rules_in_force import NEW_DAY, program_id

if TYPE_CHECKING:
    from upcard.service.desk import Desk

_log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(minutes=1)  # the first command of a day does not wait for this


def is_of_an_earlier_day(live: LiveTable, day: date) -> bool:
    """Whether a shoe of an earlier day is in play, and no round."""
    return live.table.round is None and "" < live.shoe_day < day.isoformat()


def end_of_shoe(table: str, day: date) -> PendingCommand:
    """The command that ends a shoe of an earlier day; the same in every process."""
    command = s.EndShoeOfDay(table=table)
    return PendingCommand(command, program_id(NEW_DAY, table, day.isoformat()), actor=CLOCK, role=CLOCK)


class NewDayShoes:
    """Ends the shoes of the day before at tables where nobody does anything."""

    def __init__(self, desk: "Desk") -> None:
        self.desk = desk
        self._next: datetime | None = None

    def run(self) -> None:
        """Looks at the tables that this process knows, at most once a minute."""
        now = self.desk.clock()
        if self._next is not None and now < self._next:
            return
        self._next = now + LOOK_AGAIN
        with self.desk.book.look() as clerk:
            hours = clerk.house().hours
        if not hours:
            return
        today = day_of(now, hours)
        for live in list(self.desk.cache.lives.values()):
            if live.opened and is_of_an_earlier_day(live, today):
                end = end_of_shoe(live.name, today)
                error = self.desk.ask(end.command, id=end.id, actor=end.actor, role=end.role).exception()
                if error is not None:  # somebody was faster, or the store failed: look again later
                    _log.info("the shoe of %s was not changed: %s", live.name, error)
