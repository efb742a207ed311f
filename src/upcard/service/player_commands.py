"""Commands of players at a table."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from upcard.engine import commands as c
from upcard.ledger.record import Amount
from upcard.pit import orders as o
from upcard.service.command_base import OfPlayer, OfSpot, Spot, Wager, WireAmounts, command


@command
class Seat(OfPlayer, o.Seat):
    """Takes a spot."""

    do: Literal["seat"] = "seat"
    spot: Spot


@command
class Leave(OfPlayer):
    """Frees a player's spot, or all of them if none is given."""

    do: Literal["leave"] = "leave"
    spot: Spot | None = None


@command
class Bet(OfSpot):
    """Places stakes on a spot's circles, replacing what was there; all of them or none."""

    do: Literal["bet"] = "bet"
    stakes: Mapping[Wager, Amount] = Field(min_length=1, max_length=20)


@command
class BetSpots(OfPlayer):
    """Places stakes on several of a player's spots, replacing what was there; all of them or none. With `ready`, the
    player then has no more wagers to make: if that is refused, nothing is placed either."""

    do: Literal["bet-spots"] = "bet-spots"
    spots: Mapping[Spot, Annotated[Mapping[Wager, Amount], Field(min_length=1, max_length=20)]] = Field(
        min_length=1, max_length=20
    )
    ready: bool = False


@command
class ClearSpots(OfPlayer):
    """Takes back all wagers of a player before the deal; the player is no longer ready."""

    do: Literal["clear-spots"] = "clear-spots"


@command
class ClearWagers(OfSpot, c.ClearWagers):
    """Clears a wager, or all wagers of a spot."""

    do: Literal["clear"] = "clear"


@command
class Ready(OfPlayer):
    """The player has no more wagers to make; when all players are ready, the dealer continues."""

    do: Literal["ready"] = "ready"


@command
class Insure(OfSpot):
    """Takes insurance by one amount on each main wager, or by the most allowed if none is given."""

    do: Literal["insure"] = "insure"
    amount: Amount | None = None


@command
class DeclineInsurance(OfSpot, c.DeclineInsurance):
    """Declines insurance and even money."""

    do: Literal["decline-insurance"] = "decline-insurance"


@command
class TakeEvenMoney(OfSpot, c.TakeEvenMoney):
    """Takes 1 to 1 for a blackjack against an ace."""

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
    """One more card for an added wager; for the full amount if none is given."""

    do: Literal["double"] = "double"
    amounts: WireAmounts = ()


@command
class Split(OfSpot, c.Split):
    """Two hands out of a pair."""

    do: Literal["split"] = "split"


@command
class Surrender(OfSpot, c.Surrender):
    """Gives up the hand for half of every main wager."""

    do: Literal["surrender"] = "surrender"


@command
class Away(OfPlayer):
    """The player lost the connection; their seat is held for a while."""

    do: Literal["away"] = "away"


@command
class SitOut(OfPlayer):
    """The player skips rounds; their seat is held for a while."""

    do: Literal["sit-out"] = "sit-out"


@command
class Back(OfPlayer):
    """The player is back."""

    do: Literal["back"] = "back"


@command
class CallFloor(OfPlayer):
    """Calls the floor to the table."""

    do: Literal["call-floor"] = "call-floor"


@command
class Cut(OfPlayer):
    """Adds a player's words to the next shuffle, and optionally the place of the cut."""

    do: Literal["cut"] = "cut"
    words: Annotated[str, Field(max_length=64)] = ""
    place: Annotated[int, Field(ge=1, le=416)] | None = None


ByPlayers = (  # buy-ins, cash-outs and tips are commands of the house
    Seat
    | Leave
    | Bet
    | BetSpots
    | ClearWagers
    | ClearSpots
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
