"""The doctor's checks of a book's database: its schema, durability, guards, pages, disk and permissions."""

import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from upcard.ledger import schema as book
from upcard.ledger.append_only_triggers import foreign_triggers, missing_triggers
from upcard.ledger.book_file import BESIDE
from upcard.ledger.findings import one_line
from upcard.ledger.store import BEFORE_FORMAT_1, MADE_BEFORE
from upcard.ledger.unit import Unit
from upcard.people import schema as people
from upcard.problems import BadRequest
from upcard.service import schema
from upcard.service.check_results import CheckResult, Installation, Status

GIGABYTE = 1 << 30
FULL = GIGABYTE // 10  # a disk with less free space is full: a busy house writes as much in a day
APPEND_ONLY = (*book.APPEND_ONLY, *schema.APPEND_ONLY, *people.APPEND_ONLY)


def schema_version(installation: Installation) -> CheckResult:
    try:
        revision = installation.store.revision()
    except (SQLAlchemyError, BadRequest) as error:
        return CheckResult(Status.BAD, "form", f"it cannot be opened as a book: {one_line(error)}")
    if revision is None:
        return CheckResult(Status.BAD, "form", "this is not an Upcard book")
    if revision in BEFORE_FORMAT_1:
        return CheckResult(Status.BAD, "form", f"it {MADE_BEFORE}")
    if revision != book.HEAD:
        return CheckResult(
            Status.BAD, "form", f"it has schema {revision}, not {book.HEAD}; back it up, then run upcard ledger migrate"
        )
    return CheckResult(Status.OK, "form", f"it has the current schema, {revision}")


def durability(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    """Reports durability settings. Connections that could lose confirmed writes are refused before this check."""
    if installation.store.read_only:
        yield CheckResult(Status.OK, "durability", "the book is read-only here: it can be checked, not served")
        return
    on_a_server = unit.connection.dialect.name == "postgresql"
    command = "SHOW" if on_a_server else "PRAGMA"
    expected = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
    expected = expected if on_a_server else {"journal_mode": "wal", "synchronous": "2"}
    settings = {name: str(unit.connection.exec_driver_sql(f"{command} {name}").scalar()) for name in expected}
    summary = ", ".join(f"{name}={value}" for name, value in settings.items())
    if settings.get("full_page_writes", "on") == "on":
        yield CheckResult(Status.OK, "durability", summary)
    else:
        yield CheckResult(
            Status.WARN, "durability", f"{summary}; set full_page_writes=on, or a power failure can corrupt a page"
        )


def guards(unit: Unit) -> Iterator[CheckResult]:
    """Whether the database refuses to change what was written, and nothing else acts when it is written."""
    problems = 0
    for table, change in missing_triggers(unit.connection, APPEND_ONLY):
        problems += 1
        sentence = f"the database no longer refuses {change} on {table}; find out who removed the trigger"
        yield CheckResult(Status.BAD, "guards", f"{sentence}, then run upcard ledger check")
    for foreign in foreign_triggers(unit.connection, APPEND_ONLY):
        problems += 1
        sentence = f"the database has {foreign}, which is not Upcard's; find out who added it and remove it"
        yield CheckResult(Status.BAD, "guards", f"{sentence}, then run upcard ledger check")
    if not problems:
        owner = "; this role owns the tables and could remove the guards (docs/operating.md)" if _owns(unit) else ""
        yield CheckResult(Status.OK, "guards", f"the database refuses changes to written records{owner}")


def _owns(unit: Unit) -> bool:
    """Whether the database role of this connection owns the journal; a file has no roles."""
    query = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'entries'::regclass"
    return unit.connection.dialect.name == "postgresql" and bool(unit.connection.exec_driver_sql(query).scalar())


def integrity(unit: Unit) -> Iterator[CheckResult]:
    if unit.connection.dialect.name == "postgresql":
        sums = unit.connection.exec_driver_sql("SHOW data_checksums").scalar()
        if sums == "on":
            yield CheckResult(Status.OK, "integrity", "the server uses page checksums")
        else:
            advice = "stop it and run pg_checksums --enable"
            yield CheckResult(Status.WARN, "integrity", f"the server has no page checksums; {advice}")
        return
    problems = [str(row[0]) for row in unit.connection.exec_driver_sql("PRAGMA integrity_check(5)")]
    if problems == ["ok"]:
        yield CheckResult(Status.OK, "integrity", "the file is intact")
    else:
        yield CheckResult(Status.BAD, "integrity", f"the file is damaged ({problems[0]}); restore the last backup")


def disk(installation: Installation) -> Iterator[CheckResult]:
    """The space for the book; for a book on a server, that beside the key, where the high-water mark is written."""
    path = installation.file or installation.key
    if path is None or not path.absolute().parent.is_dir():
        return
    size = 0 if installation.file is None else sum(file.stat().st_size for file in _files(installation.file))
    free = shutil.disk_usage(path.absolute().parent).free
    summary = f"{free / GIGABYTE:,.1f} GB free" + (f", the book uses {size / GIGABYTE:,.3f} GB" if size else "")
    if free < FULL:
        sentence = f"the disk of {path} is full ({free >> 20} MB free): free up space now, or nothing can be written"
        yield CheckResult(Status.BAD, "disk", sentence)
    elif free < max(GIGABYTE, 2 * size):
        yield CheckResult(Status.WARN, "disk", f"{summary}; free up space for at least 1 GB and two copies of the book")
    else:
        yield CheckResult(Status.OK, "disk", summary)


def _files(path: Path) -> Iterator[Path]:
    for name in ("", *BESIDE):
        file = Path(f"{path}{name}")
        if file.exists():
            yield file


def permissions(installation: Installation) -> Iterator[CheckResult]:
    if installation.file is None:
        return
    files = [file for file in _files(installation.file) if stat.S_IMODE(file.stat().st_mode) & 0o077]
    if files:
        names = " ".join(map(str, files))
        yield CheckResult(Status.WARN, "permissions", f"other users can read the book; run chmod 600 {names}")
    else:
        yield CheckResult(Status.OK, "permissions", "only its owner can read the book")
