"""A store that fails at a chosen write: the disk gives an error, or the process dies.

When the process dies, its files are copied as they are at that moment, in the middle of a transaction, and the next
process opens the copy.
"""

import itertools
import shutil
import sqlite3
from enum import Enum
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store

_WRITES = ("INSERT", "UPDATE", "DELETE")


class ProcessStopped(BaseException):
    """The process is gone: nothing of it runs any more."""


class Failure(Enum):
    """What happens at the chosen point."""

    FAIL = "the disk fails"
    STOP = "the process stops"


class CrashingStore:
    """A book in a file, whose engine counts: every write, the moment before a commit, and the moment after it."""

    def __init__(self, empty: Path, folder: Path, keyring: Keyring) -> None:
        self.folder, self._numbers = folder, itertools.count(1)
        self.path = Path(shutil.copy(empty, self._next()))
        self.store = Store(str(self.path), keyring)
        self.point, self.failure = 0, Failure.FAIL
        self.passed, self.triggered, self.committed = 0, False, False
        self.failing_read = 0
        engine = self.store.engine
        event.listen(engine, "do_connect", self._connect)
        event.listen(engine, "before_cursor_execute", self._before)
        event.listen(engine, "commit", self._commit)

    def arm(self, point: int, failure: Failure) -> None:
        """Chooses the point, counted from here; none: 0."""
        self.point, self.failure = point, failure
        self.passed, self.triggered, self.committed = 0, False, False

    def fail_reading(self, number: int) -> None:
        """The so-many-th question from here is not answered."""
        self.failing_read, self.triggered = number, False

    def reopen(self) -> None:
        """What the next process finds."""
        old = self.path
        self.store.engine.dispose()
        self.path = self._left
        for file in (old, old.with_name(f"{old.name}-wal"), old.with_name(f"{old.name}-shm")):
            file.unlink(missing_ok=True)

    def _next(self) -> Path:
        return self.folder / f"{next(self._numbers)}.db"

    def _connect(self, _dialect: object, _record: object, words: list[Any], _options: dict[str, Any]) -> None:
        words[0] = str(self.path)

    def _before(self, _c: object, _u: object, statement: str, *_: object) -> None:
        if statement.lstrip().startswith(_WRITES):
            self._pass(statement)
        elif self.failing_read and statement.lstrip().startswith("SELECT"):
            self.failing_read -= 1
            if not self.failing_read:
                self.triggered = True
                raise _disk_error(statement)

    def _commit(self, connection: sa.Connection) -> None:
        if connection.get_execution_options().get("upcard_view", False):
            return
        self._pass("COMMIT")
        self.committed = True  # or will be, in a moment
        if self.point == self.passed + 1:
            connection.connection.commit()
        self._pass("COMMIT, and no more")

    def _pass(self, statement: str) -> None:
        self.passed += 1
        if self.passed != self.point:
            return
        self.triggered = True
        if self.failure is Failure.FAIL:
            raise _disk_error(statement)
        self._left = Path(shutil.copy(self.path, self._next()))
        wal = self.path.with_name(f"{self.path.name}-wal")
        if wal.exists():
            shutil.copy(wal, self._left.with_name(f"{self._left.name}-wal"))
        raise ProcessStopped


def _disk_error(statement: str) -> OperationalError:
    return OperationalError(statement, None, sqlite3.OperationalError("disk I/O error"))
