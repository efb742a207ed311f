"""Transactions about people: each reads or changes the register of one book."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlalchemy.exc import IntegrityError, OperationalError

from upcard.ledger.store import Store, is_write_conflict
from upcard.people.refusals import PeopleRefused
from upcard.people.register import Register
from upcard.problems import BadRequest

T = TypeVar("T")

_ATTEMPTS = 8


class PeopleTransactions:
    """Runs work on the people of one book."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        if store.keyring is None:
            raise BadRequest("accounts need the operator's key")
        self._store, self._clock, self._keyring = store, clock, store.keyring

    def _write(self, work: Callable[[Register], T | PeopleRefused]) -> T:
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

    def _read(self, work: Callable[[Register], T]) -> T:
        with self._store.view() as unit:
            return work(Register(unit, self._clock(), self._store.keyring))
