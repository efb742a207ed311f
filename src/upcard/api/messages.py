"""Everything that is said over a socket, in both directions: the schemas are published, the tests hold us to them."""

from functools import cache
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from upcard.service import commands as s
from upcard.service.server_messages import CommandId, ServerMessage
from upcard.service.wire_models import Details, Mine, Number

PLAIN = r"^[^:#\s\x00]([^:#\n\x00]*[^:#\s\x00])?$"  # a name that every database can be asked for
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=PLAIN)]


class _ClientMessage(BaseModel):
    model_config = ConfigDict(extra="forbid")


# --- what a client says -------------------------------------------------------------------------------------------


class Watch(_ClientMessage):
    """Hear of a table; `since` is the last number heard; `shown`: see chips not handed in and meters too."""

    type: Literal["watch"]
    table: Name
    since: Number | None = None
    shown: bool = False


class LeaveTable(_ClientMessage):
    """Hear no more of it."""

    type: Literal["leave"]
    table: Name


class Say(_ClientMessage):
    """A command, with an id of the client's own choice: said twice, it is done once."""

    type: Literal["command"]
    id: CommandId
    command: Annotated[s.Command, Field(discriminator="do")]


class ShowChips(_ClientMessage):
    """The chips before a spot of yours that are not handed in: others see them, nobody books them."""

    type: Literal["chips"]
    table: Name
    spot: Annotated[int, Field(ge=1, le=9)]
    stakes: Annotated[dict[Name, Annotated[int, Field(gt=0, le=2**40)]], Field(max_length=30)]


class SubscribeOverview(_ClientMessage):
    """Hear of all tables in short, and of all jackpots; or, as a display does, of jackpots alone."""

    type: Literal["overview"]
    tables: bool = True


class Ping(_ClientMessage):
    """Are you there?"""

    type: Literal["ping"]


ClientMessage = Watch | LeaveTable | SubscribeOverview | Say | ShowChips | Ping
FROM_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


# --- what the server says: the classes are the service's own ------------------------------------------------------

FROM_SERVER: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def encode(message: ServerMessage | Mine) -> str:
    """A message, or the part of one that only one player hears, as it goes over the wire."""
    return orjson.dumps(message).decode()


@cache
def message_schema() -> Details:
    """JSON Schema of everything a client may say (`client`) and may hear (`server`)."""
    sides, found = TypeAdapter.json_schemas(
        [("client", "validation", FROM_CLIENT), ("server", "validation", FROM_SERVER)],
        title="What is said over the socket",
        ref_template="#/$defs/{model}",
    )
    named = {name: sides[name, "validation"] for name in ("client", "server")}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found, "properties": named}
