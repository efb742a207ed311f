"""`upcard doctor`: checks a book's environment and reports what is fine, what to look at, and what to fix.

It changes no record. Whether the money is right is verified by `upcard ledger check`.
"""

import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from upcard.cards.shoe import commitment
from upcard.catalog.index import Catalog
from upcard.codes import sentence_of
from upcard.ledger import schema as book
from upcard.ledger.append_only_triggers import missing_triggers
from upcard.ledger.book import warnings_of
from upcard.ledger.chains import house_of, state_of
from upcard.ledger.findings import UNREADABLE, one_line
from upcard.ledger.gaming_day import day_of
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.journal import HOUSE, instant_of, next_day
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.sealing_key import last_row
from upcard.ledger.store import BEFORE_FORMAT_1, MADE_BEFORE, Store, is_server
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest, UpcardError
from upcard.service import schema
from upcard.service.accruals import daily_jackpots
from upcard.service.running import bootstrap

GIGABYTE = 1 << 30


class Status(Enum):
    OK = "OK"
    WARN = "WARN"
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check."""

    mark: Status
    what: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    address: str
    store: Store
    catalog: Catalog
    key: Path | None  # where the operator's key file should be
    now: datetime

    @property
    def file(self) -> Path | None:
        """The book's file; None for a database server."""
        return None if is_server(self.address) else Path(self.address)


def examine(installation: Installation) -> Iterator[CheckResult]:
    """Runs all checks; stops early if the book cannot be read at all."""
    version = _schema_version(installation)
    yield version
    if version.mark is Status.BAD:
        return
    installation.store.keyring, key_finding = _key(installation)
    keyring = installation.store.keyring
    yield key_finding
    yield from _permissions(installation)
    yield from _disk(installation)
    checks: tuple[tuple[str, Callable[[Unit], Iterator[CheckResult]]], ...] = (
        ("durability", _durability),
        ("guards", _guards),
        ("integrity", _integrity),
        ("hours", lambda unit: _hours(unit, installation)),
        ("clock", lambda unit: _clock(unit, installation)),
        ("seals", lambda unit: _seals(unit, keyring)),
        ("live shoes", lambda unit: _live_shoes(unit, keyring)),
        ("gaming days", lambda unit: _days(unit, installation)),
        ("daily accrual", lambda unit: _accruals(unit, installation)),
        ("escrow", lambda unit: _escrow(unit, installation)),
    )
    for subject, check in checks:
        yield from _run_check(subject, installation, check)
    if keyring is not None:
        yield from _tables(installation)


def _run_check(
    subject: str, installation: Installation, check: Callable[[Unit], Iterator[CheckResult]]
) -> list[CheckResult]:
    """Runs one check; an error in it must not prevent the others."""
    findings: list[CheckResult] = []
    try:
        with installation.store.view() as unit:
            findings += check(unit)
    except UNREADABLE as error:
        if not any(finding.mark is Status.BAD for finding in findings):
            findings = [
                CheckResult(Status.BAD, subject, f"it cannot be read ({one_line(error)}); run upcard ledger check")
            ]
    return findings


def _schema_version(installation: Installation) -> CheckResult:
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


def _durability(unit: Unit) -> Iterator[CheckResult]:
    """Reports durability settings. Connections that could lose confirmed writes are refused before this check."""
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


def _guards(unit: Unit) -> Iterator[CheckResult]:
    missing = list(missing_triggers(unit.connection, (*book.APPEND_ONLY, *schema.APPEND_ONLY)))
    for table, change in missing:
        sentence = f"the database no longer refuses {change} on {table}; find out who removed the trigger"
        yield CheckResult(Status.BAD, "guards", f"{sentence}, then run upcard ledger check")
    if not missing:
        yield CheckResult(Status.OK, "guards", "the database refuses changes to written records")


