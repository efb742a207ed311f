"""A game as its filing describes it: rules of the main game, wagers with their limits, conduct, readings, jackpots."""

from typing import Literal

from pydantic import Field

from upcard.catalog.fields import (
    BoundField,
    CatalogModel,
    DeckPart,
    Decks,
    Equipment,
    Money,
    OddsField,
    PositiveMoney,
    ShareField,
)
from upcard.catalog.jackpot import JackpotPlan


class Source(CatalogModel):
    """The source document of a game."""

    document: str
    regulator: str
    jurisdiction: str
    dated: str = ""
    reference: str = ""


class Rules(CatalogModel):
    """The rules of the main game."""

    soft17: Literal["hit", "stand", "until_hard"]
    blackjack: OddsField
    win: OddsField
    insurance: OddsField
    even_money: OddsField | None
    hole: Literal["peek", "none", "none_originals"]
    double: Literal["any", "9-11", "10-11", "none"]
    das: bool  # double after a split
    double_for_less: bool
    split: Literal["rank", "value"]
    hands: int = Field(ge=1, le=8)
    resplit_aces: bool
    hit_split_aces: bool
    surrender: Literal["none", "late", "early"]
    surrender_returns: ShareField
    insurance_most: ShareField  # of each main wager, the same amount on each


class RuleSettings(CatalogModel):
    """Rules that an operator changes, where the filing leaves the main game to the house (R23).

    The dealer always peeks, so the hole card rule cannot be changed and early surrender is not available.
    """

    soft17: Literal["hit", "stand", "until_hard"] | None = None
    blackjack: OddsField | None = None
    double: Literal["any", "9-11", "10-11", "none"] | None = None
    das: bool | None = None
    split: Literal["rank", "value"] | None = None
    hands: int | None = Field(default=None, ge=1, le=8)
    resplit_aces: bool | None = None
    hit_split_aces: bool | None = None
    surrender: Literal["none", "late"] | None = None

    def over(self, rules: Rules) -> Rules:
        """The game's rules with these settings applied."""
        return rules.model_copy(update={key: value for key, value in self if value is not None})


class Shuffle(CatalogModel):
    """How a shoe is prepared; parts of a deck are exact fractions: a quarter deck is 0.25 or "1/4"."""

    verify_decks: bool  # when the table opens: 52 different cards each
    cut_from_either_end: DeckPart
    cut_card_from_end: DeckPart
    tolerance: DeckPart
    one_deck_margin: DeckPart


class Conduct(CatalogModel):
    """What players and the house may do at the table."""

    spots: int = Field(ge=1, le=9)
    adjacent_spots: bool
    relinquish_on_request: bool
    flat_betting: bool
    close_after_shoe: bool  # a table with players closes only after its shoe
    house_rules: bool


class PostedMinimum(CatalogModel):
    """What the table minimum may be."""

    least: PositiveMoney
    most: PositiveMoney | None = None  # if the filing has none, the law's largest wager
    step: PositiveMoney


class Wager(CatalogModel):
    """One circle on the felt."""

    name: str = Field(min_length=1)
    role: Literal["main", "bigger", "side", "jackpot"]
    kind: str = ""
    paytables: tuple[str, ...] = Field(default=(), strict=False)
    felt_name: str = ""
    equals: str = ""  # a Bet Bigger wager is exactly its Ante
    min: BoundField | None = None  # without one, the operator's limit within the law
    max: BoundField | None = None
    amounts: tuple[PositiveMoney, ...] = Field(default=(), strict=False)  # the only stakes allowed
    placed: Literal["before the deal", "after the peek"] = "before the deal"
    decks: Decks | None = None
    excludes: tuple[str, ...] = Field(default=(), strict=False)  # never on one layout with these
    requires_any: tuple[str, ...] = Field(default=(), strict=False)  # on the layout and on the spot
    equipment: tuple[str, ...] = Field(default=(), strict=False)
    payout_cap: Money | None = None  # per hand
    pay_order: Literal["left to right", "right to left"] = "left to right"
    keep_cards: bool = False  # a hand that is over stays on the table until this wager is decided
    promotions: bool = False  # 003: the operator may add an award, with the owner's consent


class LayoutLimits(CatalogModel):
    """What one layout may offer."""

    jackpots: int | None = Field(default=None, ge=0)
    one_jackpot_for_each_sensor: bool = False
    one_jackpot_type: bool = False
    wagers_a_player: int | None = Field(default=None, ge=1)  # when the layout offers more
    small_wager: Money | None = None  # then one of them is limited to this
    posted_on_layout: bool = False
    aggregate_payout_limit: bool = False  # the operator may post one per deal


AddedWagers = Literal["beside the wagers stacked in the Ante circle", "left of each wager", "beside the wager"]


class Game(CatalogModel):
    """A game file."""

    number: str = Field(pattern=r"^\d{3}$")
    slug: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    name: str
    adds: str
    source: Source
    decks: Decks
    point_system: Literal["", "none"] = ""  # none: the filing says that no points are kept
    rules: Rules
    shuffle: Shuffle
    conduct: Conduct
    posted_minimum: PostedMinimum
    added_wagers: AddedWagers  # where the chips of a double or a split are placed
    filed_models: dict[Equipment, str] = Field(default={})  # what the filing says of its equipment's make and model
    layout_limits: LayoutLimits = LayoutLimits()
    readings: dict[str, str]
    wager: tuple[Wager, ...] = Field(min_length=1, strict=False)
    jackpot: tuple[JackpotPlan, ...] = Field(default=(), strict=False)

    def wager_named(self, name: str) -> Wager | None:
        return next((wager for wager in self.wager if wager.name == name), None)
