"""Simulates a service from a seed (clock, entropy, commands), and crashes it at every write of every step.

A step is a batch of commands, or the timers that are due. It is tried with a crash at its first write, then at its
second, and so on, also just before and just after the commit, until it succeeds. After each crash the service recovers,
and the invariants are checked.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from service.auditor import Auditor
from service.crashing_store import CrashingStore, Failure, ProcessStopped
from service.random_commands import RandomCommands, Submission, opening

from upcard.catalog import shipped
from upcard.ledger import schema as book
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.check import check
from upcard.ledger.journal import table_chain
from upcard.ledger.keyring import Keyring
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.desk import Desk
from upcard.service.pending import Answer, PendingCommand, answer_of
from upcard.service.queries import Queries
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.timers import fire_due

EIGHTEEN_UTC = datetime(2026, 3, 2, 18, tzinfo=UTC)
_COUNTED = (book.entries, book.transfers, book.movements, schema.history, schema.refusals, schema.rounds)
_SAME = (schema.streams, schema.shoes, book.balances, book.chains)


class CrashSimulation:
    """A service from its opening to its last crash."""

    def __init__(self, seed: int, tables: dict[str, str], empty: Path, folder: Path) -> None:
        self.seed, self.tables = seed, sorted(tables)
        self.chance = random.Random(f"life {seed}")
        self.random_commands = RandomCommands(seed)
        keyring = Keyring([self.chance.randbytes(32)])
        self.crashing = CrashingStore(empty, folder, keyring)
        self.auditor = Auditor(keyring)
        self.now = EIGHTEEN_UTC
        self.crashes = 0
        self.answers: dict[str, tuple[Submission, Answer | Refused]] = {}  # what was acknowledged
        self.before: dict[str, Any] = {}
        self._start()
        for submission in opening(tables, s.Pace(away=40, sitting_out=90)):
            self._send([submission])
        self._look()

    @contextmanager
    def naming_seed(self) -> Iterator[None]:
        """A failure names the seed that repeats it."""
        try:
            yield
        except BaseException as error:
            error.add_note(
                f"seed {self.seed}, after {self.crashes} crashes, {self.crashing.point=}, {self.crashing.failure}"
            )
            raise

    def _start(self) -> None:
        self.desk = Desk(self.crashing.store, shipped(), clock=lambda: self.now, entropy=self.chance.randbytes)
        self.queries = Queries(self.desk.book)

    # --- living ---------------------------------------------------------------------------------------------------

    def live(self, crashes: int) -> None:
        """Lives until it has come through so many crashes."""
        while self.crashes < crashes:
            for _ in range(self.chance.randint(0, 5)):  # most of the time nothing happens
                self._next_step()[0]()
            self._look()
            self._survive(*self._next_step())

    def _next_step(self) -> tuple[Callable[[], None], Sequence[Submission] | None]:
        self.now += timedelta(seconds=self.chance.choice((0, 0, 1, 3, 3, 8, 25, 60)))
        if self.chance.random() < 0.15:
            return self._fire, None
        batch = self._batch()
        return lambda: self._send(batch), batch

    def _batch(self) -> list[Submission]:
        if self.chance.random() < 0.05:
            return [self.random_commands.house(self.desk.live(self.chance.choice(self.tables)))]
        lives = [self.desk.live(self.chance.choice(self.tables)) for _ in range(self.chance.choice((1, 1, 2, 2, 5)))]
        batch = [self.random_commands.next_command(live) for live in lives]
        if self.answers and self.chance.random() < 0.15:  # somebody asks again what was answered long ago
            batch.append(self.chance.choice(list(self.answers.values()))[0])
        if self.chance.random() < 0.1:  # or twice at the same time
            batch.append(batch[0])
        return [submission for submission in batch if not isinstance(submission.command, s.House) or len(batch) == 1]

    def _survive(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        """Tries a step with a crash at each of its writes, until there is none left to crash at."""
        if self.chance.random() < 0.2:
            self._unread(step, batch)
        point = 0
        while True:
            point += 1
            failure = self.chance.choice(list(Failure))
            self.crashing.arm(point, failure)
            try:
                step()
            except ProcessStopped:
                self.crashing.reopen()
                self._start()
            except StoreFailed:
                assert self.crashing.triggered
            crashed, committed = self.crashing.triggered, self.crashing.committed
            self.crashing.arm(0, Failure.FAIL)
            self._look(batch, committed=None if batch is None else committed)
            if not crashed:
                return
            self.crashes += 1

    def _unread(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        """A question to the disk is not answered: nothing may change, and nothing be taken for granted."""
        self.crashing.arm(0, Failure.FAIL)
        self.crashing.fail_reading(self.chance.randint(1, 6))
        try:
            step()
        except StoreFailed:
            pass
        except sa.exc.OperationalError:
            assert batch is None  # the clock looks before it asks, and tries again
        failed, self.crashing.failing_read = self.crashing.triggered, 0
        if failed and batch is not None:
            self._look(batch, committed=False)
        else:
            self._look()

    def _fire(self) -> None:
        fire_due(self.desk, self.queries)

    def _send(self, batch: Sequence[Submission]) -> None:
        pending = [
            PendingCommand(submission.command, submission.id, submission.actor, submission.role) for submission in batch
        ]
        try:
            self.desk.carry_out(pending)
        finally:
            for submission, command in zip(batch, pending, strict=True):
                if command.future.done():
                    self._answered(submission, command)

    def _answered(self, submission: Submission, pending: PendingCommand) -> None:
        error = pending.future.exception()
        if isinstance(error, StoreFailed):
            assert self.crashing.triggered, "the store did not fail"
            return
        if error is not None and not isinstance(error, Refused):
            raise error
        answer = error if isinstance(error, Refused) else pending.future.result()
        if submission.id in self.answers:
            assert answer.repeated, f"{submission.id} was done twice"
            assert _same(answer, self.answers[submission.id][1]), (
                f"{submission} was answered {answer!r} after {self.answers[submission.id][1]!r}"
            )
        elif not isinstance(submission.command, s.Timeout):  # a timer's refusal is not kept
            self.answers[submission.id] = (submission, answer)

    # --- the laws -------------------------------------------------------------------------------------------------

    def _row(self, connection: sa.Connection, name: str) -> Any:
        for table in (schema.history, schema.refusals):
            row = connection.execute(sa.select(table).where(table.c.id == name)).first()
            if row is not None:
                return row
        return None

    def _look(self, batch: Sequence[Submission] | None = None, *, committed: bool | None = None) -> None:
        """After every step and every crash."""
        with self.crashing.store.view() as unit:
            connection = unit.connection
            self.auditor.follow(connection)
            now = _state(connection)
            if committed is False:
                assert now == self.before, "something is left of what was not committed"
            for submission in batch or ():
                row = self._row(connection, submission.id)
                if submission.id in self.answers:
                    assert row is not None, f"{submission.id} was acknowledged, and is lost"
                    assert _tells(row, self.answers[submission.id][1]), f"{submission.id} was acknowledged otherwise"
                if committed and not isinstance(submission.command, s.Timeout):
                    assert row is not None, f"{submission.id} is missing: a batch is kept whole"
            if committed and batch and all(self._refused(submission) for submission in batch):
                refused = schema.refusals.name
                assert {**now, refused: 0} == {**self.before, refused: 0}, "a refusal left more than its row"
            debited, credited = now["sums"]
            assert debited == credited, "cents were lost or made"
        self.before = now
        for table in {
            submission.command.table for submission in batch or () if isinstance(submission.command, s.TableCommand)
        }:
            if table in self.tables:
                assert self.desk.live(table) == self.auditor.lives[table_chain(table)], f"{table} is not its records"

    def _refused(self, submission: Submission) -> bool:
        answered = self.answers.get(submission.id)
        return answered is not None and isinstance(answered[1], Refused)

    def end(self) -> None:
        """Once, at the end: the whole book, all that was ever acknowledged, and what everybody owns."""
        with self.crashing.store.view() as unit:
            report = check(unit)
            assert report.sound, report.findings
            for name, (_, answer) in self.answers.items():
                row = self._row(unit.connection, name)
                assert row is not None, f"{name} was acknowledged, and is lost"
                assert _tells(row, answer), f"{name} was acknowledged otherwise"
            rounds = unit.connection.execute(sa.select(schema.rounds.c.table_name, schema.rounds.c.round)).all()
            assert {(table_chain(name), number) for name, number in rounds} == set(self.auditor.over)
            shoes, played = schema.shoes.c, schema.player_rounds.c
            over = unit.connection.execute(sa.select(shoes.table_name, shoes.number, shoes.key).where(shoes.key > ""))
            assert {(name, number): key for name, number, key in over} == self.auditor.revealed_keys, (
                "other keys were told"
            )
            won = sa.select(played.player, sa.func.sum(played.returned - played.staked)).group_by(played.player)
            assert dict(map(tuple, unit.connection.execute(won))) == dict(self.auditor.played), (
                "other rounds were played"
            )
            for player, amount in self.auditor.owned.items():
                balance = unit.balance(Account(Kind.PLAYER, player))
                assert balance.own(Kind.PLAYER.side) == amount, f"{player} should own {amount}"
        self.crashing.store.close()


def _state(connection: sa.Connection) -> dict[str, Any]:
    """Everything that a command can change, told shortly."""
    state: dict[str, Any] = {
        table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() for table in _COUNTED
    }
    state |= {table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr) for table in _SAME}
    sides = [sa.func.sum(column) for column in (book.balances.c.debits, book.balances.c.credits)]
    state["sums"] = tuple(connection.execute(sa.select(*sides)).one())
    return state


def _same(first: Answer | Refused, other: Answer | Refused) -> bool:
    if isinstance(first, Refused) or isinstance(other, Refused):
        return isinstance(first, Refused) and isinstance(other, Refused) and str(first) == str(other)
    return first == other


def _tells(row: Any, answer: Answer | Refused) -> bool:
    if isinstance(answer, Refused):
        return "code" in row._fields and (row.code, json.loads(row.details)) == (answer.reason, dict(answer.details))
    return "answer" in row._fields and answer_of(row._asdict()) == answer
