"""Restoring a book from a copy made by `upcard backup`."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from upcard.cli.book_access import find_checkpoints, find_keyring, open_book
from upcard.cli.commands.book_copy import book_and_copy, check_copy, write_copy_json
from upcard.cli.output import counted, write_lines
from upcard.ledger.book_file import written_whole
from upcard.ledger.journal import instant_text, utc_now
from upcard.ledger.keyring import Keyring
from upcard.problems import BadRequest
from upcard.service import schema
from upcard.service.checkpoint_files import put_aside


def restore_book(file: str, book: str, *, force: bool, key: str | None, checkpoints: str | None, as_json: bool) -> None:
    target, source = book_and_copy(book, file)
    if not source.is_file():
        raise BadRequest(f"there is no backup {file}")
    if _has_a_log(source):
        raise BadRequest(
            f"{file} is not a complete backup, because {file}-wal holds newer records: make one with upcard backup"
        )
    before = Path(f"{book}.before") if target.exists() else None
    if before is not None and not force:
        raise BadRequest(f"{book} already exists: use --force to replace it and keep it as {before}")
    if before is not None and before.exists():
        raise BadRequest(f"{before} is left from an earlier restore: move it away first")
    keyring = find_keyring(book, key)
    with _not_in_use(target), written_whole(target, keep_as=before) as part:
        shutil.copyfile(source, part)
        check = check_copy(part, keyring)
        if check.findings:
            raise BadRequest(f"{file} is damaged, and {book} was not changed: {check.findings[0]}")
        shoes = _live_shoes(part)
    aside, moved = _put_checkpoints_aside(file, book, keyring, checkpoints)
    if as_json:
        write_copy_json(
            check,
            file=file,
            book=book,
            before=None if before is None else str(before),
            live_shoes=shoes,
            checkpoints_aside=moved,
        )
        return
    write_lines(f"{file} is restored as {book}." + (f" The old book is now {before}." if before else ""))
    if keyring is None:
        write_lines(f"The operator's key is missing: put it back as {book}.key, or no table can continue.")
    if moved:
        newer = f"{counted(moved, 'checkpoint')} of what came after the backup: put aside in {aside}"
        write_lines(f"{newer}. Keep them: they say what is lost.")
    if shoes:
        write_lines(
            f"Players may have seen cards of {counted(shoes, 'shoe')} that this backup has not dealt yet: "
            "the service will void open rounds, take new shoes and end every session when it starts."
        )
    write_lines(*check.lines())


def _put_checkpoints_aside(
    file: str, book: str, keyring: Keyring | None, checkpoints: str | None
) -> tuple[Path | None, int]:
    """The checkpoints that the restored book cannot match any more, so that the doctor does not report them."""
    folder = find_checkpoints(checkpoints, Path(f"{book}.key") if keyring is None else keyring.path)
    if folder is None or not folder.is_dir():
        return None, 0
    with open_book(book) as unit:
        why = f"{book} was restored from {file} with upcard restore on {instant_text(utc_now())}"
        aside, moved = put_aside(folder, unit, keyring, why)
    return aside, len(moved)


def _has_a_log(file: Path) -> bool:
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def _live_shoes(copy: Path) -> int:
    """Shoes promised or on a table: players have seen cards that came out of them after the copy was made."""
    with open_book(str(copy)) as unit:
        shoes = schema.shoes
        live = sa.select(sa.func.count()).where(shoes.c.key.is_(None), shoes.c.encrypted_key != "")
        return int(unit.connection.scalar(live) or 0)


@contextmanager
def _not_in_use(book: Path) -> Iterator[None]:
    """Refuses a book that somebody has open, and locks it until it is put aside."""
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
