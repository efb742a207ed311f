"""What is asked of the desk and what it answers; what a process remembers between two transactions."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from upcard import formats
from upcard.catalog.index import Catalog
from upcard.codes import Coded
from upcard.ledger import outcome
from upcard.ledger.batch_unit import Memory
from upcard.ledger.journal import HOUSE, table_chain
from upcard.ledger.keyring import Keyring
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.wire_models import EventSent
from upcard.units import Cents

Entropy = Callable[[int], bytes]

LONGEST = 150  # characters of an id: a person's name, a colon, and the 64 that a client may choose
NUL = "\\u0000"  # in JSON; no PostgreSQL keeps it in a text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command did; the same however often it is asked."""

    id: str
    stream: str
    number: int
    events: Sequence[EventSent]
    told: Mapping[str, outcome.Answer]  # by chain of the book
    repeated: bool = field(default=False, compare=False)


@dataclass(slots=True)
class PendingCommand:
    """A command that waits for its answer."""

    command: s.Command
    id: str
    actor: str
    role: str
    future: "Future[Answer]" = field(default_factory=Future)
    outcome: Answer | Exception | None = None  # until the commit
    text: str = field(init=False)  # the command as it is kept
    stream: str = field(init=False)  # where it belongs

    def __post_init__(self) -> None:
        """Written out by whoever asks, not by the one thread that writes."""
        self.text, self.stream = s.command_json(self.command), stream_of(self.command)

    def answer(self, outcome: Answer | Exception) -> None:
        """Answers, unless whoever asked has gone."""
        if not self.future.set_running_or_notify_cancel():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


def stream_of(command: s.Command) -> str:
    """The stream that a command belongs to: its table's, or the house's."""
    return HOUSE if isinstance(command, s.House | s.OpenJackpot) else table_chain(command.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUpdate:
    """A table after a record, for those who watch."""

    live: LiveTable
    events: Sequence[EventSent]
    bankrolls: dict[str, Cents] = field(default_factory=dict)  # of those whose money moved


@dataclass
class Cache:
    """What one process remembers of the database: always checked against the rows it holds."""

    memory: Memory = field(default_factory=Memory)
    lives: dict[str, LiveTable] = field(default_factory=dict)
    keys: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # table -> its last shoe that we know of
    stopped: dict[str, tuple[int, Coded]] = field(default_factory=dict)  # stream -> at which version, and why
    refused_rules: dict[str, str] = field(default_factory=dict)  # stream -> the rules of its files that it cannot take

    def forget(self, streams: Iterable[str]) -> None:
        """After a failure nothing is taken for granted."""
        self.memory = Memory()
        for stream in streams:
            self.lives.pop(stream, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a transaction works with."""

    catalog: Catalog
    keyring: Keyring
    entropy: Entropy
    cache: Cache
    started: str  # when this process read the files
    process: str = field(default_factory=lambda: secrets.token_hex(8))  # as other processes know it


def answer_of(row: Mapping[str, Any]) -> Answer:
    """What a command was answered before."""
    return Answer(
        id=row["id"],
        stream=row["stream"],
        number=row["number"],
        events=formats.read("events", row["events"], row["format"]),
        told=formats.read("record answer", row["answer"], row["format"]),
        repeated=True,
    )
