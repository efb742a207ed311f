"""`upcard doctor`: checks a book's environment and reports what is fine, what to look at, and what to fix.

It changes no record. Whether the money is right is verified by `upcard ledger check`.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date

import sqlalchemy as sa

from upcard.cards.shoe import commitment
from upcard.codes import sentence_of
from upcard.ledger import schema as book
from upcard.ledger.book import warnings_of
from upcard.ledger.chains import house_of, state_of
from upcard.ledger.findings import UNREADABLE, one_line
from upcard.ledger.gaming_day import day_of
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.journal import HOUSE, instant_of, next_day
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.sealing_key import last_row
from upcard.ledger.unit import Unit
from upcard.problems import BadRequest, UpcardError
from upcard.service import schema, storage_health, tamper_evidence
from upcard.service.accruals import daily_jackpots
from upcard.service.catalog_changes import files_of
from upcard.service.check_results import CheckResult, Installation, Status
from upcard.service.running import bootstrap
from upcard.service.steady_clock import moved_clock


def examine(installation: Installation) -> Iterator[CheckResult]:
    """Runs all checks; stops early if the book cannot be read at all."""
    version = storage_health.schema_version(installation)
    yield version
    if version.mark is Status.BAD:
        return
    installation.store.keyring, key_finding = _key(installation)
    keyring = installation.store.keyring
    yield key_finding
    yield from storage_health.permissions(installation)
    yield from storage_health.disk(installation)
    yield from _moved_clock(installation)
    checks: tuple[tuple[str, Callable[[Unit], Iterator[CheckResult]]], ...] = (
        ("durability", lambda unit: storage_health.durability(unit, installation)),
        ("guards", storage_health.guards),
        ("integrity", storage_health.integrity),
        ("restores", lambda unit: tamper_evidence.restores(unit, installation)),
        ("checkpoints", lambda unit: tamper_evidence.checkpoints(unit, installation)),
        ("hours", lambda unit: _hours(unit, installation)),
        ("clock", lambda unit: _clock(unit, installation)),
        ("seals", lambda unit: _seals(unit, keyring)),
        ("live shoes", lambda unit: _live_shoes(unit, keyring)),
        ("catalog", _catalog),
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
    last = max(_moments(unit), default="")
    moment = installation.now  # read after the records: a busy house writes on meanwhile
    now = f"{moment:%Y-%m-%d %H:%M} UTC"
    if last and moment < instant_of(last):
        sentence = f"this machine's clock, {now}, is earlier than the last record, {last}; set the clock"
        yield CheckResult(Status.BAD, "clock", sentence)
    else:
        yield CheckResult(Status.OK, "clock", now + (f", last record {last}" if last else ""))


def _moved_clock(installation: Installation) -> Iterator[CheckResult]:
    moved = None if installation.key is None else moved_clock(installation.key)
    if moved is not None:
        yield CheckResult(Status.BAD, "clock", moved)


def _moments(unit: Unit) -> Iterator[str]:
    for column in (book.chains.c.at, schema.history.c.at):
        latest = unit.connection.scalar(sa.select(sa.func.max(column)))
        if latest:
            yield str(latest)


# --- the operator's key and the tables ----------------------------------------------------------------------------


def _key(installation: Installation) -> tuple[Keyring | None, CheckResult]:
    if installation.key is None:
        return None, CheckResult(
            Status.WARN, "operator's key", "not checked, because the book is on a server; give the key file with --key"
        )
    if not installation.key.is_file():
        lost = "shoes in play and everybody's authenticators cannot be decrypted without it"
        sentence = f"{installation.key} is missing; put it back, or the service cannot start; {lost}"
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


def _catalog(unit: Unit) -> Iterator[CheckResult]:
    """The files of the revision in force can be read; a house that published nothing has none."""
    revision = house_of(unit.chain(HOUSE)).revision
    if not revision:
        return
    try:
        files = files_of(unit, revision)
    except BadRequest as error:
        yield CheckResult(Status.BAD, "catalog", f"{error}; tables keep the rules they have")
    else:
        yield CheckResult(Status.OK, "catalog", f"revision {revision} of the catalog, {len(files)} files")


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
