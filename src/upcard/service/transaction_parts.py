"""Values of a transaction: the content of a new record, and the state before a command."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from upcard.catalog.ruleset import Ruleset
from upcard.ledger.batch_unit import BookSavepoint
from upcard.ledger.outcome import Answer as BookAnswer
from upcard.service.wire_models import EventSent


class RecordContent(NamedTuple):
    """A record's content besides its command."""

    at: str
    day: date
    events: Sequence[EventSent]
    answers: Mapping[str, BookAnswer]
    rules: Ruleset | None


class Savepoint(NamedTuple):
    """The state before a command, to roll back to."""

    rows: list[int]
    updates: int
    keys: int
    stream: dict[str, Any]
    book: BookSavepoint
