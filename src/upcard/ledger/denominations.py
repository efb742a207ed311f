"""Chips that were counted by denomination, and whether they make the amount that is booked."""

from typing import Annotated

from pydantic import Field

from upcard.ledger.record import Amount, Record, is_unset
from upcard.ledger.refusals import BookRefusal, BookRefused


class ChipCount(Record):
    """Chips of one denomination."""

    denomination: Amount  # in cents
    count: int = Field(gt=0, le=1_000_000, strict=True)


Chips = Annotated[tuple[ChipCount, ...], Field(max_length=20, exclude_if=is_unset)]  # as they were counted


def check_chips(chips: tuple[ChipCount, ...], amount: int) -> None:
    """Chips that were counted must make the amount."""
    counted = sum(chip.denomination * chip.count for chip in chips)
    if chips and counted != amount:
        raise BookRefused(BookRefusal.CHIPS_DIFFER, counted=counted, amount=amount)
