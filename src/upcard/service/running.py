"""A service put together: store, desk, clockwork and questions, with the clock and the entropy they are given."""

import gc
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.ledger.journal import Clock, utc_now
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.sealing_key import last_row
from upcard.ledger.store import Store, is_server, shown
from upcard.people import PasswordCost, People
from upcard.problems import BadRequest
from upcard.service.desk import Desk
from upcard.service.notices import Listening
from upcard.service.pending import Entropy
from upcard.service.queries import Queries
from upcard.service.rules_in_force import take_new_rules
from upcard.service.timers import Timers

_IF_LOST = "if it is lost for good, see docs/operating.md"
_SELDOM = (20_000, 20, 200)  # frozen values make few cycles, and a collection of everything holds everybody up


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service in use."""

    desk: Desk
    queries: Queries

    @property
    def address(self) -> str:
        """Where its book is, without the name and password of a database."""
        return self.desk.store.address.rpartition("@")[2]

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same tables."""
        return is_server(self.desk.store.address)

    def people(self, *, clock: Clock | None, cost: PasswordCost | None) -> People:
        """The people of its house; with a clock of their own, if they are given one."""
        return People(self.desk.store, clock=clock or self.desk.clock, entropy=self.desk.context.entropy, cost=cost)

    def listening(self, *, moved: Callable[[Sequence[str]], object], missed: Callable[[], object]) -> Listening:
        """Hears which tables other processes have moved; not started yet."""
        return Listening(self.desk.store.address, self.desk.context.process, moved=moved, missed=missed)


def keyring_beside(address: str, key: Path | None, *, replaced: bool = False) -> Keyring:
    """The operator's keys: the file that is named, or one beside a book that is a file.

    A new book gets a new key; a sealed one only where the key it was sealed with is to be replaced."""
    if key is None:
        if is_server(address):
            raise BadRequest("a book on a server needs the operator's key: name its file with --key")
        key = Path(f"{address}.key")
    if not key.exists() and not replaced and _is_sealed(address):
        raise BadRequest(f"{shown(address)} is sealed with a key, and {key} is not there: put it back; {_IF_LOST}")
    return key_file(key)


def _is_sealed(address: str) -> bool:
    """Whether there is a book with a key already; what is wrong with it is said by whoever opens it."""
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
) -> Service:
    """A service that does nothing by itself yet."""
    desk = Desk(store, catalog or shipped(), clock=clock, entropy=entropy)
    return Service(desk=desk, queries=Queries(desk.book))


def freeze_gc() -> None:
    """For a process that serves and does nothing else: what is loaded by now stays for good, so the collector need not
    look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)


@contextmanager
def serving(
    address: str, *, key: Path | None = None, catalog: Catalog | None = None, entropy: Entropy = secrets.token_bytes
) -> Iterator[Service]:
    """A service that runs: what it was handed is finished before it stops."""
    store = Store.create(address, keyring_beside(address, key))
    try:
        with store.transaction():
            pass  # refuses a book that is sealed with another key, before anybody plays
        service = bootstrap(store, catalog=catalog, entropy=entropy)
        service.desk.start()
        take_new_rules(service.desk, service.queries)
        clockwork = Timers(service.desk, service.queries)
        clockwork.start()
        try:
            yield service
        finally:
            clockwork.stop()
            service.desk.stop()
    finally:
        store.close()
