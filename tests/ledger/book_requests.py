"""Carries out requests in tests: each in its own transaction, or several in one that stays open."""

from datetime import datetime
from typing import Any

from sqlalchemy.exc import OperationalError

from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.book import Book, Clerk, Receipt
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefused
from upcard.ledger.store import is_write_conflict

ATTEMPTS = 8


def do(book: Book, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
    """Carries a request out in its own transaction; tries again if another writer was in the way."""
    for attempts_left in reversed(range(ATTEMPTS)):
        try:
            with book.batch(Memory()) as clerk:
                receipt = clerk.carry_out(request, id=id, at=at, actor=actor)
        except OperationalError as error:
            if attempts_left == 0 or not is_write_conflict(error):
                raise
        else:
            return receipt
    raise AssertionError("the last attempt returns or raises")


def do_in_transaction(clerk: Clerk, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
    """Carries a request out in an open transaction; if it is refused, nothing of it stays."""
    unit = unit_of(clerk)
    before = unit.savepoint()
    try:
        return clerk.carry_out(request, id=id, at=at, actor=actor)
    except BookRefused:
        unit.roll_back_to(before)
        raise


def unit_of(clerk: Clerk) -> BatchUnit:
    assert isinstance(clerk.unit, BatchUnit)
    return clerk.unit


def answer_of(receipt: Receipt, chain: str) -> Any:
    """The answer of one chain, as JSON."""
    return receipt.answers[chain]
