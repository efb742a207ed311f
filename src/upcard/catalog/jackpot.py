"""The four kinds of jackpot plan in the filings. House-funded and custodial money never share a type.

The game's file has what the filing fixes; the layout's file has what it leaves to the operator (seed, rate, cap).
"""

from typing import Annotated, Literal

from pydantic import Field

from upcard.catalog.fields import CatalogModel, Money, ShareField, SuitName


class DailyAccrual(CatalogModel):
    """000: house money; grows each morning by a part of the previous day's wagers on it."""

    plan: Literal["daily-accrual"]
    name: str
    meters: tuple[str, ...] = Field(min_length=1, strict=False)
    funded: Literal["house"]
    seed: Money
    reseed: Money
    accrues: ShareField
    accrues_from: Literal["wagers of the previous gaming day"]
    winners: Literal["divide", "each in full"]


class Posted(CatalogModel):
    """001: house money; values that the operator posts and that wagers do not move."""

    plan: Literal["posted"]
    name: str
    meters: tuple[str, ...] = Field(min_length=1, strict=False)
    funded: Literal["house"]
    moves: Literal["never with wagers"]
    hours_between_changes: int = Field(ge=0)
    changes_during_a_hand: bool
    changes_after_a_payout: bool
    winners: Literal["divide", "pro rata to wager"]


class Bonus(CatalogModel):
    """003: house money; posted, changed at any time between hands, shown with its notice."""

    plan: Literal["bonus"]
    name: str
    notice: str
    funded: Literal["house"]
    moves: Literal["never with wagers"]
    changes: Literal["at any time between hands"]
    taken_from_meter: Literal["percentage pays only"]
    fixed_wager: bool
    winners: Literal["each in full", "in seat order"]
    display_drops: Literal["once, by the largest share won; to the posted seed at 100%"]


class Progressive(CatalogModel):
    """003: the players' money, held by the house; moves with every wager."""

    plan: Literal["progressive"]
    name: str
    held: Literal["escrow"]
    moves: Literal["with every wager"]
    taken_from_meter: Literal["percentage pays only"]
    winners: Literal["shares of the meter at the deal, scaled down together over 100%", "in seat order"]
    fixed_wager: bool


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
