"""Commands of the floor's log: the name of the house, shift notes, handovers and disputes. They move no money."""

from typing import Annotated, Literal

from pydantic import Field

from upcard.ledger.record import Name
from upcard.service.command_base import Counted, Spot, Words, command

RecordNumber = Annotated[int, Field(ge=1, le=2**53, strict=True)]  # of a record of the floor's log
DisputeOutcome = Literal["upheld", "partly-upheld", "denied", "withdrawn"]


@command
class NameHouse:
    """Names the house, as its pages and printed sheets show it."""

    do: Literal["name-house"] = "name-house"
    name: Annotated[str, Field(min_length=1, max_length=80)]


@command
class WriteNote:
    """Writes a note of the shift, about a table or about the floor."""

    do: Literal["note"] = "note"
    table: Name | Literal[""] = ""
    text: Words


@command
class HandOver:
    """Hands the floor over to the next shift, with what they must know."""

    do: Literal["hand-over"] = "hand-over"
    text: Words


@command
class TakeOver:
    """Takes the floor over: the next shift has read what was handed over."""

    do: Literal["take-over"] = "take-over"
    hand_over: RecordNumber


@command
class OpenDispute:
    """Opens a dispute about a finished round."""

    do: Literal["open-dispute"] = "open-dispute"
    table: Name
    round: Annotated[int, Field(ge=1, le=2**53, strict=True)]
    player: Name
    spot: Spot | None = None
    claim: Words


@command
class SettleDispute:
    """Settles a dispute. What was paid because of it is booked by itself, as a correction."""

    do: Literal["settle-dispute"] = "settle-dispute"
    dispute: RecordNumber
    outcome: DisputeOutcome
    why: Words
    paid: Counted = 0


FloorLogCommand = NameHouse | WriteNote | HandOver | TakeOver | OpenDispute | SettleDispute
