"""A book and its service looked over: what is well, what deserves a look, what must be put right, one sentence each.

It changes no record. Whether the money is right is the check's business; the doctor looks at everything around.
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
from upcard.service.running import bootstrap

GIGABYTE = 1 << 30


class Mark(Enum):
    """How it stands with one thing."""

    OK = "OK"
    WARN = "WARN"
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was looked at."""

    mark: Mark
    what: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """What the doctor looks at."""

    address: str
    store: Store
    catalog: Catalog
    key: Path | None  # where the operator's key should be
    now: datetime

    @property
    def file(self) -> Path | None:
        """The book's file; None on a server."""
        return None if is_server(self.address) else Path(self.address)


def examine(patient: Patient) -> Iterator[Said]:
    """Everything there is to say; what makes the rest unreadable ends it."""
    form = _form(patient)
    yield form
    if form.mark is Mark.BAD:
        return
    patient.store.keyring, said = _key(patient)
    keyring = patient.store.keyring
    yield said
    yield from _permissions(patient)
    yield from _disk(patient)
    looks: tuple[tuple[str, Callable[[Unit], Iterator[Said]]], ...] = (
        ("durability", _durability),
        ("guards", _guards),
        ("integrity", _integrity),
        ("hours", lambda unit: _hours(unit, patient)),
        ("clock", lambda unit: _clock(unit, patient)),
        ("seals", lambda unit: _seals(unit, keyring)),
        ("live shoes", lambda unit: _live_shoes(unit, keyring)),
        ("gaming days", lambda unit: _days(unit, patient)),
        ("escrow", lambda unit: _escrow(unit, patient)),
    )
    for what, look in looks:
        yield from _looked(what, patient, look)
    if keyring is not None:
        yield from _tables(patient)


def _looked(what: str, patient: Patient, look: Callable[[Unit], Iterator[Said]]) -> list[Said]:
    """A look of its own: what cannot be read here must not hide the rest."""
    found: list[Said] = []
    try:
        with patient.store.view() as unit:
            found += look(unit)
    except UNREADABLE as wrong:
        if not any(one.mark is Mark.BAD for one in found):
            found = [Said(Mark.BAD, what, f"it cannot be read ({one_line(wrong)}): run upcard ledger check")]
    return found


def _form(patient: Patient) -> Said:
    try:
        found = patient.store.revision()
    except (SQLAlchemyError, BadRequest) as wrong:
        return Said(Mark.BAD, "form", f"it cannot be opened as a book: {one_line(wrong)}")
    if found is None:
        return Said(Mark.BAD, "form", "it is not a book")
    if found in BEFORE_FORMAT_1:
        return Said(Mark.BAD, "form", f"it {MADE_BEFORE}")
    if found != book.HEAD:
        return Said(Mark.BAD, "form", f"it is of form {found}, not {book.HEAD}: back it up, then upcard ledger migrate")
    return Said(Mark.OK, "form", f"it is of today's form, {found}")


def _durability(unit: Unit) -> Iterator[Said]:
    """Connections that do not keep what they confirm are refused before we come here; the rest is told."""
    on_a_server = unit.connection.dialect.name == "postgresql"
    asking = "SHOW" if on_a_server else "PRAGMA"
    wanted = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
    wanted = wanted if on_a_server else {"journal_mode": "wal", "synchronous": "2"}
    found = {name: str(unit.connection.exec_driver_sql(f"{asking} {name}").scalar()) for name in wanted}
    told = ", ".join(f"{name}={value}" for name, value in found.items())
    if found.get("full_page_writes", "on") == "on":
        yield Said(Mark.OK, "durability", told)
    else:
        yield Said(Mark.WARN, "durability", f"{told}: set full_page_writes=on, or a power cut can tear a page")


def _guards(unit: Unit) -> Iterator[Said]:
    gone = list(missing_triggers(unit.connection, (*book.APPEND_ONLY, *schema.APPEND_ONLY)))
    for table, change in gone:
        sentence = f"the database no longer refuses {change} on {table}: find out who took the trigger away, and check"
        yield Said(Mark.BAD, "guards", sentence)
    if not gone:
        yield Said(Mark.OK, "guards", "the database refuses to change what was written")


