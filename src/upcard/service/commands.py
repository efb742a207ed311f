"""What players, dealers, the floor and the clock may say. Ids, moments and actors come beside them.

A command that a round, the pit or the book carries out as it is said is theirs, and only gets a table here: `Hit` is
the engine's `Hit` at a table, `Fill` is the book's own request. What only the service understands is defined in the
service. Players' commands are in `player_commands`, those of the floor and the dealer in `floor_commands`.
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
from upcard.ledger.record import CodedJson, Name
from upcard.ledger.requests import CloseDay as CloseDay
from upcard.ledger.requests import SetHours as SetHours
from upcard.service.command_base import AtTable as AtTable
from upcard.service.command_base import OfPlayer as OfPlayer
from upcard.service.command_base import OfSpot as OfSpot
from upcard.service.command_base import Pace as Pace
from upcard.service.command_base import Wager, Words, command, is_unset
from upcard.service.command_base import fields_of as fields_of
from upcard.service.floor_commands import *  # noqa: F403 - every command can be named through this module
from upcard.service.floor_commands import ByTheFloor as ByTheFloor
from upcard.service.player_commands import *  # noqa: F403 - every command can be named through this module
from upcard.service.player_commands import ByPlayers as ByPlayers


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
