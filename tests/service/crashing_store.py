"""A store whose disk fails at a chosen write, and whose process can die and find another disk.

It counts every write, the moment before a commit, and the moment after it.
"""

import itertools
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from service.crash_images import Disk
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store

_WRITES = ("INSERT", "UPDATE", "DELETE")
_PAGES = 60  # of the log before a checkpoint: they are frequent here


class CrashingStore:
    """A book in a file."""

    def __init__(self, empty: Path, folder: Path, keyring: Keyring) -> None:
        self.folder, self._numbers = folder, itertools.count(1)
        self.path = Path(shutil.copy(empty, self._next()))
        self.store = Store(str(self.path), keyring)
        self.point = self.passed = self.commits = self.failing_read = 0
        self.triggered = self.committed = False
        engine = self.store.engine
        event.listen(engine, "do_connect", self._connect)
        event.listen(engine, "connect", _checkpoint_often)
        event.listen(engine, "before_cursor_execute", self._before)
        event.listen(engine, "commit", self._commit)

    def arm(self, point: int) -> None:
        """Chooses the write that fails, counted from here; none: 0."""
        self.point, self.passed, self.triggered, self.committed = point, 0, False, False

    def fail_reading(self, number: int) -> None:
        """The so-many-th question from here is not answered."""
        self.failing_read, self.triggered = number, False

    def reopen(self, disk: Disk) -> None:
        """The process died; the next one finds this disk."""
        old = self.path
        self.store.engine.dispose()
        self.path = disk.write(self._next())
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
        self.commits += 1
        self.committed = True  # or will be, in a moment
        if self.point == self.passed + 1:
            connection.connection.commit()
        self._pass("COMMIT, and no more")

    def _pass(self, statement: str) -> None:
        self.passed += 1
        if self.passed == self.point:
            self.triggered = True
            raise _disk_error(statement)


def _checkpoint_often(connection: Any, _record: object) -> None:
    connection.execute(f"PRAGMA wal_autocheckpoint={_PAGES}")


def _disk_error(statement: str) -> OperationalError:
    return OperationalError(statement, None, sqlite3.OperationalError("disk I/O error"))