def _integrity(unit: Unit) -> Iterator[Said]:
    if unit.connection.dialect.name == "postgresql":
        sums = unit.connection.exec_driver_sql("SHOW data_checksums").scalar()
        if sums == "on":
            yield Said(Mark.OK, "integrity", "the server checks its pages")
        else:
            advice = "pg_checksums --enable turns them on while it is stopped"
            yield Said(Mark.WARN, "integrity", f"the server keeps no checksums of its pages: {advice}")
        return
    found = [str(row[0]) for row in unit.connection.exec_driver_sql("PRAGMA quick_check(5)")]
    if found == ["ok"]:
        yield Said(Mark.OK, "integrity", "the file holds together")
    else:
        yield Said(Mark.BAD, "integrity", f"the file is damaged ({found[0]}): restore the last backup")


def _hours(unit: Unit, patient: Patient) -> Iterator[Said]:
    hours = house_of(unit.chain(HOUSE)).hours  # a zone nobody knows cannot be read
    if not hours:
        yield Said(Mark.BAD, "hours", "the house has set no time zone and opening hour: nothing can be played")
        return
    today = day_of(patient.now, hours)
    yield Said(Mark.OK, "hours", f"a gaming day begins at {hours[-1].start:02}:00 {hours[-1].zone}; this is {today}")


def _clock(unit: Unit, patient: Patient) -> Iterator[Said]:
    last = max(_moments(unit), default="")
    if last and patient.now < instant_of(last):
        sentence = f"this machine's clock, {patient.now:%Y-%m-%d %H:%M} UTC, is before the last record, {last}: set it"
        yield Said(Mark.BAD, "clock", sentence)
    else:
        yield Said(Mark.OK, "clock", f"{patient.now:%Y-%m-%d %H:%M} UTC" + (f", last record {last}" if last else ""))


def _moments(unit: Unit) -> Iterator[str]:
    for column in (book.chains.c.at, schema.history.c.at):
        found = unit.connection.scalar(sa.select(sa.func.max(column)))
        if found:
            yield str(found)


def _disk(patient: Patient) -> Iterator[Said]:
    if patient.file is None:
        return
    size = sum(one.stat().st_size for one in _files(patient.file))
    free = shutil.disk_usage(patient.file.absolute().parent).free
    told = f"{free / GIGABYTE:,.1f} GB free, the book has {size / GIGABYTE:,.3f} GB"
    if free < max(GIGABYTE, 2 * size):
        yield Said(Mark.WARN, "disk", f"{told}: make room for at least a gigabyte and two copies of the book")
    else:
        yield Said(Mark.OK, "disk", told)


def _files(path: Path) -> Iterator[Path]:
    for name in ("", "-wal"):
        one = Path(f"{path}{name}")
        if one.exists():
            yield one


def _permissions(patient: Patient) -> Iterator[Said]:
    if patient.file is None:
        return
    if stat.S_IMODE(patient.file.stat().st_mode) & 0o077:
        yield Said(Mark.WARN, "permissions", f"others may read the book: chmod 600 {patient.file}")
    else:
        yield Said(Mark.OK, "permissions", "only its owner may read the book")


# --- the operator's key and the tables ----------------------------------------------------------------------------


def _key(patient: Patient) -> tuple[Keyring | None, Said]:
    if patient.key is None:
        return None, Said(
            Mark.WARN, "operator's key", "a book on a server has none beside it: name its file with --key"
        )
    if not patient.key.is_file():
        sentence = f"{patient.key} is not there: put it back, or no service starts"
        return None, Said(Mark.WARN, "operator's key", sentence)
    try:
        return key_file(patient.key), Said(Mark.OK, "operator's key", f"{patient.key}, which only its owner may read")
    except BadRequest as wrong:
        return None, Said(Mark.BAD, "operator's key", str(wrong))


