"""The desk: takes commands for many tables, carries them out in serial order per table, and answers once stored.

One thread writes (a desk that was not started writes in its caller's thread). All commands that wait when it is free go
into one transaction (a group commit); each is carried out completely or not at all, and nothing is answered before the
commit. Several processes may share a PostgreSQL: stream rows are locked, and a table that another process has changed
is brought up to date first.
"""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

import orjson
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from upcard.catalog.index import Catalog
from upcard.ledger.book import Book, Clerk
from upcard.ledger.journal import HOUSE, Clock, instant_text, table_chain
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.store import Store, is_write_conflict
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.high_water import HighWaterMark
from upcard.service.house_catalog import HouseCatalog, LoadedRevision
from upcard.service.live_table import LiveTable
from upcard.service.live_tables import read_table
from upcard.service.new_rows import REFUSALS
from upcard.service.pending import (
    LONGEST_TEXT,
    NUL,
    Answer,
    Cache,
    Consent,
    Context,
    Entropy,
    PendingCommand,
    TableUpdate,
    longest_text,
)
from upcard.service.refusal_budget import RefusalBudget
from upcard.service.refusal_chains import chain_refusals
from upcard.service.refusals import Refused, ServiceRefusal, ServiceRefused, StoreFailed, refusal
from upcard.service.streams import Streams
from upcard.service.transaction import Transaction

_log = logging.getLogger(__name__)

ATTEMPTS = 8  # at a transaction that conflicts with another writer
MAX_BATCH = 400  # commands in one transaction
SENT_AHEAD = 40  # commands whose rows are sent to a database server together, before the transaction is complete
BUSY_TABLES = 4  # tables active within ACTIVE_SECONDS that make a busy house
ACTIVE_SECONDS = 0.06
BATCH_SECONDS = 0.015  # from the start of one transaction to the next, in a busy house


Waiting = queue.SimpleQueue[PendingCommand | None]  # None: the desk stops
Changed = TypeVar("Changed", TableUpdate, str, int)


class BatchPacing:
    """When the next transaction starts: at once, unless several tables are active. Then it waits a few milliseconds for
    more commands: a transaction of six commands costs little more than one of a single command."""

    def __init__(self) -> None:
        self._last_active: dict[str, float] = {}  # by stream: when its last command came
        self._started = 0.0

    def gather(self, first: PendingCommand, waiting: Waiting) -> list[PendingCommand]:
        """The commands of the next transaction, once it is time: the first, and those waiting behind it."""
        now = time.monotonic()
        self._last_active[first.stream] = now
        self._last_active = {name: at for name, at in self._last_active.items() if now - at < ACTIVE_SECONDS}
        if len(self._last_active) >= BUSY_TABLES and (wait := self._started + BATCH_SECONDS - now) > 0:
            time.sleep(wait)
        batch = [first]
        while len(batch) < MAX_BATCH and not waiting.empty():
            following = waiting.get()
            if following is None:
                waiting.put(None)  # the desk stops after these; nothing follows it in the queue
                break
            batch.append(following)
        self._started = time.monotonic()
        self._last_active.update((pending.stream, self._started) for pending in batch)
        return batch


