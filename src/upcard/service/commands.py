"""What players, dealers, the floor and the clock may say. Ids, moments and actors come beside them.

A command that a round, the pit or the book carries out as it is said is theirs, and only gets a table here: `Hit` is
the engine's `Hit` at a table, `Fill` is the book's own request. What only the service understands is defined here.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import orjson
from pydantic import Field, TypeAdapter

from upcard.engine import commands as c
from upcard.ledger.jackpots.requests import (
    AccrueDay,
    CureEscrow,
    DenyWin,
    Deposit,
    EscrowLost,
    PayWin,
    Post,
    Reduce,
    Resume,
    SetCap,
    Suspend,
    Verify,
)
from upcard.ledger.record import Amount, CodedJson, Name
from upcard.ledger.requests import BuyIn as BuyIn
from upcard.ledger.requests import CashOut as CashOut
from upcard.ledger.requests import CloseDay as CloseDay
from upcard.ledger.requests import Correct as Correct
from upcard.ledger.requests import Credit as Credit
from upcard.ledger.requests import Fill as Fill
from upcard.ledger.requests import PayTips as PayTips
from upcard.ledger.requests import SetHours as SetHours
from upcard.ledger.requests import Tip as Tip
from upcard.pit import orders as o
from upcard.service.command_base import AtTable as AtTable
from upcard.service.command_base import (
    CardText,
    Counted,
    Money,
    Spot,
    Wager,
    WireAmounts,
    Words,
    command,
    is_unset,
)
from upcard.service.command_base import OfPlayer as OfPlayer
from upcard.service.command_base import OfSpot as OfSpot
from upcard.service.command_base import Pace as Pace
from upcard.service.command_base import fields_of as fields_of

# --- the floor ----------------------------------------------------------------------------------------------------


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


# --- players ------------------------------------------------------------------------------------------------------


@command
class Seat(OfPlayer, o.Seat):
    """A player takes a spot."""

    do: Literal["seat"] = "seat"
    spot: Spot


@command
class Leave(OfPlayer):
    """A player gives a spot up; all of them when none is named."""

    do: Literal["leave"] = "leave"
    spot: Spot | None = None


@command
class Bet(OfSpot):
    """Stakes on the circles of a spot, each in place of what was there; all of them or none."""

    do: Literal["bet"] = "bet"
    stakes: Mapping[Wager, Amount] = Field(min_length=1, max_length=20)


@command
class ClearWagers(OfSpot, c.ClearWagers):
    """A stake is taken back, or all of a spot."""

    do: Literal["clear"] = "clear"


@command
class Ready(OfPlayer):
    """A player has no more wagers to make; when all at the table have said so, the dealer goes on."""

    do: Literal["ready"] = "ready"


@command
class Insure(OfSpot):
    """Insurance by one amount on each main wager; as much as is allowed when no amount is named."""

    do: Literal["insure"] = "insure"
    amount: Amount | None = None


@command
class DeclineInsurance(OfSpot, c.DeclineInsurance):
    """No insurance, no even money."""

    do: Literal["decline-insurance"] = "decline-insurance"


@command
class TakeEvenMoney(OfSpot, c.TakeEvenMoney):
    """One to one for a blackjack against an ace."""

    do: Literal["even-money"] = "even-money"


@command
class Hit(OfSpot, c.Hit):
    """Another card."""

    do: Literal["hit"] = "hit"


@command
class Stay(OfSpot, c.Stay):
    """No more cards."""

    do: Literal["stay"] = "stay"


@command
class Double(OfSpot, c.Double):
    """One more card for an added wager; the full amount when none is named."""

    do: Literal["double"] = "double"
    amounts: WireAmounts = ()


@command
class Split(OfSpot, c.Split):
    """Two hands out of a pair."""

    do: Literal["split"] = "split"


@command
class Surrender(OfSpot, c.Surrender):
    """Half of every main wager back."""

    do: Literal["surrender"] = "surrender"


@command
class Away(OfPlayer):
    """A player's connection is gone: their seat is held for a while."""

    do: Literal["away"] = "away"


@command
class SitOut(OfPlayer):
    """A player skips rounds and keeps their seat for a while."""

    do: Literal["sit-out"] = "sit-out"


@command
class Back(OfPlayer):
    """A player is there again."""

    do: Literal["back"] = "back"


@command
class CallFloor(OfPlayer):
    """A player asks for somebody of the floor to come to the table."""

    do: Literal["call-floor"] = "call-floor"


@command
class Cut(OfPlayer):
    """A player adds words of their own to the next shuffle, and may say where to cut."""

    do: Literal["cut"] = "cut"
    words: Annotated[str, Field(max_length=64)] = ""
    place: Annotated[int, Field(ge=1, le=416)] | None = None


# --- the clock and the house --------------------------------------------------------------------------------------


@command
class Timeout(AtTable):
    """A timer of a table has run out; its id is made from its key, so it fires once."""

    do: Literal["timeout"] = "timeout"
    key: Words
    void: CodedJson | None = Field(default=None, exclude_if=is_unset)  # the refusal of what was due: void the round


@command
class ChangeRules(AtTable):
    """Between two shoes a table takes the rules of its files as they stand now; the record names them."""

    do: Literal["change-rules"] = "change-rules"


HouseRequest = Annotated[
    SetHours
    | CloseDay
    | Verify
    | PayWin
    | DenyWin
    | Suspend
    | Resume
    | Post
    | AccrueDay
    | SetCap
    | Reduce
    | Deposit
    | EscrowLost
    | CureEscrow,
    Field(discriminator="order"),
]


@command
class House:
    """A request to the book that belongs to no table: hours, the daily close, jackpots."""

    do: Literal["house"] = "house"
    request: HouseRequest


@command
class OpenJackpot:
    """A jackpot opens on the terms a layout sets for one of its wagers."""

    do: Literal["open-jackpot"] = "open-jackpot"
    jackpot: Name
    layout: str
    wager: Wager


ByPlayers = (  # chips are bought, cashed and tipped through the house's hands
    Seat
    | Leave
    | Bet
    | ClearWagers
    | Ready
    | Insure
    | DeclineInsurance
    | TakeEvenMoney
    | Hit
    | Stay
    | Double
    | Split
    | Surrender
    | Away
    | SitOut
    | Back
    | Cut
    | CallFloor
)
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
ByTheProgram = Timeout | ChangeRules
TableCommand = ByPlayers | ByTheFloor | ByTheProgram
Command = TableCommand | House | OpenJackpot

COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])


NAMES: Mapping[type, str] = {  # of the engine's commands, as they are sent and stored
    c.PlaceWager: "bet",
    c.Insure: "insure",
    c.DealCard: "card",
    **{
        base: get_args(kind.__annotations__["do"])[0]
        for kind in get_args(TableCommand)
        for base in kind.__bases__
        if base.__module__ == c.__name__
    },
}


def command_name(kind: type) -> str:
    """What a kind of command is called on the wire and in records."""
    return str(fields_of(kind)["do"].default)


def command_json(said: Command) -> str:
    """A command as it is sent and stored: first whose it is, then what is said."""
    told = COMMANDS.dump_python(said, mode="json", by_alias=False)
    whose = ("table", "player" if "player" in told else "spot", "do")
    first = {name: told.pop(name) for name in whose if name in told}
    return orjson.dumps({**first, **told}).decode()
