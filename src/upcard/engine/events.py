"""What has happened in a round. The state of a round is computed from its events alone (`evolve`)."""

from dataclasses import dataclass

from upcard.cards import Card
from upcard.engine.commands import Amounts
from upcard.engine.round import Decision
from upcard.units import Cents


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    spot: int
    player: str
    wager: str
    amount: Cents


@dataclass(frozen=True, slots=True)
class WagersCleared:
    spot: int
    wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BettingClosed:
    """The deal begins; `main_wagers` play with the hand."""

    main_wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardDealt:
    spot: int
    hand: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerCardDealt:
    """The dealer received a card face up."""

    card: Card


@dataclass(frozen=True, slots=True)
class HoleCardDealt:
    """The dealer's second card, face down; None if the engine does not know it."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class DealCompleted:
    """Every spot and the dealer have two cards."""


@dataclass(frozen=True, slots=True)
class InsuranceOffered:
    """The dealer shows an ace and offers insurance."""


@dataclass(frozen=True, slots=True)
class Insured:
    spot: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class InsuranceDeclined:
    spot: int


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """Every spot has answered, or the dealer closed insurance."""


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    blackjack: bool


@dataclass(frozen=True, slots=True)
class LateWagersOpened:
    """Wagers made after the peek may be placed."""


@dataclass(frozen=True, slots=True)
class LateWagersClosed:
    """Wagers made after the peek may no longer be placed."""


@dataclass(frozen=True, slots=True)
class LateWagersClosedBeforePeek:
    """R9: wagers made before the peek may no longer be placed; insurance or the peek follows."""


@dataclass(frozen=True, slots=True)
class HandHit:
    """A hand asked for another card."""

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
    card: Card


@dataclass(frozen=True, slots=True)
class SoftSeventeenReached:
    """R1, literal reading: from now on the dealer hits until the hand is hard."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A wager, a hand or an insurance is decided; these events come in the order of payment."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """The players' turns begin."""


@dataclass(frozen=True, slots=True)
class DealersTurn:
    """All players have finished their hands."""


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """Every wager and hand is decided."""


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
    | LateWagersClosedBeforePeek
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
