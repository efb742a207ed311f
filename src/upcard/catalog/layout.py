"""A layout: what one table offers out of its game."""

from datetime import date
from typing import Literal

from pydantic import Field

from upcard.catalog.fields import MOST_DECKS, CatalogModel, Money, PositiveMoney, SuitName
from upcard.catalog.game import RuleSettings
from upcard.catalog.jackpot import MeterSettings


class Offered(CatalogModel):
    """One wager the table offers."""

    name: str
    game: str = ""  # if the wager is another game's that the operator adds
    paytable: str = ""
    min: Money | None = None  # within the filing's limits; by default the filing's
    max: Money | None = None
    amount: PositiveMoney | None = None  # the one stake of a fixed wager


class Promotion(CatalogModel):
    """003: an extra award on an event, paid by the house, never from a meter, with the owner's consent."""

    wager: str
    event: str
    award: Money
    since: date
    until: date
    consent: str = Field(min_length=1)


class AggregateLimit(CatalogModel):
    """004: the most the house pays on one wager from one deal, all players together."""

    wager: str
    amount: Money


class HouseRules(CatalogModel):
    """The house's posted rules, dated: they supplement the filing."""

    since: date
    text: str


class Layout(CatalogModel):
    """A layout file."""

    slug: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    game: str
    title: str
    decks: int = Field(ge=1, le=MOST_DECKS)
    spots: int = Field(ge=1, le=99)
    suit: SuitName = "hearts"  # of suit-specific awards; a jackpot may have its own
    shuffler: Literal["automatic", "hand"]
    shuffler_model: str = ""
    equipment: tuple[str, ...] = Field(default=(), strict=False)
    jackpot_system_model: str = ""
    posted_minimum: PositiveMoney
    chip: PositiveMoney  # every stake is a multiple of the smallest chip
    rounding: Literal["up", "down", "nearest"]  # of a fraction of a cent; up is in the player's favour
    small_wager: str = ""  # R31: the wager limited to the small amount when a player may not make all
    rules: RuleSettings = RuleSettings()
    house_rules: tuple[HouseRules, ...] = Field(default=(), strict=False)
    readings: dict[str, str] = Field(default={})  # where this operator chooses another reading than the game
    wager: tuple[Offered, ...] = Field(min_length=1, strict=False)
    jackpot: tuple[MeterSettings, ...] = Field(default=(), strict=False)
    aggregate_limit: tuple[AggregateLimit, ...] = Field(default=(), strict=False)
    promotion: tuple[Promotion, ...] = Field(default=(), strict=False)

    def offers(self, name: str) -> bool:
        """Whether a wager of this name is on the felt."""
        return any(offered.name == name for offered in self.wager)

    def suit_for(self, wager: str) -> SuitName:
        """The suit of a wager's suit-specific awards: its jackpot's own, or the layout's."""
        own = next((settings.suit for settings in self.jackpot if settings.wager == wager), None)
        return own or self.suit

    def with_suit(self, suit: str) -> "Layout":
        """The layout with one suit for every wager."""
        jackpots = tuple(settings.model_copy(update={"suit": None}) for settings in self.jackpot)
        return self.model_copy(update={"suit": suit, "jackpot": jackpots})
