"""Commands to a round from players, the dealer and the shoe. A command may be refused."""

from dataclasses import dataclass

from upcard.cards import Card
from upcard.units import Cents

Amounts = tuple[tuple[str, Cents], ...]  # by main wager


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """Sets the stake on a wager, replacing the stake that was there."""

    spot: int
    wager: str
    amount: Cents


@dataclass(frozen=True, slots=True)
class ClearWagers:
    """Takes back one wager, or all wagers of a spot; taking back the main wager takes back all of them."""

    spot: int
    wager: str = ""


@dataclass(frozen=True, slots=True)
class CloseBetting:
    """No more bets; the deal begins."""


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deals the card that the round waits for; None is a hole card that nobody has seen."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Insure:
    """Takes insurance, for the same amount on each main wager."""

    spot: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class DeclineInsurance:
    """Declines both insurance and even money."""

    spot: int


@dataclass(frozen=True, slots=True)
class TakeEvenMoney:
    """Takes 1 to 1 for a blackjack against an ace."""

    spot: int


@dataclass(frozen=True, slots=True)
class CloseInsurance:
    """No more insurance; spots that have not answered decline it."""


@dataclass(frozen=True, slots=True)
class Peek:
    """What the dealer saw when peeking, at a table where the engine does not know the hole card."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class CloseLateWagers:
    """No more of the wagers that are made after the peek."""


@dataclass(frozen=True, slots=True)
class Hit:
    spot: int


@dataclass(frozen=True, slots=True)
class Stay:
    spot: int


@dataclass(frozen=True, slots=True)
class Double:
    """Adds to the main wagers and takes exactly one more card."""

    spot: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class Split:
    spot: int


@dataclass(frozen=True, slots=True)
class Surrender:
    """Gives the hand up for half of each main wager."""

    spot: int


Command = (
    PlaceWager
    | ClearWagers
    | CloseBetting
    | DealCard
    | Insure
    | DeclineInsurance
    | TakeEvenMoney
    | CloseInsurance
    | Peek
    | CloseLateWagers
    | Hit
    | Stay
    | Double
    | Split
    | Surrender
)
