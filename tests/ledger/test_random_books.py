"""What holds after every command, whatever tables, players and people do."""

import random
from collections.abc import Mapping
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger.book_driver import BookDriver
from ledger.conftest import NewBook
from ledger.random_book import PLANS, RandomBook
from support.empty_books import writing

from upcard.ledger import requests as r
from upcard.ledger.accounts import CUSTODIAL, Account
from upcard.ledger.book import Clerk
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.refusals import BookRefusal
from upcard.ledger.schema import entries, movements
from upcard.ledger.transfers import Balance, below_floor
from upcard.ledger.unit import Unit

LAWFUL = {"win-locked", "malfunction", "to-cap", "seed-recovered"}  # gross receipts come from hidden money
STEPS = 30
QUICK = settings.get_current_profile_name() == "quick"


class Laws:
    def __init__(self, random_book: RandomBook, unit: Unit) -> None:
        self.random_book, self.unit = random_book, unit
        self.seen = 1  # the opening's movements
        self.before = self.look()

    def look(self) -> Mapping[Account, Balance]:
        return self.unit.balances()

    def step(self) -> None:
        sent, done = len(self.random_book.requests), len(self.random_book.driver.done)
        heads = self.unit.chains()
        self.random_book.step()
        balances = self.look()
        self.balanced(balances)
        if len(self.random_book.driver.done) == done:  # refused, repeated, or nothing wanted: nothing has changed
            changed = {name: one for name, one in balances.items() if one != Balance()}
            assert changed == {name: one for name, one in self.before.items() if one != Balance()}
            assert self.unit.chains() == heads
        self.lowered_lawfully(self.random_book.requests[sent:])
        self.covered()
        self.before = balances

    def balanced(self, balances: Mapping[Account, Balance]) -> None:
        """Debits are credits, and no balance is below its floor."""
        assert sum(balance.debits for balance in balances.values()) == sum(
            balance.credits for balance in balances.values()
        )
        assert sum(balance.pending_debits for balance in balances.values()) == sum(
            balance.pending_credits for balance in balances.values()
        )
        assert not [str(account) for account, balance in balances.items() if below_floor(account, balance)]

    def lowered_lawfully(self, requests: list[Any]) -> None:
        """A progressive falls for lawful reasons only; a house meter never moves with a wager."""
        query = sa.select(movements).where(movements.c.chain == "jackpot:J", movements.c.number > self.seen)
        shown = [row._asdict() for row in self.unit.connection.execute(query)]
        self.seen = max([self.seen, *(movement["number"] for movement in shown)])
        for movement in shown:
            if self.random_book.plan == "progressive":
                assert movement["after"] >= movement["before"] or movement["reason"] in LAWFUL
            else:
                assert movement["reason"] not in ("contribution", *(LAWFUL - {"win-locked"}))
        if self.random_book.plan != "progressive" and any(
            isinstance(request, r.PlaceStakes | r.LockRound) for request, _ in requests
        ):
            assert {movement["reason"] for movement in shown} <= {
                "accrued"
            }  # 000: of the days before, with the day's first deal

    def covered(self) -> None:
        """The players' money in the accounts is what the jackpot says it owes; short escrow stops the wager by name."""
        state = self.random_book.driver.state("J")
        if isinstance(state, ProgressiveJackpot):
            kept = sum(one.credits - one.debits for account, one in self.look().items() if account.kind in CUSTODIAL)
            assert kept == state.meter + state.reserve + state.overflow + state.award
            if kept > state.escrow.held and not state.suspended:
                refused = state.stopped()
                assert refused is not None
                assert refused.reason is BookRefusal.ESCROW_SHORT
            assert 0 <= state.meter_carry < 1
            assert 0 <= state.reserve_carry < 1


@pytest.mark.parametrize("plan", PLANS)
def test_the_laws_hold_after_every_command(new_book: NewBook, plan: str) -> None:
    """The last look is the check's: chains, balances, meters, rounds, the identity, all from raw records."""

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=5 if QUICK else 100)
    def life(dice: random.Random) -> None:
        book = new_book()
        with book.store.engine.connect() as connection, connection.begin() as transaction:
            unit = writing(connection)
            driver = BookDriver(book, clerk=Clerk(unit, book.catalog))
            laws = Laws(RandomBook(driver, plan, dice), unit)
            for _ in range(STEPS):
                laws.step()
            report = driver.check()
            assert report.sound, report.findings[0]
            numbers: dict[str, list[int]] = {}
            for row in unit.rows(entries, "chain", "number"):
                numbers.setdefault(str(row["chain"]), []).append(int(row["number"] or 0))
            assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
            transaction.rollback()
        book.store.close()

    life()
