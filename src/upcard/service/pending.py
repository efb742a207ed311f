"""Commands on their way through the desk, their answers, and what a process caches between transactions."""

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
from upcard.ledger.journal import FLOOR, HOUSE, table_chain
from upcard.ledger.keyring import Keyring
from upcard.ledger.unit import Unit
from upcard.service import commands as s
from upcard.service.house_catalog import HouseCatalog
from upcard.service.live_table import LiveTable
from upcard.service.refusal_budget import RefusalBudget
from upcard.service.wire_models import EventSent
from upcard.units import Cents

Entropy = Callable[[int], bytes]
Consent = Callable[[Unit], Callable[[], None]]  # raises PeopleRefused; what it returns writes the log of people

LONGEST = 150  # characters of an id: a person's name, a colon, and the 64 that a client may choose
LONGEST_TEXT = 400  # characters of a text in a command; records written before this limit are read as they are
NUL = "\\u0000"  # as JSON escapes it; PostgreSQL cannot store it


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command did; the same however often it is sent."""

    id: str
    stream: str
    number: int
    events: Sequence[EventSent]
    told: Mapping[str, outcome.Answer]  # by chain of the ledger
    repeated: bool = field(default=False, compare=False)


@dataclass(slots=True)
class PendingCommand:
    """A command that waits for its answer."""

    command: s.Command
    id: str
    actor: str
    role: str
    consent: Consent | None = None  # a second person's approval, used up in the command's own transaction
    future: "Future[Answer]" = field(default_factory=Future)
    outcome: Answer | Exception | None = None  # until the commit
    text: str = field(init=False)  # the command as it is stored
    stream: str = field(init=False)  # the stream it belongs to

    def __post_init__(self) -> None:
        """Serializes in the caller's thread, not in the one that writes."""
        self.text, self.stream = s.command_json(self.command), stream_of(self.command)

    def answer(self, outcome: Answer | Exception) -> None:
        """Sets the future, unless the caller cancelled it."""
        if not self.future.set_running_or_notify_cancel():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


def longest_text(value: object) -> int:
    """How many characters the longest text in a JSON value has, names of fields included."""
    match value:
        case str():
            return len(value)
        case list():
            return max(map(longest_text, value), default=0)
        case dict():
            return max((max(len(name), longest_text(item)) for name, item in value.items()), default=0)
        case _:
            return 0


def stream_of(command: s.Command) -> str:
    """The stream that a command belongs to: its table's, the house's, or the floor's log."""
    if isinstance(command, s.FloorLogCommand):
        return FLOOR
    return HOUSE if isinstance(command, s.House | s.OpenJackpot) else table_chain(command.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUpdate:
    """A table after a record, for its watchers."""

    live: LiveTable
    events: Sequence[EventSent]
    bankrolls: dict[str, Cents] = field(default_factory=dict)  # of players whose money may have moved


@dataclass
class Cache:
    """What a process caches from the database; always checked against the locked rows."""

    memory: Memory = field(default_factory=Memory)
    lives: dict[str, LiveTable] = field(default_factory=dict)
    keys: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # by table: its last known shoe
    stopped: dict[str, tuple[int, Coded]] = field(default_factory=dict)  # by stream: at which version, and why
    refused_rules: dict[str, str] = field(default_factory=dict)  # by stream: the hash of new rules that it cannot take

    def forget(self, streams: Iterable[str]) -> None:
        """After a failure, drops what may be wrong."""
        self.memory = Memory()
        for stream in streams:
            self.lives.pop(stream, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    catalogs: HouseCatalog
    keyring: Keyring
    entropy: Entropy
    cache: Cache
    started: str  # when this process read the files
    known_players_only: bool = False  # whether chips go only to players whom the house knows, as in a served house
    refusal_budget: RefusalBudget = field(default_factory=RefusalBudget)
    process: str = field(default_factory=lambda: secrets.token_hex(8))  # its id in notices to other processes

    @property
    def catalog(self) -> Catalog:
        """The catalog as this process last loaded it; a transaction asks the book which revision is in force."""
        return self.catalogs.current.catalog


def answer_of(row: Mapping[str, Any]) -> Answer:
    """The answer of a stored command."""
    return Answer(
        id=row["id"],
        stream=row["stream"],
        number=row["number"],
        events=formats.read("events", row["events"], row["format"]),
        told=formats.read("record answer", row["answer"], row["format"]),
        repeated=True,
    )
