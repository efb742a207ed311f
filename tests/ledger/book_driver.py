"""Drives a book in tests: opens tables and jackpots, plays hands, moves the clock, and numbers the requests."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import TypeVar

from ledger.book_requests import do, do_in_transaction, unit_of

from upcard import codes
from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.accounts import Account
from upcard.ledger.book import Book, Clerk, Reader, Receipt
from upcard.ledger.check import Report, check
from upcard.ledger.gaming_day import Hours
from upcard.ledger.house_state import HouseState
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.opening_requests import jackpot_opening, table_opening
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefused
from upcard.ledger.requests import (
    AddTable,
    BuyIn,
    ClaimLine,
    Fill,
    LinkTable,
    LockRound,
    PlaceStakes,
    ReturnStakes,
    SetHours,
    SettleRound,
    SlipLine,
    VoidReason,
)
from upcard.ledger.table_state import TableState

T = TypeVar("T")

MORNING = datetime(2026, 3, 2, 18, tzinfo=UTC)

open_table = cache(lambda table, layout: table_opening(ruleset_of(shipped(), layout), table))
open_jackpot = cache(lambda jackpot, layout, wager: jackpot_opening(ruleset_of(shipped(), layout), jackpot, wager))


def misdeal(table: str, number: int, note: str = "a card fell on the floor") -> ReturnStakes:
    return ReturnStakes(table=table, round=number, reason=VoidReason(code="floor", note=note))


def check_refusal(refused: BookRefused) -> None:
    """A refusal is JSON with every parameter of its sentence."""
    assert json.loads(json.dumps(refused.coded)) == refused.coded
    nested = [value for value in refused.details.values() if isinstance(value, dict)]
    for coded in (refused.coded, *nested):
        assert codes.parameters(coded["code"]) <= coded.keys()
    assert "?" not in str(refused)


class BookDriver:
    def __init__(self, book: Book, *, clerk: Clerk | None = None, zone: str = "America/Los_Angeles") -> None:
        self.book, self.clerk = book, clerk
        self.at = MORNING
        self.count = 0
        self.done: list[tuple[Record, str]] = []
        self.keeps_in_memory = False  # if not, each request is flushed, so that raw rows can be read
        self.do(SetHours(hours=Hours(since=date(2026, 3, 1), zone=zone, start=6)))

    def do(self, request: Record, *, actor: str = "Dana", id: str | None = None) -> Receipt:  # noqa: A002 - the word for it
        self.count += 1
        name = id or f"c{self.count}"
        if self.clerk is None:
            receipt = do(self.book, request, id=name, at=self.at, actor=actor)
        else:
            receipt = do_in_transaction(self.clerk, request, id=name, at=self.at, actor=actor)
            if not self.keeps_in_memory:
                unit_of(self.clerk).flush()
        self.done.append((request, name))
        return receipt

    def later(self, **by: int) -> None:
        self.at += timedelta(**by)

    def table(self, name: str, layout: str, **links: str) -> None:
        """A table with money in its tray, its wagers linked: `LL="Lucky Ladies Jackpot"`."""
        opening: AddTable = open_table(name, layout)
        self.do(opening)
        self.do(Fill(table=name, amount=500_000))
        for jackpot, wager in links.items():
            self.do(LinkTable(table=name, wager=wager, jackpot=jackpot))

    def jackpot(self, name: str, layout: str, wager: str) -> None:
        opening: j.AddJackpot = open_jackpot(name, layout, wager)
        self.do(opening)

    def hand(
        self,
        table: str,
        stakes: Mapping[str, int],
        wager: str,
        claims: Mapping[str, tuple[str, str, str]] | None = None,
    ) -> Receipt:
        """One hand of a side wager: who stakes how much, and who claims (meter, share, event)."""
        number = self.deal(table, stakes, wager)
        return self.settle(table, number, stakes, wager, claims or {})

    def deal(self, table: str, stakes: Mapping[str, int], wager: str) -> int:
        number = self.state_of_table(table).rounds + 1
        for spot, (player, amount) in enumerate(stakes.items(), 1):
            self.do(BuyIn(table=table, player=player, amount=amount))
            bet = ((wager, amount),)
            self.do(PlaceStakes(table=table, round=number, spot=spot, player=player, stakes=bet))
        self.do(LockRound(table=table, round=number))
        return number

    def settle(
        self,
        table: str,
        number: int,
        stakes: Mapping[str, int],
        wager: str,
        claims: Mapping[str, tuple[str, str, str]],
    ) -> Receipt:
        slips = []
        for spot, (player, amount) in enumerate(stakes.items(), 1):
            claim = None
            if player in claims:
                meter, share, event = claims[player]
                claim = ClaimLine.model_validate({"meter": meter, "share": share, "event": event})
            slips.append(SlipLine(spot=spot, player=player, wager=wager, stake=amount, claim=claim))
        return self.do(SettleRound(table=table, round=number, slips=tuple(slips)))

    def pay(self, jackpot: str, win: str) -> Receipt:
        self.do(j.Verify(jackpot=jackpot, win=win), actor="Vera")
        return self.do(j.PayWin(jackpot=jackpot, win=win), actor="Paul")

    # --- reading

    def state(self, jackpot: str) -> JackpotState:
        return self.read(lambda clerk: clerk.jackpot(jackpot))

    def state_of_table(self, table: str) -> TableState:
        return self.read(lambda clerk: clerk.table(table))

    def house(self) -> HouseState:
        return self.read(lambda clerk: clerk.house())

    def meter(self, jackpot: str) -> int:
        (value,) = self.state(jackpot).values().values()
        return value

    def own(self, account: str) -> int:
        parsed = Account.parse(account)
        return int(self.read(lambda clerk: clerk.balance(parsed)).own(parsed.kind.side))

    def check(self) -> Report:
        return self.read(lambda clerk: check(clerk.unit))

    def read(self, question: Callable[[Reader], T]) -> T:
        if self.clerk is not None:
            return question(self.clerk)
        with self.book.look() as clerk:
            return question(clerk)
