"""What the floor and the dealer say at a table, and the chips that move through the house's hands."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from upcard.engine import commands as c
from upcard.ledger.record import Name
from upcard.ledger.requests import BuyIn as BuyIn
from upcard.ledger.requests import CashOut as CashOut
from upcard.ledger.requests import Correct as Correct
from upcard.ledger.requests import Credit as Credit
from upcard.ledger.requests import Fill as Fill
from upcard.ledger.requests import PayTips as PayTips
from upcard.ledger.requests import Tip as Tip
from upcard.pit import orders as o
from upcard.service.command_base import (
    AtTable,
    CardText,
    Counted,
    Money,
    OfPlayer,
    Pace,
    Wager,
    Words,
    command,
    is_unset,
)


@command
class OpenTable(AtTable):
    """A table opens with a counted tray; jackpots that are not there yet open on the layout's terms.

    Dealt by hand, its cards come from the dealer's keyboard and not from a shoe of the service.
    """

    do: Literal["open-table"] = "open-table"
    layout: str
    tray: Counted = 0
    jackpots: Mapping[Wager, Name] = Field(default_factory=dict)
    pace: Pace = Pace()
    why: str = ""  # the tray differs from the last count
    by_hand: bool = Field(default=False, exclude_if=is_unset)


@command
class CloseTable(AtTable):
    """A table closes, its tray counted."""

    do: Literal["close-table"] = "close-table"
    tray: Counted
    why: str = ""


@command
class PostMinimum(AtTable, o.PostMinimum):
    """Another minimum is posted."""

    do: Literal["post-minimum"] = "post-minimum"
    amount: Money


@command
class NotifyFlatBet(OfPlayer, o.NotifyFlatBet):
    """A player is held to their first wagers of the shoe."""

    do: Literal["flat-bet"] = "flat-bet"


@command
class AskToRelinquish(OfPlayer, o.AskToRelinquish):
    """A player is asked for their second and later spots."""

    do: Literal["relinquish"] = "relinquish"


@command
class AnnounceClosing(AtTable, o.AnnounceClosing):
    """The game ends after this shoe."""

    do: Literal["announce-closing"] = "announce-closing"


@command
class SetShuffler(AtTable, o.SetShuffler):
    """The next shoe is shuffled by hand or by machine."""

    do: Literal["set-shuffler"] = "set-shuffler"


@command
class AnswerCall(OfPlayer):
    """Somebody of the floor has come to a player who called."""

    do: Literal["answer-call"] = "answer-call"


@command
class Void(AtTable):
    """A misdeal: every stake goes back."""

    do: Literal["void"] = "void"
    why: Words


@command
class Reset(AtTable):
    """A stopped table begins anew: stakes go back, seats are free, the shoe is put away."""

    do: Literal["reset"] = "reset"
    pace: Pace = Pace()
    why: Words
    by_hand: bool = Field(default=False, exclude_if=is_unset)


@command
class Deal(AtTable):
    """The dealer closes what is open: betting, insurance, late wagers."""

    do: Literal["deal"] = "deal"


@command
class Shuffle(AtTable, o.EndShoe):
    """The house shuffles: the shoe ends with the round on the felt, or at once."""

    do: Literal["shuffle"] = "shuffle"


# --- dealt by hand ------------------------------------------------------------------------------------------------


@command
class PlaceShoe(AtTable):
    """The decks are verified, washed, shuffled and cut: a new shoe lies on the table."""

    do: Literal["new-shoe"] = "new-shoe"


@command
class EnterCard(AtTable):
    """The card that was dealt, to where one is due; a hole card is entered when it is turned over."""

    do: Literal["card"] = "card"
    card: CardText


@command
class Peek(AtTable, c.Peek):
    """What the dealer saw under the up card."""

    do: Literal["peek"] = "peek"


@command
class CutCard(AtTable, o.EndShoe):
    """The cut card came out: this is the last round of the shoe."""

    do: Literal["cut-card"] = "cut-card"


@command
class CorrectCard(AtTable):
    """A card of this round was entered wrongly: the n-th was another one."""

    do: Literal["correct-card"] = "correct-card"
    number: Annotated[int, Field(ge=1, le=416)]
    card: CardText


@command
class TakeBack(AtTable):
    """The last thing entered in this round was not so."""

    do: Literal["take-back"] = "take-back"


@command
class Settle(AtTable, o.EndRound):
    """The dealer has paid and taken what they were told: the round is booked."""

    do: Literal["settle"] = "settle"


Chips = Fill | Credit | BuyIn | CashOut | Tip | PayTips | Correct  # what the book alone decides
ByTheDealer = PlaceShoe | EnterCard | Peek | CutCard | CorrectCard | TakeBack | Settle  # where cards are dealt by hand
ByTheFloor = (
    OpenTable
    | CloseTable
    | PostMinimum
    | NotifyFlatBet
    | AskToRelinquish
    | AnnounceClosing
    | SetShuffler
    | AnswerCall
    | Void
    | Reset
    | Deal
    | Shuffle
    | ByTheDealer
    | Chips
)