def _seals(unit: Unit, keyring: Keyring | None) -> Iterator[Said]:
    row = last_row(unit.connection)
    if row is None or keyring is None:
        return
    if keyring.find(row["id"]) is None:
        sentence = f"the book is sealed with key {row['id']}, which is not in its key file: bring the right file"
        yield Said(Mark.BAD, "seals", f"{sentence}, or see docs/operating.md about a lost key")
    else:
        yield Said(Mark.OK, "seals", f"key {row['number']}, {row['id']}, seals what is written")


def _live_shoes(unit: Unit, keyring: Keyring | None) -> Iterator[Said]:
    shoes = schema.shoes
    last = sa.select(shoes.c.table_name, sa.func.max(shoes.c.number).label("number")).group_by(shoes.c.table_name)
    found = last.subquery()
    live = sa.select(shoes).join(
        found, sa.and_(shoes.c.table_name == found.c.table_name, shoes.c.number == found.c.number)
    )
    sealed = live.where(shoes.c.key.is_(None), shoes.c.encrypted_key != "").order_by(shoes.c.table_name)  # none by hand
    rows = list(unit.connection.execute(sealed))
    if rows and keyring is None:
        yield Said(Mark.WARN, "live shoes", f"{len(rows)} sealed, and the operator's key is not here to try")
        return
    wrong = 0
    for row in rows:
        owner = f"shoe {row.number} of {row.table_name}"
        with suppress(BadRequest):
            if keyring is not None and commitment(keyring.decrypt(row.encrypted_key, owner)) == row.commitment:
                continue
        wrong += 1
        sentence = f"the operator's key does not open {owner}: bring the right one, or reset the table"
        yield Said(Mark.BAD, "live shoes", sentence)
    if not wrong:
        yield Said(Mark.OK, "live shoes", f"the operator's key opens {len(rows)} of {len(rows)}")


def _tables(patient: Patient) -> Iterator[Said]:
    service = bootstrap(patient.store, catalog=patient.catalog)
    opened = stopped = 0
    try:
        for table in service.queries.tables():
            try:
                opened += service.desk.live(table).opened
            except UpcardError as wrong:
                stopped += 1
                yield Said(Mark.BAD, "tables", f"{wrong}; when its cause cannot be put right, reset the table")
    except UNREADABLE as wrong:
        yield Said(Mark.BAD, "tables", f"they cannot be read ({one_line(wrong)}): run upcard ledger check")
        return
    if not stopped:
        yield Said(Mark.OK, "tables", f"none is stopped, {opened} open")


# --- the house ----------------------------------------------------------------------------------------------------


def _days(unit: Unit, patient: Patient) -> Iterator[Said]:
    house = house_of(unit.chain(HOUSE))
    first = _first_open_day(unit, house.closed)
    if not house.hours or first is None:
        return
    today = day_of(patient.now, house.hours)
    if first < today:
        yield Said(Mark.WARN, "gaming days", f"{first} is over and not closed: close every day up to {today}")
    else:
        yield Said(Mark.OK, "gaming days", f"every day before {today} is closed")


def _first_open_day(unit: Unit, closed: date | None) -> date | None:
    if closed is not None:
        return next_day(closed)
    first = unit.connection.scalar(sa.select(sa.func.min(book.entries.c.day)))
    return None if first is None else date.fromisoformat(first)


def _escrow(unit: Unit, patient: Patient) -> Iterator[Said]:
    house = house_of(unit.chain(HOUSE))
    states = [state_of(chain) for chain in unit.chains().values() if chain.number]
    held = [state for state in states if isinstance(state, ProgressiveJackpot)]
    if not held or not house.hours:
        return
    warnings = [one for state in held for one in warnings_of(state, day_of(patient.now, house.hours))]
    for one in warnings:
        yield Said(Mark.WARN, "escrow", sentence_of(one))
    if not warnings:
        yield Said(Mark.OK, "escrow", f"the players' money of {len(held)} progressives is covered and deposited")
