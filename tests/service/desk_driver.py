"""Drives a desk in tests, with a clock that tests move and ids that are numbered."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from service.crash_simulation import EIGHTEEN_UTC
from service.random_commands import opening
from support.empty_books import NewAddress

from upcard.catalog import shipped
from upcard.ledger.check import check
from upcard.ledger.keyring import Keyring
from upcard.ledger.store import Store
from upcard.service import commands as s
from upcard.service.desk import Desk
from upcard.service.pending import Answer
from upcard.service.queries import Queries
from upcard.service.refusals import Refused

KEY = bytes(range(32))


class DeskDriver:
    """A service in use."""

    def __init__(
        self,
        address: str,
        *,
        key: bytes = KEY,
        now: datetime = EIGHTEEN_UTC,
        refusals_per_minute: int | None = None,
    ) -> None:
        self.address, self.now = address, now
        self.store = Store.open(address, Keyring([key]))
        self.desk = Desk(
            self.store,
            shipped(),
            clock=lambda: self.now,
            entropy=lambda size: b"7" * size,
            refusals_per_minute=refusals_per_minute,
        )
        self.queries = Queries(self.desk.book)
        self.count = 0

    def open(self, **tables: str) -> None:
        for submission in opening(tables, s.Pace()):
            self.desk.do(submission.command, id=submission.id, actor=submission.actor)

    def do(self, command: s.Command, *, id: str | None = None, actor: str = "Dana", role: str = "floor") -> Answer:  # noqa: A002 - the word for it
        self.count += 1
        return self.desk.do(command, id=id or f"p{self.count}", actor=actor, role=role)

    def sit(self, table: str, player: str, spot: int) -> None:
        self.do(s.BuyIn(table=table, player=player, amount=500_00))
        self.do(s.Seat(table=table, player=player, spot=spot))

    def later(self, **by: float) -> None:
        self.now += timedelta(**by)

    def refusal(self, command: s.Command, **words: Any) -> Refused:
        with pytest.raises(Refused) as refused:
            self.do(command, **words)
        return refused.value

    def check(self) -> None:
        with self.store.view() as unit:
            report = check(unit)
        assert report.sound, report.findings


@pytest.fixture
def desk_driver(new_address: NewAddress) -> Iterator[DeskDriver]:
    """A service on an empty book, on both databases."""
    driver = DeskDriver(new_address())
    yield driver
    driver.store.close()
