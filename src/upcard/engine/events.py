"""What has happened in a round. Events are past facts; the round is their fold."""

from dataclasses import dataclass

from upcard.cards import Card
from upcard.engine.commands import Amounts
from upcard.engine.round import Decision
from upcard.units import Cents


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A stake stands on a wager."""

    spot: int
    player: str
    wager: str
    amount: Cents


@dataclass(frozen=True, slots=True)
class WagersCleared:
    """Stakes were taken back before the deal."""

    spot: int
    wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BettingClosed:
    """The deal begins; these wagers play with the hand."""

    main_wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card to a hand of a spot."""

    spot: int
    hand: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerCardDealt:
    """A card to the dealer, face up."""

    card: Card


@dataclass(frozen=True, slots=True)
class HoleCardDealt:
    """The dealer's second card, face down; None: not known to the engine."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class DealCompleted:
    """Everybody has two cards."""


@dataclass(frozen=True, slots=True)
class InsuranceOffered:
    """The dealer asks for insurance."""


@dataclass(frozen=True, slots=True)
class Insured:
    """A spot took insurance."""

    spot: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class InsuranceDeclined:
    """A spot took none."""

    spot: int


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """The dealer waved."""


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    """The dealer looked at the hole card."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class LateWagersOpened:
    """Wagers made after the peek may be placed."""


@dataclass(frozen=True, slots=True)
class LateWagersClosed:
    """And no longer."""


@dataclass(frozen=True, slots=True)
class HandHit:
    """A hand waits for another card."""

    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class HandStayed:
    """A hand receives no more cards."""

    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class HandDoubled:
    """A hand was doubled, and waits for its one card."""

    spot: int
    hand: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class HandSplit:
    """A hand became two, each with the same main wagers."""

    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class HoleRevealed:
    """The hole card is face up."""

    card: Card


@dataclass(frozen=True, slots=True)
class SoftSeventeenReached:
    """R1 read literally: the dealer now hits until the hand is hard."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A wager, a hand or an insurance is decided, in the order of payment."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """The players' turns begin."""


@dataclass(frozen=True, slots=True)
class DealersTurn:
    """All hands are played."""


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """Everything is decided."""


Event = (
    WagerPlaced
    | WagersCleared
    | BettingClosed
    | CardDealt
    | DealerCardDealt
    | HoleCardDealt
    | DealCompleted
    | InsuranceOffered
    | Insured
    | InsuranceDeclined
    | InsuranceClosed
    | DealerPeeked
    | LateWagersOpened
    | LateWagersClosed
    | HandHit
    | HandStayed
    | HandDoubled
    | HandSplit
    | HoleRevealed
    | SoftSeventeenReached
    | Decided
    | PlayBegan
    | DealersTurn
    | RoundFinished
)
