"""The dated limits of a jurisdiction: layouts are checked against the newest, a jackpot win by those of its day."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from upcard.catalog.fields import CatalogModel, Equipment, Money

Models = Annotated[tuple[str, ...], Field(min_length=1, strict=False)]


class Limits(CatalogModel):
    """The limits in force from a date. An amount left out means that the law sets no limit."""

    since: date
    citation: str
    confirmed: bool
    largest_wager: Money | None = None
    largest_bonus_wager: Money | None = None
    smallest_wager: Money | None = None
    jackpot_wagers: tuple[Money, ...] = Field(default=(), strict=False)
    games_a_hand: int | None = Field(default=None, ge=1)
    small_games_a_hand: int | None = Field(default=None, ge=0)  # how many of them are limited to the small wager
    small_wager: Money | None = None
    progressives: bool
    aggregate_counts_odds_up_to: int | None = Field(default=None, ge=1)
    second_person_from: Money | None = (
        None  # jackpot wins from this amount need a second person; if unknown, every win does
    )
    escrow_deposit_days: int | None = Field(default=None, ge=1)  # days to deposit a progressive's money at the bank


class Jurisdiction(CatalogModel):
    """A regulator's dated limits, oldest first."""

    slug: str
    name: str
    house_jackpot_winners: Literal["each in full", "as the filing says"]
    approved_models: dict[Equipment, Models] = Field(default={})  # the operator's list; Upcard ships none
    limits: tuple[Limits, ...] = Field(min_length=1, strict=False)
