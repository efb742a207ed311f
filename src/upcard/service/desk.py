"""The desk: takes commands of many tables, carries them out in one serial order each, and answers when they are kept.

One thread writes (a desk that was not started writes for its caller). Whatever waits when it is free goes into one
transaction (a group commit); each command in it is done whole or not at all, and nobody hears of it before the commit.
Several processes may share a PostgreSQL: the rows of the streams are locked, and a table that another process has moved
on is caught up with before anything is said to it.
"""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from upcard.catalog.index import Catalog
from upcard.ledger.book import Book
from upcard.ledger.journal import HOUSE, Clock, instant_text, table_chain
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.store import Store, is_write_conflict
from upcard.problems import BadRequest
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.live_tables import read_table
from upcard.service.pending import NUL, Answer, Cache, Context, Entropy, PendingCommand, TableUpdate
from upcard.service.refusals import Refused, ServiceRefusal, ServiceRefused, StoreFailed, refusal
from upcard.service.transaction import Transaction

_log = logging.getLogger(__name__)

ATTEMPTS = 8  # of a transaction that another writer stood in the way of
MOST = 400  # commands in one transaction
BUSY = 4  # tables that spoke in the last moment
MOMENT = 0.06  # seconds
APART = 0.015  # seconds from one transaction's beginning to the next's, in a busy house


Waiting = queue.SimpleQueue[PendingCommand | None]  # None: the desk stops


class Rhythm:
    """When the next transaction begins: at once, unless several tables are speaking. Then it waits a few milliseconds
    for what else is said: a transaction of six commands costs little more than one of a single command."""

    def __init__(self) -> None:
        self._spoke: dict[str, float] = {}  # when each table last did
        self._begun = 0.0

    def gather(self, first: PendingCommand, waiting: Waiting) -> list[PendingCommand]:
        """The commands of the next transaction, once it is time: the first and what waits behind it."""
        now = time.monotonic()
        self._spoke[first.stream] = now
        self._spoke = {name: at for name, at in self._spoke.items() if now - at < MOMENT}
        if len(self._spoke) >= BUSY and (left := self._begun + APART - now) > 0:
            time.sleep(left)
        batch = [first]
        while len(batch) < MOST and not waiting.empty():
            following = waiting.get()
            if following is None:
                waiting.put(None)  # the desk stops after these: nothing is handed in behind it
                break
            batch.append(following)
        self._begun = time.monotonic()
        self._spoke.update((pending.stream, self._begun) for pending in batch)
        return batch


