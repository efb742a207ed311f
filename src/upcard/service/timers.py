"""Timers: they follow from the tables' records, so every process may fire every one, and each fires once.

A timer's command has an id made from its key. Fired by two processes, or before and after a crash, it is the same
command, and the second gets the first one's answer.
"""

import logging
import threading
from concurrent.futures import Future
from dataclasses import replace

from upcard.codes import Coded, phrases
from upcard.ledger.journal import instant_text
from upcard.people.person import CLOCK
from upcard.problems import UpcardError
from upcard.service.commands import Timeout
from upcard.service.desk import Desk
from upcard.service.pending import Answer
from upcard.service.queries import Queries
from upcard.service.refusals import Refused, ServiceRefusal, StoreFailed
from upcard.service.rules_in_force import TIMER, program_id

_log = logging.getLogger(__name__)
phrases({"timer/failed": "it could not go on"})
ACTOR = CLOCK
_TOO_LATE = {
    one.name
    for one in (
        ServiceRefusal.TIMER_STALE,
        ServiceRefusal.TIMER_EARLY,
        ServiceRefusal.TABLE_STOPPED,
        ServiceRefusal.TABLE_NOT_OPEN,
    )
}


def timer_id(table: str, key: str) -> str:
    """The one id under which a timer fires."""
    return program_id(TIMER, table, key)


def fire_due(desk: Desk, queries: Queries) -> list[Answer]:
    """Fires every timer that has run out by now."""
    now = instant_text(desk.clock())
    waiting = []
    for table in queries.due(now):
        try:
            live = desk.live(table)
        except UpcardError as wrong:
            _log.debug("no timer of %s is fired: %s", table, wrong)  # told when it stopped, not at every tick
            continue
        for key, due in sorted(live.timers.items(), key=lambda pair: pair[1]):
            if due <= now:
                waiting.append((Timeout(table=table, key=key), timer_id(table, key)))
    futures = [desk.ask(command, id=name, actor=ACTOR, role="clock") for command, name in waiting]
    answers = (_fired(desk, command, future) for (command, _), future in zip(waiting, futures, strict=True))
    return [one for one in answers if one is not None]


def _fired(desk: Desk, command: Timeout, future: "Future[Answer]") -> Answer | None:
    """What a timer did; what it could not do makes the round void, or it would be tried again for ever."""
    try:
        return future.result()
    except StoreFailed as failed:
        _log.warning("%s of %s: %s", command.key, command.table, failed)
        return None  # the next tick tries again
    except Exception as wrong:
        if isinstance(wrong, Refused) and wrong.reason in _TOO_LATE:
            return None  # somebody acted in the meantime
        _log.warning("%s of %s: %s", command.key, command.table, wrong)
        why: Coded = wrong.coded if isinstance(wrong, Refused) else {"code": "timer/failed"}
    void, name = replace(command, void=why), timer_id(command.table, f"{command.key}:void")
    try:
        return desk.ask(void, id=name, actor=ACTOR, role="clock").result()
    except Exception as wrong:  # one table's trouble is not another's
        _log.warning("%s of %s: %s", command.key, command.table, wrong)
        return None


class Timers:
    """Fires timers until it is stopped."""

    def __init__(self, desk: Desk, queries: Queries, *, every: float = 0.25) -> None:
        self.desk, self.queries, self.every = desk, queries, every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-clock", daemon=True)

    def start(self) -> None:
        """Begins to watch the clock."""
        self._thread.start()

    def stop(self) -> None:
        """Watches no longer."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self.every):
            try:
                fire_due(self.desk, self.queries)
            except Exception as wrong:  # the next tick tries again: a clock must not stop
                _log.warning("timers could not be fired: %s", wrong)
