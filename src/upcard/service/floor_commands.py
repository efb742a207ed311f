"""Commands of the floor and the dealer at a table, including buy-ins, cash-outs, tips, fills and credits."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from upcard.engine import commands as c
from upcard.ledger.denominations import Chips as ChipCounts
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
    """Opens a table with a counted tray; opens its jackpots on the layout's terms if they do not exist.

    With `by_hand`, the dealer enters the cards; otherwise the service deals them.
    """

    do: Literal["open-table"] = "open-table"
    layout: str
    tray: Counted = 0
    jackpots: Mapping[Wager, Name] = Field(default_factory=dict)
    pace: Pace = Pace()
    chips: ChipCounts = ()  # in the tray
    why: str = ""  # why the tray differs from the last count
    by_hand: bool = Field(default=False, exclude_if=is_unset)


@command
class CloseTable(AtTable):
    """Closes a table with its tray counted."""

    do: Literal["close-table"] = "close-table"
    tray: Counted
    chips: ChipCounts = ()  # in the tray
    why: str = ""


@command
class PostMinimum(AtTable, o.PostMinimum):
    """Posts another minimum."""

    do: Literal["post-minimum"] = "post-minimum"
    amount: Money


@command
class NotifyFlatBet(OfPlayer, o.NotifyFlatBet):
    """Holds a player to their first wagers of the shoe."""

    do: Literal["flat-bet"] = "flat-bet"


@command
class AskToRelinquish(OfPlayer, o.AskToRelinquish):
    """Asks a player to give up their second and later spots."""

    do: Literal["relinquish"] = "relinquish"


@command
class AnnounceClosing(AtTable, o.AnnounceClosing):
    """Announces that the game ends after this shoe."""

    do: Literal["announce-closing"] = "announce-closing"


@command
class SetShuffler(AtTable, o.SetShuffler):
    """Sets whether the next shoe is shuffled by hand or by machine."""

    do: Literal["set-shuffler"] = "set-shuffler"


@command
class AnswerCall(OfPlayer):
    """Answers a player's call: the floor has come to the table."""

    do: Literal["answer-call"] = "answer-call"


@command
class Void(AtTable):
    """Voids the round (a misdeal): every stake is returned."""

    do: Literal["void"] = "void"
    why: Words


@command
class Reset(AtTable):
    """Resets a stopped table: returns stakes, frees seats, and starts a new shoe."""

    do: Literal["reset"] = "reset"
    pace: Pace = Pace()
    why: Words
    by_hand: bool = Field(default=False, exclude_if=is_unset)


@command
class Deal(AtTable):
    """Closes betting, insurance or late wagers, whichever is open."""

    do: Literal["deal"] = "deal"


@command
class Shuffle(AtTable, o.EndShoe):
    """Ends the shoe after the round in progress, or at once."""

    do: Literal["shuffle"] = "shuffle"


# --- dealt by hand ------------------------------------------------------------------------------------------------


@command
class LogOn(AtTable):
    """The dealer takes over the table; whoever dealt there is relieved."""

    do: Literal["log-on"] = "log-on"


@command
class LogOff(AtTable):
    """The dealer leaves the table."""

    do: Literal["log-off"] = "log-off"


@command
class PlaceShoe(AtTable):
    """A new shoe is on the table: its decks are verified, washed, shuffled and cut."""

    do: Literal["new-shoe"] = "new-shoe"


@command
class EnterCard(AtTable):
    """Enters the card that was dealt next; the hole card is entered when it is turned over."""

    do: Literal["card"] = "card"
    card: CardText


@command
class Peek(AtTable, c.Peek):
    """Enters whether the peek showed a blackjack."""

    do: Literal["peek"] = "peek"


@command
class CutCard(AtTable, o.EndShoe):
    """The cut card came out: this is the last round of the shoe."""

    do: Literal["cut-card"] = "cut-card"


@command
class CorrectCard(AtTable):
    """Corrects the n-th card entered in this round."""

    do: Literal["correct-card"] = "correct-card"
    number: Annotated[int, Field(ge=1, le=416)]
    card: CardText


@command
class TakeBack(AtTable):
    """Takes back the last entry of this round."""

    do: Literal["take-back"] = "take-back"


@command
class Settle(AtTable, o.EndRound):
    """Settles the round after the dealer has paid and collected."""

    do: Literal["settle"] = "settle"


Chips = Fill | Credit | BuyIn | CashOut | Tip | PayTips | Correct  # carried out by the ledger alone
ByTheDealer = LogOn | LogOff | PlaceShoe | EnterCard | Peek | CutCard | CorrectCard | TakeBack | Settle  # by hand
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
