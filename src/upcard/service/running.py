"""Builds and runs the service: store, desk, timers and queries."""

import gc
import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.ledger import schema as book_schema
from upcard.ledger.book_file import make_private, served_alone
from upcard.ledger.findings import one_line
from upcard.ledger.journal import Clock, utc_now
from upcard.ledger.keyring import Keyring, key_file, new_key_file
from upcard.ledger.store import Store, is_server, refuse_foreign_database, without_password
from upcard.people import PasswordCost, People
from upcard.people import schema as people_schema
from upcard.problems import BadRequest
from upcard.service import schema
from upcard.service.after_restore import prepare_restored_book
from upcard.service.checkpoint_files import CheckpointWriter, folder_beside
from upcard.service.desk import Desk
from upcard.service.high_water import HighWaterMark
from upcard.service.notices import Notice, NoticeListener
from upcard.service.pending import Entropy
from upcard.service.queries import Queries
from upcard.service.rules_in_force import take_new_rules
from upcard.service.steady_clock import LIMIT, ClockWatch, clock_for
from upcard.service.timers import Timers

_IF_LOST = (
    "If it is lost for good, upcard ledger rotate-key BOOK --by NAME --lost starts with a new key (docs/operating.md). "
    "Then no earlier seal can be verified, tables with a shoe in play are reset, and everybody sets up their "
    "authenticator again"
)
_GC_THRESHOLDS = (20_000, 20, 200)  # immutable values make few cycles, and a full collection delays everybody


_log = logging.getLogger(__name__)
_TABLES = {
    table.name: table
    for metadata in (book_schema.metadata, schema.metadata, people_schema.metadata)
    for table in metadata.sorted_tables
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """What an operator may choose about a service."""

    refusals_per_minute: int | None = None  # per person, kept one by one; None: all
    clock_limit: timedelta = LIMIT  # how far clocks may be apart
    checkpoints: Path | None = None  # the folder to write them to; None: beside the key
    time_from_book: bool = False  # whether time continues from the last record, if that is ahead of the clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    desk: Desk
    queries: Queries

    @property
    def address(self) -> str:
        """The book's address, without the database's user name and password."""
        return self.desk.store.address.rpartition("@")[2]

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same tables."""
        return is_server(self.desk.store.address)

    def people(self, *, clock: Clock | None, cost: PasswordCost | None) -> People:
        """The house's accounts; `clock` replaces the service's own."""
        return People(self.desk.store, clock=clock or self.desk.clock, entropy=self.desk.context.entropy, cost=cost)

    def notice_listener(self, *, moved: Callable[[Notice], object], missed: Callable[[], object]) -> NoticeListener:
        """A listener for what other processes changed; not started yet."""
        return NoticeListener(self.desk.store.address, self.desk.context.process, moved=moved, missed=missed)


def keyring_beside(address: str, key: Path | None, *, replaced: bool = False) -> Keyring:
    """The operator's keys, from the file given or from the one beside a SQLite book.

    An empty book gets a new key file; one with records only with `replaced`, when its lost key is being replaced."""
    if key is None:
        if is_server(address):
            raise BadRequest("a book on a server needs the operator's key; give its file with --key")
        key = Path(f"{address}.key")
    if key.exists():
        return key_file(key)
    if not replaced and not _is_empty(address):
        raise BadRequest(
            f"{without_password(address)} has records, but its key file {key} is missing; put it back. {_IF_LOST}"
        )
    return new_key_file(key)


def _is_empty(address: str) -> bool:
    """Whether there is no book yet, or one without a single row. One that cannot be read is not taken for empty."""
    if not is_server(address):
        if not Path(address).is_file():
            return True
        refuse_foreign_database(address)
    store = Store(address)
    try:
        with store.engine.connect() as connection:
            tables = set(sa.inspect(connection).get_table_names()) & _TABLES.keys()
            return not any(connection.execute(sa.select(_TABLES[name]).limit(1)).first() for name in sorted(tables))
    except SQLAlchemyError as error:
        raise BadRequest(
            f"{without_password(address)} cannot be read ({one_line(error)}), so no key is made for it"
        ) from None
    finally:
        store.close()


def bootstrap(
    store: Store,
    *,
    catalog: Catalog | None = None,
    clock: Clock = utc_now,
    entropy: Entropy = secrets.token_bytes,
    known_players_only: bool = False,
    refusals_per_minute: int | None = None,
) -> Service:
    """A service whose desk and timers are not started."""
    desk = Desk(
        store,
        catalog or shipped(),
        clock=clock,
        entropy=entropy,
        known_players_only=known_players_only,
        refusals_per_minute=refusals_per_minute,
    )
    return Service(desk=desk, queries=Queries(desk.book))


def freeze_gc() -> None:
    """For a server process, after startup: excludes everything loaded so far from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


def _take_revision(service: Service) -> None:
    """Gives the tables between two shoes the revision just published. The desk calls this, and must not wait for it."""
    arguments = (service.desk, service.queries)
    threading.Thread(target=take_new_rules, args=arguments, name="upcard-revision", daemon=True).start()


@contextmanager
def serving(
    address: str,
    *,
    key: Path | None = None,
    catalog: Catalog | None = None,
    entropy: Entropy = secrets.token_bytes,
    options: ServiceOptions | None = None,
) -> Iterator[Service]:
    """Runs a service; finishes submitted commands before it stops."""
    options = options or ServiceOptions()
    with ExitStack() as stack:
        if not is_server(address):
            stack.enter_context(served_alone(Path(address)))
        keyring = keyring_beside(address, key)
        store = Store.create(address, keyring)
        stack.callback(store.close)
        if not is_server(address):
            for file in make_private(Path(address)):
                _log.warning("other users could read %s; now only its owner can", file)
        with store.transaction() as unit:  # refuses a book that is sealed with another key
            book = unit.book
        clock = clock_for(store, limit=options.clock_limit, from_book=options.time_from_book)
        service = bootstrap(
            store,
            catalog=catalog,
            clock=clock,
            entropy=entropy,
            known_players_only=True,
            refusals_per_minute=options.refusals_per_minute,
        )
        if keyring.path is not None:
            mark = HighWaterMark(keyring.path, book)
            stack.callback(mark.close)
            prepare_restored_book(service, mark)
            service.desk.high_water = mark
        service.desk.start()
        stack.callback(service.desk.stop)
        take_new_rules(service.desk, service.queries)
        service.desk.catalog_watchers.append(lambda _: _take_revision(service))
        timers = Timers(service.desk, service.queries, clock_watch=ClockWatch(clock, keyring.path))
        timers.start()
        stack.callback(timers.stop)
        if keyring.path is not None:
            writer = CheckpointWriter(service.desk, options.checkpoints or folder_beside(keyring.path))
            writer.start()
            stack.callback(writer.stop)
        yield service
