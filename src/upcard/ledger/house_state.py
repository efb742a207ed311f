"""What the house's own chain remembers."""

from datetime import date

from upcard.ledger.gaming_day import Hours
from upcard.ledger.record import Record


class HouseState(Record):
    """The hours that the house has set, the last day it closed, and the revision of its catalog."""

    hours: tuple[Hours, ...] = ()
    closed: date | None = None  # every gaming day up to this one
    revision: int = 0  # of its catalog; 0: nothing was published yet
    content: str = ""  # the hash of that revision's files
