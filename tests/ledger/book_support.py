"""Requests for tests: each in a transaction of its own, or one after another in a transaction that stays open."""

from datetime import datetime
from typing import Any

from sqlalchemy.exc import OperationalError

from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.book import Book, Clerk, Receipt
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefused
from upcard.ledger.store import in_the_way

ATTEMPTS = 8


def do(book: Book, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
    """Carries a request out alone; tried again where another writer stood in the way."""
    for left in reversed(range(ATTEMPTS)):
        try:
            with book.batch(Memory()) as clerk:
                receipt = clerk.carry_out(request, id=id, at=at, actor=actor)
        except OperationalError as wrong:
            if left == 0 or not in_the_way(wrong):
                raise
        else:
            return receipt
    raise AssertionError("the last attempt returns or raises")


def do_whole(clerk: Clerk, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
    """Carries a request out among others, whole or not at all."""
    unit = unit_of(clerk)
    before = unit.mark()
    try:
        return clerk.carry_out(request, id=id, at=at, actor=actor)
    except BookRefused:
        unit.back_to(before)
        raise


def unit_of(clerk: Clerk) -> BatchUnit:
    assert isinstance(clerk.unit, BatchUnit)
    return clerk.unit


def answer_of(receipt: Receipt, chain: str) -> Any:
    """What one chain answered, as the JSON it is stored as."""
    return receipt.answers[chain]
