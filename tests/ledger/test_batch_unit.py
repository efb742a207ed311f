"""Units that gather: the same book as one request at a time, whatever is asked and however it is gathered."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger.book_driver import MORNING, BookDriver, misdeal
from ledger.book_requests import unit_of
from ledger.conftest import NewBook
from ledger.random_book import PLANS, RandomBook
from ledger.test_random_books import QUICK

from upcard.ledger import requests as r
from upcard.ledger import schema
from upcard.ledger.accounts import Account
from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.book import Book, Clerk
from upcard.ledger.check import check
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefused

STEPS = 30


def dump(book: Book) -> dict[str, list[str]]:
    with book.store.view() as unit:
        return {table.name: sorted(map(str, unit.rows(table))) for table in schema.metadata.sorted_tables}


@contextmanager
def gathering(book: Book, memory: Memory) -> Iterator[tuple[Clerk, BatchUnit]]:
    with book.batch(memory) as clerk:
        yield clerk, unit_of(clerk)


def fill(table: str = "T1", amount: int = 100) -> r.Fill:
    return r.Fill(table=table, amount=amount)


@pytest.mark.parametrize("plan", PLANS)
def test_batched_requests_write_the_same_bytes_as_single_ones(new_book: NewBook, plan: str) -> None:
    """A random life, once with a unit for each request and once gathered by dice, holding more or less beforehand."""

    @given(st.integers(0, 2**32))
    @settings(max_examples=2 if QUICK else 60)
    def life(seed: int) -> None:
        book = new_book()
        alone = RandomBook(BookDriver(book), plan, random.Random(seed))
        for _ in range(STEPS):
            alone.step()
        expected = dump(book)
        book.store.close()

        book, memory, sizes = new_book(), Memory(), random.Random(seed)
        driver = BookDriver(book)
        driver.keeps_in_memory = True
        together = RandomBook(driver, plan, random.Random(seed))
        left = STEPS
        while left:
            with gathering(book, memory) as (driver.clerk, unit):
                if sizes.random() < 0.5:
                    unit.hold(["house", "jackpot:J", "table:T2", "table:none"], [Account.parse("player:Ann")])
                for _ in range(min(left, sizes.randint(1, 12))):
                    together.step()
                    left -= 1
                    if sizes.random() < 0.1:
                        unit.flush()
        assert dump(book) == expected
        with book.store.view() as view:
            assert check(view).sound
        book.store.close()

    life()


def test_everything_since_a_savepoint_is_dropped_together(new_book: NewBook) -> None:
    book = new_book()
    driver = BookDriver(book)
    driver.table("T1", "bet-bigger")

    def both(clerk: Clerk, unit: BatchUnit, **requests: Record) -> None:
        before = unit.savepoint()
        try:
            for name, request in requests.items():
                clerk.carry_out(request, id=name, at=MORNING, actor="Dana")
        except BookRefused:
            unit.roll_back_to(before)
            raise

    ann, bob = (r.Tip(table="T1", player=player, amount=100) for player in ("Ann", "Bob"))
    with gathering(book, Memory()) as (clerk, unit):
        both(clerk, unit, a=r.BuyIn(table="T1", player="Ann", amount=500), b=ann)
        with pytest.raises(BookRefused, match="Bob is"):
            both(clerk, unit, c=ann, d=bob)
        assert clerk.balance(Account.parse("player:Ann")).debits == 100
        clerk.carry_out(r.Tip(table="T1", player="Ann", amount=50), id="c", at=MORNING, actor="Dana")
    assert (driver.own("player:Ann"), driver.own("tips:T1")) == (350, 150)
    with book.look() as reader:
        assert Account.parse("player:Bob") not in reader.unit.balances()
    assert driver.check().sound


def test_a_failed_batch_leaves_nothing_in_the_book_or_in_memory(new_book: NewBook) -> None:
    book, memory = new_book(), Memory()
    driver = BookDriver(book)
    driver.table("T1", "bet-bigger")
    stake = r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager="Blackjack", amount=100)

    def broken(stack: ExitStack) -> None:
        clerk, unit = stack.enter_context(gathering(book, memory))
        clerk.carry_out(r.BuyIn(table="T1", player="Ann", amount=500), id="a", at=MORNING, actor="Dana")
        clerk.carry_out(stake, id="b", at=MORNING, actor="Dana")
        unit.flush()
        raise OSError("the power is gone")

    before = dump(book)
    with pytest.raises(OSError, match="the power"), ExitStack() as stack:
        broken(stack)
    assert dump(book) == before
    with gathering(book, memory) as (clerk, _):
        assert clerk.table("T1").open is None
        clerk.carry_out(fill(), id="b", at=MORNING, actor="Dana")
    assert driver.check().sound


def test_memory_is_not_used_after_another_writers_change(new_book: NewBook) -> None:
    book, memory = new_book(), Memory()
    driver = BookDriver(book)
    driver.table("T1", "bet-bigger")
    driver.do(r.BuyIn(table="T1", player="Ann", amount=500))
    stake: dict[str, Any] = {"table": "T1", "round": 1, "spot": 1, "player": "Ann", "wager": "Blackjack"}
    with gathering(book, memory) as (clerk, _):
        clerk.carry_out(r.PlaceStake(**stake, amount=100), id="a", at=MORNING, actor="Dana")
    driver.do(r.PlaceStake(**stake, amount=200))
    with gathering(book, memory) as (clerk, unit):
        unit.hold(["table:T1"])
        on_felt = clerk.table("T1").open
        assert on_felt is not None
        assert [first.amount for first in on_felt.stakes.values()] == [100, 200]
        clerk.carry_out(
            misdeal("T1", 1),
            id="b",
            at=MORNING,
            actor="Dana",
        )
    assert driver.check().sound


def test_a_repeated_id_rolls_the_whole_batch_back(new_book: NewBook) -> None:
    from sqlalchemy.exc import IntegrityError

    book = new_book()
    driver = BookDriver(book)
    driver.table("T1", "bet-bigger")
    driver.do(fill(), id="old")

    def vouched() -> None:
        with book.batch(Memory()) as clerk:
            clerk.carry_out(fill(), id="new", at=MORNING, actor="Dana")
            clerk.carry_out(fill(), id="old", at=MORNING, actor="Dana")

    before = dump(book)
    with pytest.raises(IntegrityError):
        vouched()
    assert dump(book) == before
