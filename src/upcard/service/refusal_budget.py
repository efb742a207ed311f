"""How many refusals of one person are kept as rows. Beyond that they are counted, and the counts are stored.

A kept refusal has a row with its id, so that a command sent again gets the same refusal. A counted one has not: sent
again, it is decided anew. A minute after the first that is only counted, one row says how many there were, by code.
"""

import itertools
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from upcard.ledger.journal import canonical, instant_text
from upcard.service.new_rows import NewRow
from upcard.service.refusals import ServiceRefusal

COUNTED = "refusals:"  # the ids of rows with counts begin like this
COUNT_SECONDS = 60.0  # from the first refusal that is only counted to the row with the count
_MOST_PEOPLE = 10_000  # whose budgets are remembered


@dataclass
class RefusalCount:
    """Refusals of one person at one stream that have no rows of their own."""

    chain: str
    first: NewRow
    began: float  # on the monotonic clock
    codes: Counter[str] = field(default_factory=Counter)


class RefusalBudget:
    """The budgets of everybody, and the counts of those who are beyond theirs. Used by one thread."""

    def __init__(self, per_minute: int | None = None) -> None:
        self.per_minute = per_minute  # None: every refusal is kept
        self._left: dict[str, tuple[float, datetime]] = {}  # by person
        self._counts: dict[tuple[str, str], RefusalCount] = {}  # by person and chain
        self._ids = (f"{COUNTED}{secrets.token_hex(8)}:{number}" for number in itertools.count(1))

    def keep(self, rows: Sequence[NewRow], now: datetime) -> tuple[list[NewRow], list[NewRow]]:
        """The rows to keep, and those to count only."""
        if self.per_minute is None:
            return list(rows), []
        kept: list[NewRow] = []
        beyond: list[NewRow] = []
        for row in rows:
            (kept if self._take(str(row["actor"]), now, self.per_minute) else beyond).append(row)
        return kept, beyond

    def _take(self, actor: str, now: datetime, most: int) -> bool:
        left, at = self._left.pop(actor, (float(most), now))
        left = min(float(most), left + max(0.0, (now - at).total_seconds()) * most / 60)
        self._left[actor] = (max(0.0, left - 1), now) if left >= 1 else (left, now)
        if len(self._left) > _MOST_PEOPLE:
            del self._left[next(iter(self._left))]
        return left >= 1

    def count(self, rows: Sequence[NewRow]) -> None:
        """Counts refusals, which name their chain, once their answers are certain."""
        for row in rows:
            self._add(RefusalCount(str(row["chain"]), row, time.monotonic(), Counter([str(row["code"])])))

    def _add(self, more: RefusalCount) -> None:
        there = self._counts.setdefault((str(more.first["actor"]), more.chain), more)
        if there is not more:
            there.codes.update(more.codes)

    def seconds_left(self) -> float | None:
        """Until the first count must be stored; None: there is none."""
        if not self._counts:
            return None
        return max(0.0, min(count.began for count in self._counts.values()) + COUNT_SECONDS - time.monotonic())

    def take_due(self, *, everything: bool = False) -> list[RefusalCount]:
        """Removes the counts that must be stored now."""
        latest = time.monotonic() - COUNT_SECONDS
        due = [key for key, count in self._counts.items() if everything or count.began <= latest]
        return [self._counts.pop(key) for key in due]

    def put_back(self, counts: Sequence[RefusalCount]) -> None:
        """After they could not be stored: tried again in a minute."""
        for count in counts:
            count.began = time.monotonic()
            self._add(count)

    def row_of(self, count: RefusalCount, now: datetime) -> NewRow:
        """A row with a count; its command is the first that was counted."""
        names = ("stream", "format", "actor", "role", "command")
        row: NewRow = {name: count.first[name] for name in names}
        codes = {code: count.codes[code] for code in sorted(count.codes)}
        details = {"count": count.codes.total(), "codes": codes, "since": count.first["at"]}
        row |= {"id": next(self._ids), "at": instant_text(now), "code": ServiceRefusal.MORE_REFUSALS.value}
        return row | {"details": canonical(details)}
