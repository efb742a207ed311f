"""Builds and runs the service: store, desk, timers and queries."""

import gc
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.ledger.journal import Clock, utc_now
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.sealing_key import last_row
from upcard.ledger.store import Store, is_server, without_password
from upcard.people import PasswordCost, People
from upcard.problems import BadRequest
from upcard.service.desk import Desk
from upcard.service.notices import Notice, NoticeListener
from upcard.service.pending import Entropy
from upcard.service.queries import Queries
from upcard.service.rules_in_force import take_new_rules
from upcard.service.timers import Timers

_IF_LOST = "if it is lost for good, see docs/operating.md"
_GC_THRESHOLDS = (20_000, 20, 200)  # immutable values make few cycles, and a full collection delays everybody


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

    A new book gets a new key file; a sealed book gets one only with `replaced`, when its key is being replaced."""
    if key is None:
        if is_server(address):
            raise BadRequest("a book on a server needs the operator's key; give its file with --key")
        key = Path(f"{address}.key")
    if not key.exists() and not replaced and _is_sealed(address):
        raise BadRequest(
            f"{without_password(address)} is sealed, but its key file {key} is missing; put it back; {_IF_LOST}"
        )
    return key_file(key)


def _is_sealed(address: str) -> bool:
    """Whether the book exists and has a key; other errors are reported when it is opened."""
    if not is_server(address) and not Path(address).is_file():
        return False
    store = Store(address)
    try:
        with store.engine.connect() as connection:
            return last_row(connection) is not None
    except (SQLAlchemyError, BadRequest):
        return False
    finally:
        store.close()


def bootstrap(
    store: Store,
    *,
    catalog: Catalog | None = None,
    clock: Clock = utc_now,
    entropy: Entropy = secrets.token_bytes,
    known_players_only: bool = False,
) -> Service:
    """A service whose desk and timers are not started."""
    desk = Desk(store, catalog or shipped(), clock=clock, entropy=entropy, known_players_only=known_players_only)
    return Service(desk=desk, queries=Queries(desk.book))


def freeze_gc() -> None:
    """For a server process, after startup: excludes everything loaded so far from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


@contextmanager
def serving(
    address: str, *, key: Path | None = None, catalog: Catalog | None = None, entropy: Entropy = secrets.token_bytes
) -> Iterator[Service]:
    """Runs a service; finishes submitted commands before it stops."""
    store = Store.create(address, keyring_beside(address, key))
    try:
        with store.transaction():
            pass  # refuses a book that is sealed with another key
        service = bootstrap(store, catalog=catalog, entropy=entropy, known_players_only=True)
        service.desk.start()
        take_new_rules(service.desk, service.queries)
        timers = Timers(service.desk, service.queries)
        timers.start()
        try:
            yield service
        finally:
            timers.stop()
            service.desk.stop()
    finally:
        store.close()