class Desk:
    """Where commands are handed in."""

    def __init__(self, store: Store, catalog: Catalog, *, clock: Clock, entropy: Entropy) -> None:
        if store.keyring is None:
            raise BadRequest("a service needs the operator's key")
        self.store, self.catalog, self.book = store, catalog, Book(store, catalog)
        self.clock, self.cache = clock, Cache()
        self.context = Context(
            catalog=catalog, keyring=store.keyring, entropy=entropy, cache=self.cache, started=instant_text(clock())
        )
        self.watchers: list[Callable[[Sequence[TableUpdate]], None]] = []
        self._waiting: Waiting = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._door = threading.Lock()  # nothing is handed in behind a stop

    # --- handing in -----------------------------------------------------------------------------------------------

    def submit(self, command: s.Command, *, id: str, actor: str, role: str = "floor") -> "Future[Answer]":  # noqa: A002 - the word for it
        """Hands a command in; the future is answered after the commit."""
        pending = PendingCommand(command, id, actor, role)
        with self._door:
            if not self._closed and self._thread is not None:
                self._waiting.put(pending)
                return pending.future
        pending.future.set_exception(StoreFailed("the service is not running: ask again, under the same id"))
        return pending.future

    def ask(self, command: s.Command, *, id: str, actor: str, role: str = "floor") -> "Future[Answer]":  # noqa: A002 - the word for it
        """Hands a command in; at a desk that was never started it is carried out at once."""
        if self._thread is not None or self._closed:
            return self.submit(command, id=id, actor=actor, role=role)
        pending = PendingCommand(command, id, actor, role)
        self.carry_out([pending])
        return pending.future

    def do(self, command: s.Command, *, id: str, actor: str, role: str = "floor") -> Answer:  # noqa: A002 - the word for it
        """Hands a command in and waits for its answer."""
        return self.ask(command, id=id, actor=actor, role=role).result()

    def start(self) -> None:
        """Begins to write."""
        self._closed = False
        self._thread = threading.Thread(target=self._write, name="upcard-desk", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finishes what was handed in, and no more."""
        with self._door:
            thread, self._closed = self._thread, True
            self._thread = None
            if thread is not None:
                self._waiting.put(None)
        if thread is not None:
            thread.join()

    def _write(self) -> None:
        rhythm = Rhythm()
        while (first := self._waiting.get()) is not None:
            self.carry_out(rhythm.gather(first, self._waiting))

    # --- carrying out ---------------------------------------------------------------------------------------------

    def carry_out(self, batch: Sequence[PendingCommand]) -> None:
        """Carries commands out in few transactions, and answers each.

        Where one of a batch clashes with what another process wrote, or cannot be carried out, each gets a
        transaction of its own, and the others do not suffer."""
        parts = deque(_parts(batch))
        while parts:
            part = parts.popleft()
            for left in reversed(range(ATTEMPTS)):
                try:
                    with self.book.batch(self.cache.memory) as clerk:
                        transaction = Transaction(self.context, clerk, self.clock())
                        transaction.hold(part)
                        for pending in part:
                            pending.outcome = transaction.outcome(pending)
                        transaction.flush()
                    transaction.remember()
                except Exception as wrong:  # nobody is left waiting, whatever broke
                    self.cache.forget(pending.stream for pending in part)
                    if len(part) > 1 and not _is_of_the_store(wrong):
                        parts.extendleft([pending] for pending in reversed(part))
                        break
                    if left == 0 or not (isinstance(wrong, DBAPIError) and is_write_conflict(wrong)):
                        _fail(part, wrong)
                        break
                else:
                    self._answer(part, transaction.updates)
                    break

    def _answer(self, batch: Sequence[PendingCommand], updates: Sequence[TableUpdate]) -> None:
        for watcher in self.watchers if updates else ():
            try:
                watcher(updates)
            except Exception:
                _log.exception("a watcher's callback failed")
        for pending in batch:
            if pending.outcome is not None:
                pending.answer(pending.outcome)

    # --- looking --------------------------------------------------------------------------------------------------

    def live(self, table: str) -> LiveTable:
        """A table as it stands in the database."""
        with self.book.look() as clerk:
            found = read_table(self.context, clerk.unit.connection, table_chain(table))
        if found is None:
            raise Refused(BookRefusal.TABLE_UNKNOWN.value, {"table": table})
        known = self.cache.lives.get(table_chain(table))
        if known is None or known.version < found.version:  # read from what is committed: nobody replays it again
            self.cache.lives[table_chain(table)] = found
        return found


def _parts(batch: Sequence[PendingCommand]) -> list[list[PendingCommand]]:
    """What goes together, in the order in which it came: the daily close holds every chain, so it goes alone, like all
    that is pending of the house. What cannot be kept at all is answered at once."""
    parts: list[list[PendingCommand]] = [[]]
    for pending in batch:
        if not pending.id.isprintable():
            pending.answer(refusal(ServiceRefused(ServiceRefusal.BAD_COMMAND_ID, id=pending.id)))
        elif NUL in pending.text:
            pending.answer(refusal(ServiceRefused(ServiceRefusal.BAD_TEXT)))
        elif pending.stream == HOUSE:
            parts += [[pending], []]
        else:
            parts[-1].append(pending)
    return [part for part in parts if part]


def _is_of_the_store(wrong: Exception) -> bool:
    """Whether the store is the trouble, or another writer, and no command of a batch more than the others."""
    if isinstance(wrong, IntegrityError | DataError):
        return False
    return isinstance(wrong, SQLAlchemyError)


def _fail(batch: Sequence[PendingCommand], wrong: Exception) -> None:
    if not isinstance(wrong, SQLAlchemyError):
        _log.error("%d commands could not be carried out", len(batch), exc_info=wrong)
        for pending in batch:
            pending.answer(wrong)
        return
    cause = wrong.orig if isinstance(wrong, DBAPIError) else wrong
    said = (str(cause).strip() or type(cause).__name__).splitlines()[0]
    for pending in batch:
        pending.answer(
            StoreFailed(f"the book could not be written ({said}): nothing was acknowledged; ask again, same id")
        )
