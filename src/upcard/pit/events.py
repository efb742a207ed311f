"""What has happened at a table around its rounds. Events are past facts; the table's state carries their effect."""

from dataclasses import dataclass

from upcard.codes import Coded
from upcard.units import Cents


@dataclass(frozen=True, slots=True)
class SpotTaken:
    """A player sits down at a spot."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class SpotLeft:
    """A spot became free."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class AskedToRelinquish:
    """A player was asked to give up these spots, and did."""

    player: str
    spots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MinimumPosted:
    """The floor posted another minimum."""

    amount: Cents


@dataclass(frozen=True, slots=True)
class FlatBetNotified:
    """A player was told that they are held to the wagers of their first hand of the shoe."""

    player: str


@dataclass(frozen=True, slots=True)
class ClosingAnnounced:
    """The game ends after this shoe."""


@dataclass(frozen=True, slots=True)
class ShufflerSet:
    """How the next shoes are shuffled: by hand or by machine."""

    shuffler: str


@dataclass(frozen=True, slots=True)
class ShoeShuffled:
    """A shuffled and cut shoe is on the table."""

    cards: int


@dataclass(frozen=True, slots=True)
class BettingOpened:
    """Wagers may be made."""


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """Every stake goes back."""

    reason: Coded


@dataclass(frozen=True, slots=True)
class LastRoundAnnounced:
    """The house shuffles after this round."""


@dataclass(frozen=True, slots=True)
class CutCardOut:
    """The cut card came out: this is the last round of the shoe."""


@dataclass(frozen=True, slots=True)
class ShoeEnded:
    """The shoe is over."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The shoe after which the table closes is over."""


@dataclass(frozen=True, slots=True)
class DiscardsReturned:
    """The shoe ran out, and so many discards were shuffled to be dealt on (R33)."""

    cards: int


TableEvent = (
    SpotTaken
    | SpotLeft
    | AskedToRelinquish
    | MinimumPosted
    | FlatBetNotified
    | ClosingAnnounced
    | ShufflerSet
    | ShoeShuffled
    | BettingOpened
    | RoundVoided
    | LastRoundAnnounced
    | CutCardOut
    | ShoeEnded
    | GameEnded
    | DiscardsReturned
)
