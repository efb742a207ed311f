"""What players, dealers, the floor and the clock may ask of the service. Ids, moments and actors come beside them."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

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
from upcard.ledger.record import Amount, Level, Name, Record
from upcard.ledger.requests import CloseDay, SetHours
from upcard.units import MOST_MONEY

Seconds = Annotated[int, Field(ge=1, le=86_400)]
Spot = Annotated[int, Field(ge=1, le=20)]
Words = Annotated[str, Field(min_length=1, max_length=400)]
Wager = Annotated[str, Field(min_length=1, max_length=80)]
Card = Annotated[str, Field(pattern=r"^([2-9TJQKA])[cdhs]$")]
Counted = Annotated[int, Field(ge=0, le=MOST_MONEY, strict=True)]  # cents in a tray


def is_unset(value: object) -> bool:
    """Whether a field can be left out of the record because it has its usual value."""
    return not value


class Pace(Record):
    """How long a table waits, in seconds."""

    betting: Seconds = 20  # after the first wager
    decision: Seconds = 30
    insurance: Seconds = 10
    late: Seconds = 10
    away: Seconds = 120  # a seat is held for a player who is away
    sitting_out: Seconds = 1200


class OfTable(Record):
    """Something said at a table."""

    table: Name


class OfSpot(OfTable):
    """Something said for a spot."""

    spot: Spot


class OfPlayer(OfTable):
    """Something said by or about a player."""

    player: Name


# --- the floor ----------------------------------------------------------------------------------------------------


class OpenTable(OfTable):
    """A table opens with a counted tray; jackpots that are not there yet open on the layout's terms.

    Dealt by hand, its cards come from the dealer's keyboard and not from a shoe of the service.
    """

    do: Literal["open-table"] = "open-table"
    layout: str
    tray: Counted = 0
    jackpots: dict[Wager, Name] = Field(default={})
    pace: Pace = Pace()
    why: str = ""  # the tray differs from the last count
    by_hand: bool = Field(default=False, exclude_if=is_unset)


class CloseTable(OfTable):
    """A table closes, its tray counted."""

    do: Literal["close-table"] = "close-table"
    tray: Counted
    why: str = ""


class Fill(OfTable):
    """Chips come from the cage."""

    do: Literal["fill"] = "fill"
    amount: Amount


class Credit(OfTable):
    """Chips go back to the cage."""

    do: Literal["credit"] = "credit"
    amount: Amount


class PostMinimum(OfTable):
    """Another minimum is posted."""

    do: Literal["post-minimum"] = "post-minimum"
    amount: Amount


class FlatBet(OfPlayer):
    """A player is held to his first wagers of the shoe."""

    do: Literal["flat-bet"] = "flat-bet"


class Relinquish(OfPlayer):
    """A player is asked for his second and later spots."""

    do: Literal["relinquish"] = "relinquish"


class AnnounceClosing(OfTable):
    """The game ends after this shoe."""

    do: Literal["announce-closing"] = "announce-closing"


class SetShuffler(OfTable):
    """The next shoe is shuffled by hand or by machine."""

    do: Literal["set-shuffler"] = "set-shuffler"
    shuffler: str


class Void(OfTable):
    """A misdeal: every stake goes back."""

    do: Literal["void"] = "void"
    why: Words


class Reset(OfTable):
    """A stopped table begins anew: stakes go back, seats are free, the shoe is put away."""

    do: Literal["reset"] = "reset"
    pace: Pace = Pace()
    why: Words
    by_hand: bool = Field(default=False, exclude_if=is_unset)


class Deal(OfTable):
    """The dealer closes what is open: betting, insurance, late wagers."""

    do: Literal["deal"] = "deal"


class Shuffle(OfTable):
    """The house shuffles: the shoe ends with the round on the felt, or at once."""

    do: Literal["shuffle"] = "shuffle"


# --- dealt by hand ------------------------------------------------------------------------------------------------


class NewShoe(OfTable):
    """The decks are verified, washed, shuffled and cut: a new shoe lies on the table."""

    do: Literal["new-shoe"] = "new-shoe"


class DealCard(OfTable):
    """The card that was dealt, to where one is due; a hole card is entered when it is turned over."""

    do: Literal["card"] = "card"
    card: Card


class Peek(OfTable):
    """What the dealer saw under the up card."""

    do: Literal["peek"] = "peek"
    blackjack: bool


class CutCard(OfTable):
    """The cut card came out: this is the last round of the shoe."""

    do: Literal["cut-card"] = "cut-card"


class CorrectCard(OfTable):
    """A card of this round was entered wrongly: the n-th was another one."""

    do: Literal["correct-card"] = "correct-card"
    number: Annotated[int, Field(ge=1, le=416)]
    card: Card


class TakeBack(OfTable):
    """The last thing entered in this round was not so."""

    do: Literal["take-back"] = "take-back"


class Settle(OfTable):
    """The dealer has paid and taken what he was told: the round is booked."""

    do: Literal["settle"] = "settle"


class PayTips(OfTable):
    """The dealers receive their tips."""

    do: Literal["pay-tips"] = "pay-tips"
    amount: Amount


class Correct(OfTable):
    """Puts a transfer right."""

    do: Literal["correct"] = "correct"
    transfer: Words
    amount: Amount
    to_player: Name | Literal[""] = ""
    why: Words


# --- players ------------------------------------------------------------------------------------------------------


class Seat(OfPlayer):
    """A player takes a spot."""

    do: Literal["seat"] = "seat"
    spot: Spot


class Leave(OfPlayer):
    """A player gives a spot up; all of them when none is named."""

    do: Literal["leave"] = "leave"
    spot: Spot | None = None


class BuyIn(OfPlayer):
    """A player buys chips."""

    do: Literal["buy-in"] = "buy-in"
    amount: Amount


class CashOut(OfPlayer):
    """A player gives chips back."""

    do: Literal["cash-out"] = "cash-out"
    amount: Amount


class Tip(OfPlayer):
    """A player tips the dealers."""

    do: Literal["tip"] = "tip"
    amount: Amount


class Bet(OfSpot):
    """Stakes on the circles of a spot, each in place of what was there; all of them or none."""

    do: Literal["bet"] = "bet"
    stakes: dict[Wager, Amount] = Field(min_length=1, max_length=20)


class Clear(OfSpot):
    """A stake is taken back, or all of a spot."""

    do: Literal["clear"] = "clear"
    wager: str = ""


class Ready(OfPlayer):
    """A player has no more wagers to make; when all at the table have said so, the dealer goes on."""

    do: Literal["ready"] = "ready"


class Insure(OfSpot):
    """Insurance; as much as is allowed when no amount is named."""

    do: Literal["insure"] = "insure"
    amount: Amount | None = None  # on each main wager


class DeclineInsurance(OfSpot):
    """No insurance, no even money."""

    do: Literal["decline-insurance"] = "decline-insurance"


class EvenMoney(OfSpot):
    """One to one for a blackjack against an ace."""

    do: Literal["even-money"] = "even-money"


class Hit(OfSpot):
    """Another card."""

    do: Literal["hit"] = "hit"


class Stay(OfSpot):
    """No more cards."""

    do: Literal["stay"] = "stay"


class Double(OfSpot):
    """One more card for an added wager; the full amount when none is named."""

    do: Literal["double"] = "double"
    amounts: dict[Wager, Level] = Field(default={}, max_length=20)


class Split(OfSpot):
    """Two hands out of a pair."""

    do: Literal["split"] = "split"


class Surrender(OfSpot):
    """Half of every main wager back."""

    do: Literal["surrender"] = "surrender"


class Away(OfPlayer):
    """A player's connection is gone: his seat is held for a while."""

    do: Literal["away"] = "away"


