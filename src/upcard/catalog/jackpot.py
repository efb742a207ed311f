"""The four kinds of jackpot plan in the filings. House-funded and custodial money never share a type.

What all jackpots of a plan have in common is in the ledger. The game's file has the figures and words that the filing
fixes; the layout's file has what it leaves to the operator (seed, rate, cap). Readings say how winners share (R8, R14,
R18).
"""

from typing import Annotated, Literal

from pydantic import Field

from upcard.catalog.fields import CatalogModel, Money, ShareField, SuitName


class DailyAccrual(CatalogModel):
    """000: house money; grows each morning by a part of the previous gaming day's wagers on it."""

    plan: Literal["daily-accrual"]
    name: str
    seed: Money
    reseed: Money
    accrues: ShareField


class Posted(CatalogModel):
    """001: house money; values that the operator posts and that wagers do not move.

    They never change during a hand; one change is free after a payout.
    """

    plan: Literal["posted"]
    name: str
    hours_between_changes: int = Field(ge=0)


class Bonus(CatalogModel):
    """003: house money; posted, changed at any time between hands, shown with its notice."""

    plan: Literal["bonus"]
    name: str
    notice: str


class Progressive(CatalogModel):
    """003: the players' money, held by the house in escrow; moves with every wager."""

    plan: Literal["progressive"]
    name: str


JackpotPlan = Annotated[DailyAccrual | Posted | Bonus | Progressive, Field(discriminator="plan")]


class MeterSettings(CatalogModel):
    """What the operator sets for one jackpot of a table, for the wager its paytable is printed for (R22)."""

    wager: str
    plan: Literal["daily-accrual", "posted", "bonus", "progressive"]
    sensor: int | None = Field(default=None, ge=1)
    suit: SuitName | None = None  # of its suit-specific awards; by default the layout's
    posted: dict[str, Money] = Field(default={})  # opening value by meter: the seed, or the value posted
    rate: ShareField | None = None  # part of each wager that goes to the displayed meter
    reserve_rate: ShareField | None = None  # part of each wager reserved for the next seed
    cap: Money | None = None
    largest_contribution: Money | None = None  # the largest plausible single contribution
