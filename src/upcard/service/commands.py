"""All commands of players, dealers, the floor and the clock. Ids, times and actors are kept separately.

A command that the engine, the pit or the ledger carries out unchanged is their class with a table added: `Hit` is the
engine's `Hit` at a table, `Fill` is the ledger's request. Others are defined in the service. Players' commands are in
`player_commands`, those of the floor and the dealer in `floor_commands`.
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
    HandOverVerification,
    Reduce,
    Resume,
    SetCap,
    Suspend,
    Verify,
    WithdrawPost,
)
from upcard.ledger.jackpots.requests import PayWin as PayWin
from upcard.ledger.jackpots.requests import Post as Post
from upcard.ledger.record import CodedJson, Name
from upcard.ledger.requests import AcknowledgeAlert as AcknowledgeAlert
from upcard.ledger.requests import CloseDay as CloseDay
from upcard.ledger.requests import PublishCatalog as PublishCatalog
from upcard.ledger.requests import SetHours as SetHours
from upcard.service.command_base import AtTable as AtTable
from upcard.service.command_base import OfPlayer as OfPlayer
from upcard.service.command_base import OfSpot as OfSpot
from upcard.service.command_base import Pace as Pace
from upcard.service.command_base import Wager, Words, command, is_unset
from upcard.service.command_base import fields_of as fields_of
from upcard.service.floor_commands import *  # noqa: F403 - every command can be named through this module
from upcard.service.floor_commands import ByTheFloor as ByTheFloor
from upcard.service.floor_log_commands import *  # noqa: F403 - every command can be named through this module
from upcard.service.floor_log_commands import FloorLogCommand as FloorLogCommand
from upcard.service.player_commands import *  # noqa: F403 - every command can be named through this module
from upcard.service.player_commands import ByPlayers as ByPlayers


@command
class Timeout(AtTable):
    """A timer is due; its id is made from its key, so it fires once."""

    do: Literal["timeout"] = "timeout"
    key: Words
    void: CodedJson | None = Field(default=None, exclude_if=is_unset)  # why the timer's action failed: void the round


@command
class ChangeRules(AtTable):
    """Between two shoes, a table takes the rules now in its files; the record names them."""

    do: Literal["change-rules"] = "change-rules"


@command
class EndShoeOfDay(AtTable):
    """Between two rounds, ends a shoe that began on an earlier gaming day: the new day begins with a new shoe."""

    do: Literal["end-shoe-of-day"] = "end-shoe-of-day"


@command
class RenewShoe(AtTable):
    """After the book was restored: players may know the cards, so the round is void and the table gets a new shoe."""

    do: Literal["renew-shoe"] = "renew-shoe"


HouseRequest = Annotated[
    SetHours
    | CloseDay
    | PublishCatalog
    | AcknowledgeAlert
    | Verify
    | HandOverVerification
    | PayWin
    | DenyWin
    | Suspend
    | Resume
    | Post
    | WithdrawPost
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
    """A request to the ledger that belongs to no table: hours, the daily close, jackpots."""

    do: Literal["house"] = "house"
    request: HouseRequest


@command
class OpenJackpot:
    """Opens a jackpot on the terms that a layout sets for one of its wagers."""

    do: Literal["open-jackpot"] = "open-jackpot"
    jackpot: Name
    layout: str
    wager: Wager


ByTheProgram = Timeout | ChangeRules | EndShoeOfDay | RenewShoe
TableCommand = ByPlayers | ByTheFloor | ByTheProgram
Command = TableCommand | House | OpenJackpot | FloorLogCommand

COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])


NAMES: Mapping[type, str] = {  # stored names of the engine's commands
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
    """The name of a kind of command in messages and records."""
    return str(fields_of(kind)["do"].default)


def command_json(command_: Command) -> str:
    """The JSON of a command: first its table and player or spot, then the rest."""
    fields = COMMANDS.dump_python(command_, mode="json", by_alias=False)
    whose = ("table", "player" if "player" in fields else "spot", "do")
    first = {name: fields.pop(name) for name in whose if name in fields}
    return orjson.dumps({**first, **fields}).decode()
