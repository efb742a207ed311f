"""The state of one round. It is the fold of its events, and knows nothing of money beyond the stakes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from upcard.cards import ACE, Card, rank_of, value_of_rank
from upcard.cards.hand import total
from upcard.units import Cents

Stakes = Mapping[str, Cents]


class Phase(Enum):
    """Where a round stands."""

    BETTING = "betting"
    DEALING = "dealing"
    PEEK = "peek"
    INSURANCE = "insurance"
    LATE_WAGERS = "late-wagers"
    PLAY = "play"
    DEALER = "dealer"
    OVER = "over"


class Result(Enum):
    """How a hand ends."""

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
        """The best total."""
        return total(self.cards)[0]

    @property
    def is_natural(self) -> bool:
        """An ace and a ten-value card as the first two; after a split it counts 21 (R3)."""
        return len(self.cards) == 2 and not self.split and self.points == 21

    @property
    def is_live(self) -> bool:
        """Still waits for the dealer's hand."""
        return self.result is None


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A spot in play: its wagers, its hands."""

    number: int
    player: str
    wagers: Stakes
    hands: tuple[Hand, ...] = ()
    first_cards: tuple[Card, ...] = ()  # as dealt: what side wagers read, whatever is split later
    insurance: Stakes = field(default_factory=dict)
    insurance_answered: bool = False

    @property
    def total_points(self) -> tuple[int, ...]:
        """The totals of its hands."""
        return tuple(hand.points for hand in self.hands)


@dataclass(frozen=True, slots=True)
class WagerDecision:
    """A wager's event is certain; None: it lost."""

    spot: int
    wager: str
    event: str | None


@dataclass(frozen=True, slots=True)
class HandDecision:
    """A hand's result is certain."""

    spot: int
    hand: int
    result: Result


@dataclass(frozen=True, slots=True)
class InsuranceDecision:
    """Insurance won or lost."""

    spot: int
    won: bool


Decision = WagerDecision | HandDecision | InsuranceDecision


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round, from the first wager to the last decision, in the order in which they are paid."""

    phase: Phase = Phase.BETTING
    main_wagers: tuple[str, ...] = ()  # the wagers that play with the hand
    spots: tuple[Spot, ...] = ()
    dealer: tuple[Card, ...] = ()  # up card, hole card once it is known, draws
    hole_down: bool = False  # the hole card lies face down
    hole_unknown: bool = False  # not even the engine knows it (a physical table)
    peeked: bool | None = None  # what the peek found: a blackjack or none
    revealed: bool = False
    hits_until_hard: bool = False  # R1 literal: a soft 17 was reached
    decisions: tuple[Decision, ...] = ()
    cards_dealt: int = 0

    def spot(self, number: int) -> Spot | None:
        """The spot of this number, if it is in play."""
        return next((one for one in self.spots if one.number == number), None)

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
        """Insurance is offered."""
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
        """Whether a wager's event is certain already."""
        return any(isinstance(one, WagerDecision) and one.spot == spot and one.wager == wager for one in self.decisions)
