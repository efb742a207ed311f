"""A service put together: store, desk, clockwork and questions, with the clock and the entropy they are given."""

import gc
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.ledger.journal import Clock, utc_now
from upcard.ledger.keyring import Keyring, key_file
from upcard.ledger.store import Store, is_server
from upcard.problems import BadRequest
from upcard.service.asking import Entropy
from upcard.service.clockwork import Clockwork
from upcard.service.desk import Desk
from upcard.service.queries import Queries
from upcard.service.rules_in_force import take_new_rules

_SELDOM = (20_000, 20, 200)  # frozen values make few cycles, and a collection of everything holds everybody up


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service in use."""

    desk: Desk
    queries: Queries


def keyring_beside(address: str, key: Path | None) -> Keyring:
    """The operator's keys: the file that is named, or one beside a book that is a file."""
    if key is None:
        if is_server(address):
            raise BadRequest("a book on a server needs the operator's key: name its file with --key")
        key = Path(f"{address}.key")
    return key_file(key)


def put_together(
    store: Store,
    *,
    catalog: Catalog | None = None,
    clock: Clock = utc_now,
    entropy: Entropy = secrets.token_bytes,
) -> Service:
    """A service that does nothing by itself yet."""
    desk = Desk(store, catalog or shipped(), clock=clock, entropy=entropy)
    return Service(desk=desk, queries=Queries(desk.book))


def settled_in() -> None:
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
        with store.unit():
            pass  # refuses a book that is sealed with another key, before anybody plays
        service = put_together(store, catalog=catalog, entropy=entropy)
        service.desk.start()
        take_new_rules(service.desk, service.queries)
        clockwork = Clockwork(service.desk, service.queries)
        clockwork.start()
        try:
            yield service
        finally:
            clockwork.stop()
            service.desk.stop()
    finally:
        store.close()