class Desk:
    """Takes commands and carries them out."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        *,
        clock: Clock,
        entropy: Entropy,
        known_players_only: bool = False,
        refusals_per_minute: int | None = None,
    ) -> None:
        if store.keyring is None:
            raise BadRequest("the service needs the operator's key")
        self.store, self.book = store, Book(store, catalog)
        self.clock, self.cache = clock, Cache()
        self.context = Context(
            catalogs=HouseCatalog(catalog),
            keyring=store.keyring,
            entropy=entropy,
            cache=self.cache,
            started=instant_text(clock()),
            known_players_only=known_players_only,
            refusal_budget=RefusalBudget(refusals_per_minute),
        )
        self.watchers: list[Callable[[Sequence[TableUpdate]], None]] = []
        self.jackpot_watchers: list[Callable[[Sequence[str]], None]] = []  # called with the jackpots that changed
        self.catalog_watchers: list[Callable[[Sequence[int]], None]] = []  # called with the revision that was published
        self.high_water: HighWaterMark | None = None
        self._waiting: Waiting = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()  # no command is queued after a stop

    # --- submitting -----------------------------------------------------------------------------------------------

    def submit(
        self,
        command: s.Command,
        *,
        id: str,  # noqa: A002 - the word for it
        actor: str,
        role: str = "floor",
        consent: Consent | None = None,
    ) -> "Future[Answer]":
        """Queues a command; the future is answered after the commit. A consent is used up in the same transaction."""
        pending = PendingCommand(command, id, actor, role, consent)
        with self._lock:
            if not self._closed and self._thread is not None:
                self._waiting.put(pending)
                return pending.future
        pending.future.set_exception(StoreFailed("the service is not running; try again with the same id"))
        return pending.future

    def ask(self, command: s.Command, *, id: str, actor: str, role: str = "floor") -> "Future[Answer]":  # noqa: A002 - the word for it
        """Queues a command; a desk that was never started carries it out at once."""
        if self._thread is not None or self._closed:
            return self.submit(command, id=id, actor=actor, role=role)
        pending = PendingCommand(command, id, actor, role)
        self.carry_out([pending])
        return pending.future

    def do(self, command: s.Command, *, id: str, actor: str, role: str = "floor") -> Answer:  # noqa: A002 - the word for it
        """Submits a command and waits for its answer."""
        return self.ask(command, id=id, actor=actor, role=role).result()

    def start(self) -> None:
        """Starts the writing thread."""
        self._closed = False
        self._thread = threading.Thread(target=self._write, name="upcard-desk", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the writing thread takes commands."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def stop(self) -> None:
        """Finishes the queued commands and stops the thread."""
        with self._lock:
            thread, self._closed = self._thread, True
            self._thread = None
            if thread is not None:
                self._waiting.put(None)
        if thread is not None:
            thread.join()

    def _write(self) -> None:
        pacing, budget = BatchPacing(), self.context.refusal_budget
        while True:
            seconds = budget.seconds_left()
            if seconds == 0:
                self.store_refusal_counts()
                continue
            try:
                first = self._waiting.get(timeout=seconds)
            except queue.Empty:
                continue
            if first is None:
                break
            self.carry_out(pacing.gather(first, self._waiting))
        self.store_refusal_counts(everything=True)

    # --- carrying out ---------------------------------------------------------------------------------------------

    def carry_out(self, batch: Sequence[PendingCommand]) -> None:
        """Carries out commands in few transactions, and answers each.

        If one command of a batch fails, each gets a transaction of its own, so that the others are not affected."""
        parts = deque(_parts(batch))
        while parts:
            part = parts.popleft()
            for attempts_left in reversed(range(ATTEMPTS)):
                try:
                    with self.store.batch(self.cache.memory) as unit:
                        transaction = Transaction(self.context, Clerk(unit, self.context.catalog), self.clock())
                        transaction.hold(part)
                        for number, pending in enumerate(part, 1):
                            pending.outcome = transaction.outcome(pending)
                            if number % SENT_AHEAD == 0:
                                transaction.send()
                        transaction.flush()
                    transaction.remember()
                    if self.high_water is not None:
                        self.high_water.note(transaction.streams.new_heads())
                except Exception as error:  # every command gets an answer, whatever failed
                    self.cache.forget(pending.stream for pending in part)
                    if len(part) > 1 and not _is_store_error(error):
                        parts.extendleft([pending] for pending in reversed(part))
                        break
                    if attempts_left == 0 or not (isinstance(error, DBAPIError) and is_write_conflict(error)):
                        _fail(part, error)
                        break
                else:
                    if transaction.published:
                        self._load_published()
                    _tell(self.watchers, transaction.updates)
                    _tell(self.jackpot_watchers, transaction.jackpots)
                    _tell(self.catalog_watchers, transaction.published)
                    for pending in part:
                        if pending.outcome is not None:
                            pending.answer(pending.outcome)
                    break

    def _load_published(self) -> None:
        """Loads the revision just published; if the book cannot be read now, the next transaction loads it."""
        try:
            self.refresh_catalog()
        except SQLAlchemyError as error:
            _log.warning("the new revision of the catalog is not loaded yet: %s", error)

    def store_refusal_counts(self, *, everything: bool = False) -> None:
        """Stores how many refusals were only counted, once it is time; or all of them, before the desk stops."""
        budget = self.context.refusal_budget
        if not (counts := budget.take_due(everything=everything)):
            return
        try:
            with self.book.batch(self.cache.memory) as clerk:
                streams = Streams(clerk.unit.connection)
                streams.hold(sorted({str(count.first["stream"]) for count in counts}), [])
                rows = [budget.row_of(count, self.clock()) for count in counts]
                chain_refusals(rows, streams, clerk.unit)
                REFUSALS.insert(clerk.unit.connection, rows)
                streams.flush()
        except Exception as error:  # the writing thread must not end
            _log.warning("the counts of refusals could not be stored: %s", error)
            budget.put_back(counts)

    # --- reading --------------------------------------------------------------------------------------------------

    @property
    def catalog(self) -> Catalog:
        """The catalog as this process last loaded it."""
        return self.context.catalog

    def refresh_catalog(self) -> LoadedRevision:
        """Loads the revision of the catalog that is in force in the book."""
        with self.book.look() as reader:
            return self.context.catalogs.in_force(reader.unit.connection, reader.house())

    def live(self, table: str) -> LiveTable:
        """A table's current state in the database."""
        with self.book.look() as clerk:
            live = read_table(self.context, clerk.unit.connection, table_chain(table))
        if live is None:
            raise Refused(BookRefusal.TABLE_UNKNOWN.value, {"table": table})
        cached = self.cache.lives.get(table_chain(table))
        if cached is None or cached.version < live.version:  # it is committed, so it may be cached
            self.cache.lives[table_chain(table)] = live
        return live


