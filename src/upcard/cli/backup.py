"""`upcard backup` and `upcard restore`: a copy of a book that is whole at one moment, and a book out of such a copy.

The operator's key is in no copy: whoever has only the copy learns nothing of the shoes on the tables.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from upcard.cli.books import operators_keys, reading
from upcard.cli.output import counted, write_json, write_lines
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store, is_server
from upcard.problems import BadRequest
from upcard.service import schema
from upcard.service.whole_check import check_everything

PAGES = 256  # in one step: a megabyte
ON_A_SERVER = "a book on PostgreSQL is copied with pg_dump and brought back with pg_restore: see docs/operating.md"
NEW_SHOES = "before anybody plays, void the rounds, close the tables and open them again with new shoes"
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file in use


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the whole check says of a copy."""

    findings: tuple[str, ...]
    notes: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """For people, the verdict last."""
        yield from (f"Not checked: {note}" for note in self.notes)
        yield f"Wrong: {self.findings[0]}" if self.findings else "The copy is sound."


def backup(book: str, file: str, *, force: bool, check: bool, key: str | None, as_json: bool) -> bool:
    """Copies a book, also while a service writes in it; False: the check of the copy found something."""
    source, target = _files(book, file)
    Store.open(book).close()  # says what is wrong with a book that is none
    if target.exists() and not force:
        raise BadRequest(f"{file} is there already: --force writes over it")
    keyring = operators_keys(book, key) if check else None
    with _whole(target) as part:
        with closing(_snapshot(source)) as here, closing(sqlite3.connect(part)) as there, _bar(as_json) as progress:
            here.backup(there, pages=PAGES, progress=progress)
        Store.open(str(part)).close()  # whatever else it is, it is a book
        verdict = _checked(part, keyring) if check else None
    size = target.stat().st_size
    if as_json:
        _write_json(verdict, book=book, file=file, bytes=size)
    else:
        write_lines(f"{book} is copied to {file}, {size:,} bytes.", *(verdict.lines() if verdict else ()))
        write_lines("The operator's key is not in the copy: keep its file apart, for without it no table goes on.")
    return verdict is None or not verdict.findings


def restore(file: str, book: str, *, force: bool, key: str | None, as_json: bool) -> None:
    """Checks a copy and puts it where the book belongs; a copy that is not sound changes nothing."""
    target, source = _files(book, file)
    if not source.is_file():
        raise BadRequest(f"there is no copy {file}")
    if _has_a_log(source):
        raise BadRequest(f"{file} is no finished copy, for there are records in {file}-wal: copy it with upcard backup")
    before = Path(f"{book}.before") if target.exists() else None
    if before is not None and not force:
        raise BadRequest(f"{book} is there already: --force restores it and keeps what is there as {before}")
    if before is not None and before.exists():
        raise BadRequest(f"{before} is there from an earlier restore: put it away first")
    keyring = operators_keys(book, key)
    with _held(target), _whole(target, before) as part:
        shutil.copyfile(source, part)
        verdict = _checked(part, keyring)
        if verdict.findings:
            raise BadRequest(f"{file} is not sound, and {book} is left as it was: {verdict.findings[0]}")
        shoes = _live_shoes(part)
    if as_json:
        _write_json(verdict, file=file, book=book, before=None if before is None else str(before), live_shoes=shoes)
        return
    write_lines(f"{file} is restored as {book}." + (f" What was there is {before}." if before else ""))
    if keyring is None:
        write_lines(f"The operator's key is not here: put it back as {book}.key, for without it no table goes on.")
    if shoes:
        write_lines(f"Players may know more of {counted(shoes, 'live shoe')} than this copy: {NEW_SHOES}.")
    write_lines(*verdict.lines())


def _has_a_log(file: Path) -> bool:
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def _live_shoes(part: Path) -> int:
    """Shoes promised or on a table: what came out of them after the copy was made is known to whoever sat there."""
    with reading(str(part)) as unit:
        shoes = schema.shoes
        sealed = sa.select(sa.func.count()).where(shoes.c.key.is_(None), shoes.c.encrypted_key != "")
        return int(unit.connection.scalar(sealed) or 0)


def _files(book: str, file: str) -> tuple[Path, Path]:
    if is_server(book) or is_server(file):
        raise BadRequest(ON_A_SERVER)
    if Path(book).exists() and Path(file).exists() and Path(book).samefile(file):
        raise BadRequest(f"{book} and {file} are the same file")
    for one in (book, file):
        if Path(one).is_dir():
            raise BadRequest(f"{one} is a folder, not a file")
    return Path(book), Path(file)


def _snapshot(book: Path) -> sqlite3.Connection:
    """A connection that sees one moment: writers go on, and the copy never has to begin again because of them."""
    connection = sqlite3.connect(book, timeout=60, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


@contextmanager
def _whole(target: Path, before: Path | None = None) -> Iterator[Path]:
    """A file that appears under its name when it is complete and on the disk, or not at all; `before` keeps the old."""
    part = Path(f"{target}.part")
    _remove(part)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield part
        _alone(part)
        _sync(part)
        if before is not None:
            target.rename(before)
        for name in BESIDE:  # of a book that is gone: they are no part of this one
            Path(f"{target}{name}").unlink(missing_ok=True)
        part.rename(target)
        _sync(target.absolute().parent)
    except sqlite3.Error as wrong:
        raise BadRequest(f"{target} could not be written: {wrong}") from None
    finally:
        _remove(part)


def _remove(file: Path) -> None:
    for name in ("", *BESIDE):
        Path(f"{file}{name}").unlink(missing_ok=True)


def _alone(file: Path) -> None:
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
def _held(book: Path) -> Iterator[None]:
    """A book that nobody else has open, kept so until it is put aside."""
    if not book.exists():
        yield
        return
    with closing(sqlite3.connect(book, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")  # refused while anybody else has the file open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise BadRequest(f"{book} is in use: stop the service first") from None
        except sqlite3.DatabaseError:
            pass  # no database at all: nobody can be using it
        yield


def _checked(part: Path, keyring: Keyring | None) -> Verdict:
    with reading(str(part)) as unit:
        found = check_everything(unit, keyring)
    return Verdict(findings=tuple(map(str, found.findings)), notes=found.notes)


@contextmanager
def _bar(as_json: bool) -> Iterator[Callable[[int, int, int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=as_json or not terminal.is_terminal) as bar:
        task = bar.add_task("copying", total=None)
        yield lambda _status, left, total: bar.update(task, total=total, completed=total - left)


def _write_json(verdict: Verdict | None, **told: object) -> None:
    checked = None if verdict is None else {"findings": verdict.findings, "notes": verdict.notes}
    sound = None if verdict is None else not verdict.findings
    write_json({**told, "key_included": False, "sound": sound, "check": checked})
