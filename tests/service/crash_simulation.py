"""Simulates a service from a seed (clock, entropy, commands, people), and crashes it anywhere in any step.

A step is a batch of commands, the timers that are due, or something that a person does. Of one step many crashes are
made: disks on which only a part of the log or of a checkpoint arrived. Each must read as the book before the step or
after it; then the service recovers from one of them, and the invariants are checked.
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
from service.crash_images import CrashImage, Disk, contents, crash_images, full_disk, is_intact
from service.crash_people import CrashPeople
from service.crashing_store import CrashingStore
from service.random_commands import RandomCommands, Submission, opening

from upcard.catalog import shipped
from upcard.ledger import schema as book
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.journal import table_chain
from upcard.ledger.keyring import Keyring
from upcard.service import commands as s
from upcard.service import schema
from upcard.service.desk import Desk
from upcard.service.pending import Answer, PendingCommand, answer_of
from upcard.service.queries import Queries
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.timers import fire_due
from upcard.service.whole_book_check import check_everything

IMAGES = 24  # of each step that is crashed in
EIGHTEEN_UTC = datetime(2026, 3, 2, 18, tzinfo=UTC)
_COUNTED = (book.entries, book.transfers, book.movements, schema.history, schema.refusals, schema.rounds)
OF_REFUSALS = (schema.refusals.name, "refusal heads")
_SAME = (schema.shoes, book.balances, book.chains)


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
        self.budget = 1 if seed % 3 == 0 else None  # in some lives nearly every refusal is only counted
        self.image: CrashImage | None = None  # the last one
        self.scratch = folder / "image.db"
        self.answers: dict[str, tuple[Submission, Answer | Refused]] = {}  # what was acknowledged
        self.before: dict[str, Any] = {}
        self._start()
        self.people = CrashPeople(self.crashing.store, self.now, seed)
        self.now = self.people.house.at
        for submission in opening(tables, s.Pace(away=40, sitting_out=90)):
            self._send([submission])
        self._look()

    @contextmanager
    def naming_seed(self) -> Iterator[None]:
        """A failure names the seed that repeats it."""
        try:
            yield
        except BaseException as error:
            how = self.image.how if self.image else ""
            error.add_note(f"seed {self.seed}, after {self.crashes} crashes, {self.crashing.point=}, {how}")
            raise

    def _start(self) -> None:
        self.desk = Desk(
            self.crashing.store,
            shipped(),
            clock=lambda: self.now,
            entropy=self.chance.randbytes,
            refusals_per_minute=self.budget,
        )
        self.queries = Queries(self.desk.book)

    # --- living ---------------------------------------------------------------------------------------------------

    def live(self, crashes: int) -> None:
        """Lives until it has come through so many crashes and failures of its disk."""
        while self.crashes < crashes:
            for _ in range(self.chance.randint(0, 4)):  # most of the time nothing happens
                self._next_step()[0]()
            self._look()
            step, batch = self._next_step()
            if self.chance.random() < 0.3:
                self._fail_in(step, batch)
            else:
                self._crash_in(step, batch)

    def _next_step(self) -> tuple[Callable[[], None], Sequence[Submission] | None]:
        self.now += timedelta(seconds=self.chance.choice((0, 0, 1, 3, 3, 8, 25, 60)))
        if self.chance.random() < 0.3:
            self.now, step = self.people.next_step(self.now)
            return step, None
        if self.chance.random() < 0.15:
            return self._fire, None
        if self.budget is not None and self.chance.random() < 0.1:
            return lambda: self.desk.store_refusal_counts(everything=True), None
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

    # --- the disk fails -------------------------------------------------------------------------------------------

    def _fail_in(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        """The disk fails at a read, at a write, or is full: nothing may be left of what was not committed. Then the
        step succeeds."""
        for fail in self.chance.sample((self._fail_reading, self._fail_writing, self._fill_disk), 2):
            fail(step, batch)
            self.crashes += 1
        self.crashing.arm(0)
        step()
        self._look(batch, committed=None)

    def _fail_reading(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        self.crashing.arm(0)
        self.crashing.fail_reading(self.chance.randint(1, 6))
        self._try(step)
        failed, self.crashing.failing_read = self.crashing.triggered, 0
        self._look(batch, committed=False if failed and batch is not None else None)

    def _fail_writing(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        self.crashing.arm(self.chance.randint(1, 14))
        self._try(step)
        committed = self.crashing.committed
        self.crashing.arm(0)
        self._look(batch, committed=None if batch is None else committed)

    def _fill_disk(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        self.crashing.arm(0)
        with full_disk(self.crashing.path, self.chance.randint(0, 40_000)):
            self.crashing.triggered = True  # any write may fail
            self._try(step)
        self.crashing.arm(0)
        self._look(batch)

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except (StoreFailed, sa.exc.DBAPIError):
            assert self.crashing.triggered, "the store did not fail"

    # --- the process dies -----------------------------------------------------------------------------------------

    def _crash_in(self, step: Callable[[], None], batch: Sequence[Submission] | None) -> None:
        """Whatever a crash in this step leaves of the files reads as the book before it or after it, row by row. Now
        and then life goes on from there, and the step is tried again."""
        path, commits = self.crashing.path, self.crashing.commits
        before, was = Disk.of(path), contents(path)
        answers, told = dict(self.answers), self.people.saved()
        step()
        after, became, commits = Disk.of(path), contents(path), self.crashing.commits - commits
        if commits != 1:  # what lies between two transactions is not known
            self._look(batch)
            return
        outcomes: list[tuple[CrashImage, str]] = []
        for image in crash_images(before, after, self.chance, IMAGES):
            self.crashes, self.image = self.crashes + 1, image
            found = contents(image.disk.write(self.scratch))
            assert found == became or (found == was and not image.committed), f"another book: {image.how}"
            outcomes.append((image, found))
        assert is_intact(self.scratch)
        if self.chance.random() < 0.5:
            self._look(batch, committed=None if batch is None else True)
            return
        image, found = self.chance.choice(outcomes)
        if found != became:  # nobody was told anything yet
            self.answers, self.people.told = answers, told
        self.crashing.reopen(image.disk)
        self._start()
        self._look()
        step()
        self._look(batch)

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
        elif not isinstance(submission.command, s.Timeout) and not self._is_only_counted(submission.id, answer):
            self.answers[submission.id] = (submission, answer)  # a timer's refusal is not kept

    def _is_only_counted(self, name: str, answer: Answer | Refused) -> bool:
        """Whether a refusal was beyond its person's budget, and has no row."""
        if self.budget is None or not isinstance(answer, Refused):
            return False
        failing, self.crashing.failing_read = self.crashing.failing_read, 0  # the test reads, not the service
        with self.crashing.store.view() as unit:
            counted = self._row(unit.connection, name) is None
        self.crashing.failing_read = failing
        return counted

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
                if committed and not isinstance(submission.command, s.Timeout) and self.budget is None:
                    assert row is not None, f"{submission.id} is missing: a batch is kept whole"
            if committed and batch and all(self._refused(submission) for submission in batch):
                rest = {name: value for name, value in now.items() if name not in OF_REFUSALS}
                assert all(self.before[name] == value for name, value in rest.items()), (
                    "a refusal left more than its row"
                )
            debited, credited = now["sums"]
            assert debited == credited, "cents were lost or made"
        self.before = now
        self.people.check()
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
        self.desk.store_refusal_counts(everything=True)
        with self.crashing.store.view() as unit:
            report = check_everything(unit, self.crashing.store.keyring)
            assert (report.findings, report.notes) == ((), ()), report.findings
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
    streams, heads = schema.streams.c, (schema.streams.c.refusals, schema.streams.c.refusals_hash)
    others = (column for column in streams if not column.name.startswith("refusals"))
    state["streams"] = sorted(map(tuple, connection.execute(sa.select(*others))), key=repr)
    state["refusal heads"] = sorted(map(tuple, connection.execute(sa.select(streams.stream, *heads))))
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
