"""What players, the dealer and chance may say to a round. Commands are orders; they may be refused."""

from dataclasses import dataclass

from upcard.cards import Card
from upcard.units import Cents

Amounts = tuple[tuple[str, Cents], ...]  # by main wager


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """Puts this much on a wager, in place of what was there."""

    spot: int
    wager: str
    amount: Cents


@dataclass(frozen=True, slots=True)
class ClearWagers:
    """Takes a wager back, or all of a spot; with the main wager goes everything."""

    spot: int
    wager: str = ""


@dataclass(frozen=True, slots=True)
class CloseBetting:
    """No more bets: the deal begins."""


@dataclass(frozen=True, slots=True)
class DealCard:
    """The card the round waits for; no card: a hole card nobody has seen."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Insure:
    """Insurance, the same amount on each main wager."""

    spot: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class DeclineInsurance:
    """No insurance, no even money."""

    spot: int


@dataclass(frozen=True, slots=True)
class TakeEvenMoney:
    """One to one for a blackjack against an ace."""

    spot: int


@dataclass(frozen=True, slots=True)
class CloseInsurance:
    """The dealer waves a hand: no more insurance."""


@dataclass(frozen=True, slots=True)
class Peek:
    """What the dealer saw under the up card, where the engine does not know the hole card."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class CloseLateWagers:
    """No more wagers that are made after the peek."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Another card."""

    spot: int


@dataclass(frozen=True, slots=True)
class Stay:
    """No more cards."""

    spot: int


@dataclass(frozen=True, slots=True)
class Double:
    """One more card and no other, for an added amount on the main wagers."""

    spot: int
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class Split:
    """Two hands out of a pair."""

    spot: int


@dataclass(frozen=True, slots=True)
class Surrender:
    """Half of every main wager back."""

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
