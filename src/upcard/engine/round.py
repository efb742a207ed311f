"""The state of one round, computed from its events. It holds stakes but no bankrolls and no payouts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from upcard.cards import ACE, Card, rank_of, value_of_rank
from upcard.cards.hand import total
from upcard.units import Cents

Stakes = Mapping[str, Cents]


class Phase(Enum):
    BETTING = "betting"
    DEALING = "dealing"
    PEEK = "peek"
    INSURANCE = "insurance"
    LATE_WAGERS = "late-wagers"
    PLAY = "play"
    DEALER = "dealer"
    OVER = "over"


class Result(Enum):
    BLACKJACK = "blackjack"
    EVEN_MONEY = "even-money"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    DEALER_BLACKJACK = "dealer-blackjack"
    BUST = "bust"
    SURRENDER = "surrender"


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A player's hand with the main wagers on it."""

    cards: tuple[Card, ...]
    stakes: Stakes
    doubled: Stakes = field(default_factory=dict)  # added when doubling
    wants_card: bool = False
    split: bool = False  # one of several hands
    done: bool = False
    result: Result | None = None

    @property
    def points(self) -> int:
        """The highest total that is not a bust, if there is one."""
        return total(self.cards)[0]

    @property
    def is_natural(self) -> bool:
        """An ace and a ten-value card as the first two cards; after a split they are only a 21 (R3)."""
        return len(self.cards) == 2 and not self.split and self.points == 21

    @property
    def is_live(self) -> bool:
        """Whether the hand is still undecided."""
        return self.result is None


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A spot in play, with its wagers and hands."""

    number: int
    player: str
    wagers: Stakes
    hands: tuple[Hand, ...] = ()
    first_cards: tuple[Card, ...] = ()  # the two cards as dealt, for side wagers; a split does not change them
    insurance: Stakes = field(default_factory=dict)
    insurance_answered: bool = False

    @property
    def declined_insurance(self) -> bool:
        """Whether the spot was offered insurance and took neither it nor even money."""
        return self.insurance_answered and not self.insurance and self.hands[0].is_live

    @property
    def total_points(self) -> tuple[int, ...]:
        return tuple(hand.points for hand in self.hands)


@dataclass(frozen=True, slots=True)
class WagerDecision:
    """The event that decides a wager; None if the wager lost."""

    spot: int
    wager: str
    event: str | None


@dataclass(frozen=True, slots=True)
class HandDecision:
    spot: int
    hand: int
    result: Result


@dataclass(frozen=True, slots=True)
class InsuranceDecision:
    spot: int
    won: bool


Decision = WagerDecision | HandDecision | InsuranceDecision


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round, from the first wager to the last decision; decisions are in the order of payment."""

    phase: Phase = Phase.BETTING
    main_wagers: tuple[str, ...] = ()  # the wagers that play with the hand
    spots: tuple[Spot, ...] = ()
    dealer: tuple[Card, ...] = ()  # up card, hole card once it is known, draws
    hole_down: bool = False  # the hole card is face down
    hole_unknown: bool = False  # the engine does not know the hole card (a physical table)
    peeked: bool | None = None  # whether the peek found a blackjack; None before the peek
    revealed: bool = False
    hits_until_hard: bool = False  # R1, literal reading: a soft 17 was reached
    decisions: tuple[Decision, ...] = ()
    cards_dealt: int = 0

    def spot(self, number: int) -> Spot | None:
        """The spot of this number, if it is in play."""
        for spot in self.spots:
            if spot.number == number:
                return spot
        return None

    @property
    def active(self) -> tuple[int, int] | None:
        """The spot (as an index) and hand whose turn it is."""
        for index, spot in enumerate(self.spots):
            for number, hand in enumerate(spot.hands):
                if not hand.done:
                    return index, number
        return None

    @property
    def ace_up(self) -> bool:
        """The up card is an ace, so insurance is offered."""
        return bool(self.dealer) and rank_of(self.dealer[0]) == ACE

    @property
    def peek_needed(self) -> bool:
        """The up card may be half of a blackjack."""
        return bool(self.dealer) and value_of_rank(rank_of(self.dealer[0])) in (1, 10)

    @property
    def dealer_natural(self) -> bool:
        """The dealer's first two cards, both known, are a blackjack."""
        return len(self.dealer) == 2 and total(self.dealer)[0] == 21

    def decided(self, spot: int, wager: str) -> bool:
        return any(
            isinstance(decision, WagerDecision) and decision.spot == spot and decision.wager == wager
            for decision in self.decisions
        )