def _parts(batch: Sequence[PendingCommand]) -> list[list[PendingCommand]]:
    """Splits a batch into transactions, in order. Commands of the house go alone, because the daily close locks every
    chain. Commands that cannot be stored at all are answered at once."""
    parts: list[list[PendingCommand]] = [[]]
    for pending in batch:
        if not pending.id.isprintable():
            pending.answer(refusal(ServiceRefused(ServiceRefusal.BAD_COMMAND_ID, id=pending.id)))
        elif NUL in pending.text:
            pending.answer(refusal(ServiceRefused(ServiceRefusal.BAD_TEXT)))
        elif len(pending.text) > LONGEST_TEXT and longest_text(orjson.loads(pending.text)) > LONGEST_TEXT:
            pending.answer(refusal(ServiceRefused(ServiceRefusal.TEXT_TOO_LONG, most=LONGEST_TEXT)))
        elif pending.stream == HOUSE:
            parts += [[pending], []]
        else:
            parts[-1].append(pending)
    return [part for part in parts if part]


def _tell(watchers: Sequence[Callable[[Sequence[Changed]], None]], changed: Sequence[Changed]) -> None:
    for watcher in watchers if changed else ():
        try:
            watcher(changed)
        except Exception:
            _log.exception("a watcher's callback failed")


def _is_store_error(error: Exception) -> bool:
    """Whether the store or another writer caused the error, not a particular command of the batch."""
    if isinstance(error, IntegrityError | DataError):
        return False
    return isinstance(error, SQLAlchemyError)


def _fail(batch: Sequence[PendingCommand], error: Exception) -> None:
    if not isinstance(error, SQLAlchemyError):
        _log.error("%d commands could not be carried out", len(batch), exc_info=error)
        for pending in batch:
            pending.answer(error)
        return
    cause = error.orig if isinstance(error, DBAPIError) else error
    message = (str(cause).strip() or type(cause).__name__).splitlines()[0]
    for pending in batch:
        pending.answer(
            StoreFailed(
                f"the book could not be written ({message}); nothing was acknowledged; try again with the same id"
            )
        )
