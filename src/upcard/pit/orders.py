"""Orders to a table between and around rounds, from the house and from players."""

from dataclasses import dataclass

from upcard.codes import Coded, phrases
from upcard.units import Cents


@dataclass(frozen=True, slots=True)
class Seat:
    """A player takes a spot."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class FreeSpot:
    """A spot becomes free."""

    spot: int


@dataclass(frozen=True, slots=True)
class AskToRelinquish:
    """The house asks a player to give up their second and later spots."""

    player: str


@dataclass(frozen=True, slots=True)
class PostMinimum:
    """The table's minimum is changed."""

    amount: Cents


@dataclass(frozen=True, slots=True)
class NotifyFlatBet:
    """A player is told that they are held to the wagers of their first hand of the shoe."""

    player: str


@dataclass(frozen=True, slots=True)
class AnnounceClosing:
    """Players are told that the game ends after this shoe."""


@dataclass(frozen=True, slots=True)
class SetShuffler:
    """From now on the shoe is shuffled by machine or by hand."""

    shuffler: str


@dataclass(frozen=True, slots=True)
class NewShoe:
    """A shuffled and cut shoe is on the table; its cut card comes after so many cards."""

    cut_card: int


@dataclass(frozen=True, slots=True)
class BeginRound:
    """Wagers may be made."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    """A misdeal: the round is void and every stake goes back."""

    reason: Coded


@dataclass(frozen=True, slots=True)
class EndShoe:
    """The cut card is out, or the house wants to shuffle: the shoe ends with the running round, or at once."""


@dataclass(frozen=True, slots=True)
class EndRound:
    """Dealt by hand: the dealer has paid and collected, and clears the felt."""


@dataclass(frozen=True, slots=True)
class ReturnDiscards:
    """The shoe ran out: the discards are shuffled and dealt on (R33)."""


Order = (
    Seat
    | FreeSpot
    | AskToRelinquish
    | PostMinimum
    | NotifyFlatBet
    | AnnounceClosing
    | SetShuffler
    | NewShoe
    | BeginRound
    | VoidRound
    | EndShoe
    | EndRound
    | ReturnDiscards
)

phrases(
    {
        "void/floor": "{note}",
        "void/wagers-cleared": "all wagers were taken back",
        "void/timer": "{refusal:coded}",
        "void/reset": "{note}",
        "void/restored": "the records were restored from a backup",
    }
)