class SitOut(OfPlayer):
    """A player skips rounds and keeps his seat for a while."""

    do: Literal["sit-out"] = "sit-out"


class Back(OfPlayer):
    """A player is there again."""

    do: Literal["back"] = "back"


class Cut(OfPlayer):
    """A player adds words of his own to the next shuffle, and may say where to cut."""

    do: Literal["cut"] = "cut"
    words: Annotated[str, Field(max_length=64)] = ""
    place: Annotated[int, Field(ge=1, le=416)] | None = None


# --- the clock and the house --------------------------------------------------------------------------------------


class Timeout(OfTable):
    """A timer of a table has run out; its id is made from its key, so it fires once."""

    do: Literal["timeout"] = "timeout"
    key: Words
    void: dict[str, Any] | None = Field(
        default=None, exclude_if=is_unset
    )  # the refusal of what was due: void the round


class ChangeRules(OfTable):
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


class House(Record):
    """A request to the book that belongs to no table: hours, the daily close, jackpots."""

    do: Literal["house"] = "house"
    request: HouseRequest


class OpenJackpot(Record):
    """A jackpot opens on the terms a layout sets for one of its wagers."""

    do: Literal["open-jackpot"] = "open-jackpot"
    jackpot: Name
    layout: str
    wager: Wager


ByPlayers = (  # chips are bought, cashed and tipped through the house's hands
    Seat
    | Leave
    | Bet
    | Clear
    | Ready
    | Insure
    | DeclineInsurance
    | EvenMoney
    | Hit
    | Stay
    | Double
    | Split
    | Surrender
    | Away
    | SitOut
    | Back
    | Cut
)
ByTheFloor = (
    OpenTable
    | CloseTable
    | Fill
    | Credit
    | PostMinimum
    | FlatBet
    | Relinquish
    | AnnounceClosing
    | SetShuffler
    | Void
    | Reset
    | Deal
    | Shuffle
    | NewShoe
    | DealCard
    | Peek
    | CutCard
    | CorrectCard
    | TakeBack
    | Settle
    | BuyIn
    | CashOut
    | Tip
    | PayTips
    | Correct
)
ByTheDealer = NewShoe | DealCard | Peek | CutCard | CorrectCard | TakeBack | Settle  # where cards are dealt by hand
ByTheProgram = Timeout | ChangeRules
TableCommand = ByPlayers | ByTheFloor | ByTheProgram
Command = TableCommand | House | OpenJackpot

COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])
