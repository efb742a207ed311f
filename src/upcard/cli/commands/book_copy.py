"""A copy of a book as a file that is complete or not there at all; what `upcard backup` and `upcard restore` share."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from upcard.cli.book_access import open_book
from upcard.cli.output import write_json
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import is_server
from upcard.problems import BadRequest
from upcard.service.whole_book_check import check_everything

ON_A_SERVER = "back up a book on PostgreSQL with pg_dump and restore it with pg_restore: see docs/operating.md"
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file in use


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyCheck:
    """What the full check found in a copy."""

    findings: tuple[str, ...]
    notes: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """For people, with the verdict last."""
        yield from (f"Not checked: {note}" for note in self.notes)
        yield f"Wrong: {self.findings[0]}" if self.findings else "The backup is sound."


def check_copy(copy: Path, keyring: Keyring | None) -> CopyCheck:
    with open_book(str(copy)) as unit:
        report = check_everything(unit, keyring)
    return CopyCheck(findings=tuple(map(str, report.findings)), notes=report.notes)


def write_copy_json(check: CopyCheck | None, **facts: object) -> None:
    checked = None if check is None else {"findings": check.findings, "notes": check.notes}
    sound = None if check is None else not check.findings
    write_json({**facts, "key_included": False, "sound": sound, "check": checked})


def book_and_copy(book: str, copy: str) -> tuple[Path, Path]:
    """The two files; refuses what cannot be copied as a file."""
    if is_server(book) or is_server(copy):
        raise BadRequest(ON_A_SERVER)
    if Path(book).exists() and Path(copy).exists() and Path(book).samefile(copy):
        raise BadRequest(f"{book} and {copy} are the same file")
    for name in (book, copy):
        if Path(name).is_dir():
            raise BadRequest(f"{name} is a folder, not a file")
    return Path(book), Path(copy)


@contextmanager
def written_whole(target: Path, keep_as: Path | None = None) -> Iterator[Path]:
    """A file that appears under its name once it is complete and on the disk, or not at all.

    The old file, if any, is kept as `keep_as`.
    """
    part = Path(f"{target}.part")
    _remove(part)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield part
        _fold_in_the_log(part)
        _sync(part)
        if keep_as is not None:
            target.rename(keep_as)
        for suffix in BESIDE:  # left by a book that is gone: they are no part of this one
            Path(f"{target}{suffix}").unlink(missing_ok=True)
        part.rename(target)
        _sync(target.absolute().parent)
    except sqlite3.Error as error:
        raise BadRequest(f"{target} could not be written: {error}") from None
    finally:
        _remove(part)


def _remove(file: Path) -> None:
    for suffix in ("", *BESIDE):
        Path(f"{file}{suffix}").unlink(missing_ok=True)


def _fold_in_the_log(file: Path) -> None:
    """All of it in one file, with no log beside it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
