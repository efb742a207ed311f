"""What `upcard doctor` is given, and what each of its checks answers."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path

from upcard.catalog.index import Catalog
from upcard.ledger.journal import Clock, utc_now
from upcard.ledger.store import Store, is_server


class Status(Enum):
    OK = "OK"
    WARN = "WARN"
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check."""

    mark: Status
    what: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    address: str
    store: Store
    catalog: Catalog
    key: Path | None  # where the operator's key file should be
    checkpoints: Path | None = None  # where the service writes checkpoints; by default beside the key
    clock: Clock = utc_now

    @property
    def now(self) -> datetime:
        return self.clock()

    @property
    def file(self) -> Path | None:
        """The book's file; None for a database server."""
        return None if is_server(self.address) else Path(self.address)
