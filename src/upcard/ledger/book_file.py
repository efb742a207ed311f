"""A book's file: copied as of one moment, written completely or not at all, served by one process, read on read-only
media.

A copy says that it is one (`PRAGMA user_version`), however it is put back: play on it must not continue with the shoes
of that moment.
"""

import fcntl
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from upcard.problems import BadRequest

PAGES = 256  # in one step: a megabyte
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file in use
_OWNER_ONLY = 0o600
COPY = 1  # the user_version of a copy; a book that is served has 0
Progress = Callable[[int, int, int], None]


def copy_file(book: Path, copy: Path, progress: Progress | None = None) -> None:
    """Copies a book as of one moment, also while a service writes in it, and marks the copy as one."""
    with closing(_snapshot(book)) as from_book, closing(sqlite3.connect(copy)) as to_copy:
        from_book.backup(to_copy, pages=PAGES, progress=progress)
        to_copy.execute(f"PRAGMA user_version={COPY}")


def _snapshot(book: Path) -> sqlite3.Connection:
    """A connection that sees one moment, so that writers continue and never make the copy start over."""
    connection = connect_read_only(book) if is_read_only(book) else sqlite3.connect(book, timeout=60)
    connection.isolation_level = None
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def copy_before_migration(book: Path, revision: str, head: str) -> Path:
    """Copies a book before its schema changes; an older copy is never overwritten."""
    names = (f"{book}.{revision}-before-{head}{suffix}" for suffix in ("", *(f"-{number}" for number in range(2, 100))))
    copy = next(path for path in map(Path, names) if not path.exists())
    with written_whole(copy) as part:
        copy_file(book, part)
    return copy


@contextmanager
def written_whole(target: Path, keep_as: Path | None = None) -> Iterator[Path]:
    """A file that appears under its name once it is complete and on the disk, or not at all.

    The old file, if any, is kept as `keep_as`.
    """
    part = Path(f"{target}.part")
    _remove(part)
    try:
        create_private(part)
        yield part
        _fold_in_the_log(part)
        _sync(part)
        if keep_as is not None:
            target.chmod(_OWNER_ONLY)
            target.rename(keep_as)
        for suffix in BESIDE:  # left by a book that is gone: they are no part of this one
            Path(f"{target}{suffix}").unlink(missing_ok=True)
        part.rename(target)
        _sync(target.absolute().parent)
    except sqlite3.Error as error:
        raise BadRequest(f"{target} could not be written: {error}") from None
    finally:
        _remove(part)


def create_private(file: Path) -> None:
    """An empty file that only its owner can read and write, whatever the umask; it must not exist yet."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    try:
        os.fchmod(descriptor, _OWNER_ONLY)
    finally:
        os.close(descriptor)


def make_private(book: Path) -> list[Path]:
    """Makes a book and what lies beside it readable by its owner only; returns the files that were changed."""
    files = [file for suffix in ("", *BESIDE) if (file := Path(f"{book}{suffix}")).exists()]
    open_to_others = [file for file in files if stat.S_IMODE(file.stat().st_mode) & 0o077]
    with suppress(PermissionError):  # somebody else's: the doctor says what to do
        for file in open_to_others:
            file.chmod(_OWNER_ONLY)
    return [file for file in open_to_others if not stat.S_IMODE(file.stat().st_mode) & 0o077]


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


@contextmanager
def served_alone(book: Path) -> Iterator[None]:
    """Refuses a book file that another process serves. The lock ends with the process, however it ends."""
    try:
        descriptor = os.open(f"{book.resolve()}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadRequest(f"{book} cannot be served: {reason}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadRequest(
                f"another process serves {book}: stop it first, or keep the book on PostgreSQL, which several can serve"
            ) from None
        yield
    finally:
        os.close(descriptor)


def is_read_only(book: Path) -> bool:
    """Whether a book can only be read: its medium, its folder or the file itself cannot be written."""
    return book.is_file() and not all(
        os.access(path, os.W_OK, effective_ids=True) for path in (book, book.absolute().parent)
    )


def connect_read_only(book: Path) -> sqlite3.Connection:
    """Reads a book where SQLite cannot keep its log beside it. Nobody else writes there either."""
    log = Path(f"{book}-wal")
    if log.exists() and (log.stat().st_size or Path(f"{book}-shm").exists()):
        raise BadRequest(
            f"{book} is read-only, and its newest records are in {log.name}: copy both to a folder that can be written"
        )
    uri = f"{book.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, timeout=60, check_same_thread=False)
