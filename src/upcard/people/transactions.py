"""Work on people, each in a transaction of its own, with the time it is done and the operator's keys."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlalchemy.exc import IntegrityError, OperationalError

from upcard.ledger.store import Store, is_write_conflict
from upcard.people.refusals import PeopleRefused
from upcard.people.register import Register

T = TypeVar("T")

_ATTEMPTS = 8


class Transactions:
    """Transactions on the people of one book."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store, self._clock = store, clock

    def write(self, work: Callable[[Register], T | PeopleRefused]) -> T:
        """Runs work in a transaction; tries again, a few times, if another writer was in the way.

        A refusal that the work raises rolls the transaction back. A refusal that it returns is raised after the
        commit, so that what was counted and logged stays.
        """
        for attempts_left in reversed(range(_ATTEMPTS)):
            try:
                with self._store.transaction() as unit:
                    register = Register(unit, self._clock(), self._store.keyring)
                    result = work(register)
                    register.flush()
                break
            except (IntegrityError, OperationalError) as error:
                if attempts_left == 0 or not is_write_conflict(error):
                    raise
        if isinstance(result, PeopleRefused):
            raise result
        return result

    def read(self, work: Callable[[Register], T]) -> T:
        with self._store.view() as unit:
            return work(Register(unit, self._clock(), self._store.keyring))