def _integrity(unit: Unit) -> Iterator[CheckResult]:
    if unit.connection.dialect.name == "postgresql":
        sums = unit.connection.exec_driver_sql("SHOW data_checksums").scalar()
        if sums == "on":
            yield CheckResult(Status.OK, "integrity", "the server uses page checksums")
        else:
            advice = "stop it and run pg_checksums --enable"
            yield CheckResult(Status.WARN, "integrity", f"the server has no page checksums; {advice}")
        return
    problems = [str(row[0]) for row in unit.connection.exec_driver_sql("PRAGMA quick_check(5)")]
    if problems == ["ok"]:
        yield CheckResult(Status.OK, "integrity", "the file is intact")
    else:
        yield CheckResult(Status.BAD, "integrity", f"the file is damaged ({problems[0]}); restore the last backup")


def _hours(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    hours = house_of(unit.chain(HOUSE)).hours  # an unknown time zone raises an error
    if not hours:
        yield CheckResult(
            Status.BAD, "hours", "the house has set no time zone and opening hour; no round can be played until it does"
        )
        return
    today = day_of(installation.now, hours)
    yield CheckResult(
        Status.OK, "hours", f"a gaming day begins at {hours[-1].start:02}:00 {hours[-1].zone}; today is {today}"
    )


def _clock(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    now, last = f"{installation.now:%Y-%m-%d %H:%M} UTC", max(_moments(unit), default="")
    if last and installation.now < instant_of(last):
        sentence = f"this machine's clock, {now}, is earlier than the last record, {last}; set the clock"
        yield CheckResult(Status.BAD, "clock", sentence)
    else:
        yield CheckResult(Status.OK, "clock", now + (f", last record {last}" if last else ""))


def _moments(unit: Unit) -> Iterator[str]:
    for column in (book.chains.c.at, schema.history.c.at):
        latest = unit.connection.scalar(sa.select(sa.func.max(column)))
        if latest:
            yield str(latest)


def _disk(installation: Installation) -> Iterator[CheckResult]:
    if installation.file is None:
        return
    size = sum(file.stat().st_size for file in _files(installation.file))
    free = shutil.disk_usage(installation.file.absolute().parent).free
    summary = f"{free / GIGABYTE:,.1f} GB free, the book uses {size / GIGABYTE:,.3f} GB"
    if free < max(GIGABYTE, 2 * size):
        yield CheckResult(Status.WARN, "disk", f"{summary}; free up space for at least 1 GB and two copies of the book")
    else:
        yield CheckResult(Status.OK, "disk", summary)


def _files(path: Path) -> Iterator[Path]:
    for name in ("", "-wal"):
        file = Path(f"{path}{name}")
        if file.exists():
            yield file


def _permissions(installation: Installation) -> Iterator[CheckResult]:
    if installation.file is None:
        return
    if stat.S_IMODE(installation.file.stat().st_mode) & 0o077:
        yield CheckResult(
            Status.WARN, "permissions", f"other users can read the book; run chmod 600 {installation.file}"
        )
    else:
        yield CheckResult(Status.OK, "permissions", "only its owner can read the book")


# --- the operator's key and the tables ----------------------------------------------------------------------------


def _key(installation: Installation) -> tuple[Keyring | None, CheckResult]:
    if installation.key is None:
        return None, CheckResult(
            Status.WARN, "operator's key", "not checked, because the book is on a server; give the key file with --key"
        )
    if not installation.key.is_file():
        sentence = f"{installation.key} is missing; put it back, or the service cannot start"
        return None, CheckResult(Status.WARN, "operator's key", sentence)
    try:
        return key_file(installation.key), CheckResult(
            Status.OK, "operator's key", f"{installation.key}, only its owner can read it"
        )
    except BadRequest as error:
        return None, CheckResult(Status.BAD, "operator's key", str(error))


def _seals(unit: Unit, keyring: Keyring | None) -> Iterator[CheckResult]:
    row = last_row(unit.connection)
    if row is None or keyring is None:
        return
    if keyring.find(row["id"]) is None:
        sentence = f"the book is sealed with key {row['id']}, which is not in its key file; use the right file"
        yield CheckResult(Status.BAD, "seals", f"{sentence}, or see docs/operating.md about a lost key")
    else:
        yield CheckResult(Status.OK, "seals", f"key {row['number']}, {row['id']}, seals new records")


def _live_shoes(unit: Unit, keyring: Keyring | None) -> Iterator[CheckResult]:
    shoes = schema.shoes
    last = sa.select(shoes.c.table_name, sa.func.max(shoes.c.number).label("number")).group_by(shoes.c.table_name)
    newest = last.subquery()
    live = sa.select(shoes).join(
        newest, sa.and_(shoes.c.table_name == newest.c.table_name, shoes.c.number == newest.c.number)
    )
    sealed = live.where(shoes.c.key.is_(None), shoes.c.encrypted_key != "").order_by(
        shoes.c.table_name
    )  # shoes dealt by hand have no key
    rows = list(unit.connection.execute(sealed))
    if rows and keyring is None:
        yield CheckResult(Status.WARN, "live shoes", f"{len(rows)} encrypted; not checked without the operator's key")
        return
    unopened = 0
    for row in rows:
        owner = f"shoe {row.number} of {row.table_name}"
        with suppress(BadRequest):
            if keyring is not None and commitment(keyring.decrypt(row.encrypted_key, owner)) == row.commitment:
                continue
        unopened += 1
        sentence = f"the operator's key does not decrypt {owner}; use the right key file, or reset the table"
        yield CheckResult(Status.BAD, "live shoes", sentence)
    if not unopened:
        yield CheckResult(Status.OK, "live shoes", f"the operator's key decrypts {len(rows)} of {len(rows)}")


def _tables(installation: Installation) -> Iterator[CheckResult]:
    service = bootstrap(installation.store, catalog=installation.catalog)
    opened = stopped = 0
    try:
        for table in service.queries.tables():
            try:
                opened += service.desk.live(table).opened
            except UpcardError as error:
                stopped += 1
                yield CheckResult(Status.BAD, "tables", f"{error}; if the cause cannot be fixed, reset the table")
    except UNREADABLE as error:
        yield CheckResult(Status.BAD, "tables", f"they cannot be read ({one_line(error)}); run upcard ledger check")
        return
    if not stopped:
        yield CheckResult(Status.OK, "tables", f"none are stopped, {opened} are open")


# --- the house ----------------------------------------------------------------------------------------------------


def _days(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    house = house_of(unit.chain(HOUSE))
    first = _first_open_day(unit, house.closed)
    if not house.hours or first is None:
        return
    today = day_of(installation.now, house.hours)
    if first < today:
        yield CheckResult(Status.WARN, "gaming days", f"{first} is over but not closed; close every day before {today}")
    else:
        yield CheckResult(Status.OK, "gaming days", f"every day before {today} is closed")


def _first_open_day(unit: Unit, closed: date | None) -> date | None:
    if closed is not None:
        return next_day(closed)
    first = unit.connection.scalar(sa.select(sa.func.min(book.entries.c.day)))
    return None if first is None else date.fromisoformat(first)


def _accruals(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    hours, jackpots = house_of(unit.chain(HOUSE)).hours, list(daily_jackpots(unit))
    if not hours or not jackpots:
        return
    today = day_of(installation.now, hours)
    missing = {state.jackpot: days for state in jackpots if (days := state.due(today))}
    for jackpot, days in missing.items():
        sentence = f"the wagers of {', '.join(map(str, days))} are not added to {jackpot} yet; a running service adds"
        yield CheckResult(Status.WARN, "daily accrual", f"{sentence} them within a minute: start it, or see its log")
    if not missing:
        yield CheckResult(Status.OK, "daily accrual", f"the wagers of every day before {today} are added")


def _escrow(unit: Unit, installation: Installation) -> Iterator[CheckResult]:
    house = house_of(unit.chain(HOUSE))
    states = [state_of(chain) for chain in unit.chains().values() if chain.number]
    progressives = [state for state in states if isinstance(state, ProgressiveJackpot)]
    if not progressives or not house.hours:
        return
    warnings = [
        warning for state in progressives for warning in warnings_of(state, day_of(installation.now, house.hours))
    ]
    for warning in warnings:
        yield CheckResult(Status.WARN, "escrow", sentence_of(warning))
    if not warnings:
        yield CheckResult(
            Status.OK, "escrow", f"players' money is covered and deposited ({len(progressives)} progressive jackpots)"
        )
