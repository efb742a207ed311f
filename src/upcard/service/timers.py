"""Timers. They are derived from the tables' records, so any process may fire any of them, and each fires once.

The id of a timer's command is made from its key. If two processes fire it, or one does before and after a crash, it is
the same command, and the second gets the first answer.
"""

import logging
import threading
from concurrent.futures import Future
from dataclasses import replace

from upcard.codes import Coded, phrases
from upcard.ledger.journal import instant_text
from upcard.people.person import CLOCK
from upcard.problems import UpcardError
from upcard.service.accruals import DailyAccruals
from upcard.service.commands import Timeout
from upcard.service.desk import Desk
from upcard.service.new_day_shoes import NewDayShoes
from upcard.service.pending import Answer
from upcard.service.queries import Queries
from upcard.service.refusals import Refused, ServiceRefusal, StoreFailed
from upcard.service.rules_in_force import TIMER, program_id
from upcard.service.steady_clock import ClockWatch

_log = logging.getLogger(__name__)
phrases({"timer/failed": "the round could not be continued"})
ACTOR = CLOCK
_ALREADY_HANDLED = {
    code.name
    for code in (
        ServiceRefusal.TIMER_STALE,
        ServiceRefusal.TIMER_EARLY,
        ServiceRefusal.TABLE_STOPPED,
        ServiceRefusal.TABLE_NOT_OPEN,
    )
}


def timer_id(table: str, key: str) -> str:
    """The id under which a timer fires, in every process."""
    return program_id(TIMER, table, key)


def fire_due(desk: Desk, queries: Queries) -> list[Answer]:
    """Fires every timer that is due."""
    now = instant_text(desk.clock())
    waiting = []
    for table in queries.due(now):
        try:
            live = desk.live(table)
        except UpcardError as error:
            _log.debug("no timer of %s is fired: %s", table, error)  # a warning was logged when the table stopped
            continue
        for key, due in sorted(live.timers.items(), key=lambda pair: pair[1]):
            if due <= now:
                waiting.append((Timeout(table=table, key=key), timer_id(table, key)))
    futures = [desk.ask(command, id=name, actor=ACTOR, role="clock") for command, name in waiting]
    answers = (_result_or_void(desk, command, future) for (command, _), future in zip(waiting, futures, strict=True))
    return [answer for answer in answers if answer is not None]


def _result_or_void(desk: Desk, command: Timeout, future: "Future[Answer]") -> Answer | None:
    """What a timer did. If it failed, the round is voided; otherwise the timer would be tried again for ever."""
    try:
        return future.result()
    except StoreFailed as failed:
        _log.warning("timer %s of %s could not be stored: %s", command.key, command.table, failed)
        return None  # the next tick tries again
    except Exception as error:
        if isinstance(error, Refused) and error.reason in _ALREADY_HANDLED:
            return None  # another command or process was faster
        _log.warning("timer %s of %s failed, voiding the round: %s", command.key, command.table, error)
        why: Coded = error.coded if isinstance(error, Refused) else {"code": "timer/failed"}
    void, name = replace(command, void=why), timer_id(command.table, f"{command.key}:void")
    try:
        return desk.ask(void, id=name, actor=ACTOR, role="clock").result()
    except Exception as error:  # the timers of other tables must still fire
        _log.warning("the round could not be voided after timer %s of %s: %s", command.key, command.table, error)
        return None


class Timers:
    """A thread that fires due timers, until it is stopped. Each morning it adds to the 000 jackpots, and ends the shoes
    of the day before."""

    def __init__(
        self, desk: Desk, queries: Queries, *, interval: float = 0.25, clock_watch: ClockWatch | None = None
    ) -> None:
        self.desk, self.queries, self.interval, self._clock_watch = desk, queries, interval, clock_watch
        self._accruals, self._shoes = DailyAccruals(desk), NewDayShoes(desk)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-clock", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _move_mark(self) -> None:
        mark = self.desk.high_water
        if mark is not None and mark.is_due():
            with self.desk.store.view() as unit:
                mark.look(unit)
            mark.sync()

    def _run(self) -> None:
        while not self._stop.wait(self.interval):
            try:
                if self._clock_watch is not None:
                    self._clock_watch.look()
                self._accruals.run()
                self._shoes.run()
                fire_due(self.desk, self.queries)
                self._move_mark()
            except Exception as error:  # the next tick tries again: this thread must not end
                _log.warning("timers could not be fired: %s", error)
