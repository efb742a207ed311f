"""The folder of checkpoints: a running service writes one every hour and after each daily close.

The folder lies outside the book, beside the operator's key unless `checkpoints` in upcard.toml names another, best on
another machine. What is cut off or rewritten in the book no longer matches the checkpoints there. Of the checkpoints
older than a week, the last one of each day is kept for good.
"""

import json
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.ledger.chains import house_of
from upcard.ledger.findings import Finding
from upcard.ledger.journal import HOUSE, instant_of, instant_text
from upcard.ledger.keyring import Keyring
from upcard.ledger.sealing_key import book_id
from upcard.ledger.unit import Unit
from upcard.service.checkpoint import Checkpoint, checkpoint, compare_checkpoints, read_checkpoint

if TYPE_CHECKING:
    from upcard.service.desk import Desk

_log = logging.getLogger(__name__)

EVERY = timedelta(hours=1)
KEPT = timedelta(days=7)  # all of them; before that, one per day
_LOOK_SECONDS = 5.0
_FINISH_SECONDS = 2.0  # a folder on another machine may hang: it must not keep the service from stopping
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    path: Path
    content: Checkpoint

    @property
    def at(self) -> datetime:
        return instant_of(self.content["at"])


def folder_beside(key: Path) -> Path:
    """Where checkpoints go if no other folder is configured."""
    return Path(f"{key}.checkpoints")


def read_folder(folder: Path, book: str = "") -> list[StoredCheckpoint]:
    """The checkpoints of a folder, the oldest first; with `book`, only those of that book."""
    stored = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        content = read_checkpoint(path.read_bytes())
        if content is not None and _is_dated(content) and (not book or content.get("book") == book):
            stored.append(StoredCheckpoint(path, content))
    return sorted(stored, key=lambda saved: saved.at)


def _is_dated(content: Checkpoint) -> bool:
    try:
        return instant_of(content["at"]).tzinfo is not None
    except (KeyError, ValueError, TypeError, AttributeError):
        return False


def write_checkpoint(folder: Path, signed: Checkpoint) -> Path:
    """Writes a checkpoint under its time; it appears when it is complete and on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_prefix(signed['book'])}{signed['at'].replace(':', '-')}{_SUFFIX}"
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(json.dumps(signed, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def put_aside(folder: Path, unit: Unit, keyring: Keyring | None, why: str) -> tuple[Path, list[StoredCheckpoint]]:
    """After an intended restore: moves the checkpoints that the book no longer matches to a folder of their own, with a
    note. Returns that folder and what was moved."""
    stored = read_folder(folder, book_id(unit.connection))
    unmatched = [saved for saved in stored if differences(unit, [saved], keyring)]
    if not unmatched:
        return folder, []
    target = folder / f"before restore {unmatched[-1].path.stem}"
    number = 1
    while target.exists():
        number += 1
        target = folder / f"before restore {unmatched[-1].path.stem} {number}"
    target.mkdir()
    (target / "why.txt").write_text(f"{why}\n", encoding="utf-8")
    for saved in unmatched:
        saved.path.rename(target / saved.path.name)
    return target, unmatched


def differences(unit: Unit, stored: Sequence[StoredCheckpoint], keyring: Keyring | None) -> list[Finding]:
    """Where the book does not match checkpoints."""
    return compare_checkpoints(unit, [saved.content for saved in stored], [], keyring).findings


class CheckpointWriter:
    """A thread that writes checkpoints while a service runs."""

    def __init__(self, desk: "Desk", folder: Path) -> None:
        self._desk, self._folder = desk, folder
        self._failed = False
        self._closed_day: tuple[date | None] | None = None  # the last day that was closed, once it was looked up
        self._next: datetime | None = None  # no checkpoint is due before
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upcard-checkpoints", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(_FINISH_SECONDS)

    def _run(self) -> None:
        while not self._stop.wait(_LOOK_SECONDS):
            try:
                self.run()
                self._failed = False
            except Exception as error:  # the next look tries again: this thread must not end
                if not self._failed:
                    _log.error("no checkpoint can be written to %s: %s", self._folder, error)
                self._failed = True

    def run(self) -> Path | None:
        """Writes a checkpoint if one is due."""
        store, now = self._desk.store, self._desk.clock()
        with store.view() as unit:
            book = book_id(unit.connection)
            if store.keyring is None or not book:
                return None  # an empty book
            before, self._closed_day = self._closed_day, (house_of(unit.chain(HOUSE)).closed,)
            if before in (None, self._closed_day) and not self._is_due(now, book):
                return None
            try:
                path = write_checkpoint(self._folder, checkpoint(unit, store.keyring, instant_text(now)))
            except BaseException:
                self._closed_day = before  # the next look tries again
                raise
        self._next = now + EVERY
        for old in _superfluous(self._folder, book, now):
            old.unlink(missing_ok=True)
        return path

    def _is_due(self, now: datetime, book: str) -> bool:
        """Whether no process wrote one in the last hour; a clock that was set back does not count."""
        if self._next is None or not timedelta(0) < self._next - now <= EVERY:
            recent = [at for at, _ in _times(self._folder, book) if timedelta(0) <= now - at < EVERY]
            self._next = max(recent) + EVERY if recent else None
        return self._next is None


def _prefix(book: str) -> str:
    """How the names of a book's checkpoints begin: several books may share a folder."""
    return f"{book[:8]}-"


def _times(folder: Path, book: str) -> Iterator[tuple[datetime, Path]]:
    """The times in the names of a book's checkpoints."""
    for path in folder.glob(f"{_prefix(book)}*{_SUFFIX}"):
        day, _, time = path.stem.removeprefix(_prefix(book)).partition("T")
        try:
            yield instant_of(f"{day}T{time.replace('-', ':')}"), path
        except ValueError:
            continue


def _superfluous(folder: Path, book: str, now: datetime) -> Iterator[Path]:
    """Checkpoints older than a week that are not the last of their day."""
    times = list(_times(folder, book))
    last_of_day: dict[date, datetime] = {}
    for at, _ in sorted(times):
        last_of_day[at.date()] = at
    return (path for at, path in times if now - at > KEPT and at != last_of_day[at.date()])
