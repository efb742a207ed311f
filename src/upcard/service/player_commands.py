"""What players say at a table."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from upcard.engine import commands as c
from upcard.ledger.record import Amount
from upcard.pit import orders as o
from upcard.service.command_base import OfPlayer, OfSpot, Spot, Wager, WireAmounts, command


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
