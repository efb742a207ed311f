"""The terms of one round: everything about a table that does not change while cards are on it.

The pit derives them before a round from the game, layout, posted limits, seats and flat bets; `refusal` checks
commands against them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from upcard.catalog.game import Rules
from upcard.catalog.paytable import Paytable
from upcard.units import Cents, Rounding
from upcard.wagers import Kind


@dataclass(frozen=True, kw_only=True)
class WagerTerms:
    """One betting circle of this table, with its limits in cents."""

    name: str
    role: str  # main, bigger, side or jackpot
    kind: Kind | None
    paytable: Paytable | None
    suit: int  # of suit-specific awards
    least: Cents
    most: Cents
    step: Cents
    amounts: tuple[Cents, ...]  # the only stakes allowed; empty if any from least to most is
    equals: str
    requires_any: tuple[str, ...]
    late: bool  # placed after the deal
    before_peek: bool  # R9, of a late wager: placed before the peek, and lost to a dealer blackjack
    lost_with_hand: bool  # R6: lost when the spot has no hand left against the dealer
    right_to_left: bool
    payout_cap: Cents | None
    keeps_cards: bool  # of a hand that is over on the table, until this wager is decided
    off: str  # the code that says why the wager cannot be made now; empty if it can
    promotions: Mapping[str, Cents]  # the extra award that the house pays for an event

    @property
    def is_main(self) -> bool:
        """Whether the wager plays with the hand: the Ante, or a wager equal to it."""
        return self.role in ("main", "bigger")


@dataclass(frozen=True, kw_only=True)
class Terms:
    game: str
    layout: str
    decks: int
    rules: Rules
    chip: Cents
    rounding: Rounding
    wagers: Mapping[str, WagerTerms]  # in the order of the layout
    owners: Mapping[int, str]  # player by spot
    adjacent_spots: bool  # a player's spots must be next to each other
    holds: Mapping[int, Mapping[str, Cents]]  # flat betting: the only stakes a spot may make
    decline_is_final: bool  # otherwise, who declined insurance may take it until it closes
    dealer_closes_insurance: bool  # dealt by hand: it stays open until the dealer's wave, whoever has answered
    doubles_alike: bool  # R30: a double for less adds the same part to every main wager
    most_wagers: int | None  # per spot, when the layout offers more
    small_stake: Cents | None  # R31: who makes that many wagers keeps one of them at this or less
    aggregate_limits: Mapping[str, Cents]  # by wager, per deal

    @cached_property
    def main(self) -> WagerTerms:
        """The wager that every spot in play must make."""
        return next(wager for wager in self.wagers.values() if wager.role == "main")

    @cached_property
    def late(self) -> tuple[WagerTerms, ...]:
        return tuple(wager for wager in self.wagers.values() if wager.late)

    @cached_property
    def late_wagers_before_peek(self) -> bool:
        """R9: late wagers are placed between the deal and the peek; otherwise after the peek."""
        return any(wager.before_peek for wager in self.late)

    @cached_property
    def lost_with_hand(self) -> tuple[str, ...]:
        """The wagers that are lost with the hand."""
        return tuple(wager.name for wager in self.wagers.values() if wager.lost_with_hand)

    @cached_property
    def insurance_step(self) -> Cents:
        """Half a chip, so that half of every wager can be insured."""
        return Cents(max(self.chip // 2, 1))
