"""Messages over the WebSocket, in both directions, and their published schema."""

from functools import cache
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from upcard.service import commands as s
from upcard.service.server_messages import CommandId, ServerMessage
from upcard.service.wire_models import Details, Mine, Number

PLAIN = r"^[^:#\s\x00]([^:#\n\x00]*[^:#\s\x00])?$"  # no separators of ids, and no NUL, which PostgreSQL cannot store
MOST_FELTS = 100  # that one listener has in view
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=PLAIN)]


class _ClientMessage(BaseModel):
    model_config = ConfigDict(extra="forbid")


# --- from the client ----------------------------------------------------------------------------------------------


class Watch(_ClientMessage):
    """Subscribes to a table. `since` is the last record number received; `shown` adds unbet chips and meters."""

    type: Literal["watch"]
    table: Name
    since: Number | None = None
    shown: bool = False


class LeaveTable(_ClientMessage):
    """Ends the subscription to a table."""

    type: Literal["leave"]
    table: Name


class Say(_ClientMessage):
    """A command with an id that the client chooses: sent twice, it is carried out once."""

    type: Literal["command"]
    id: CommandId
    command: Annotated[s.Command, Field(discriminator="do")]


class ShowChips(_ClientMessage):
    """Your chips at a spot that are not bet yet: others see them, they are not recorded."""

    type: Literal["chips"]
    table: Name
    spot: Annotated[int, Field(ge=1, le=9)]
    stakes: Annotated[dict[Name, Annotated[int, Field(gt=0, le=2**40)]], Field(max_length=30)]


class SubscribeOverview(_ClientMessage):
    """Subscribes to one line per table and jackpot; without `tables`, as for a display, to jackpots only."""

    type: Literal["overview"]
    tables: bool = True


class ShowFelts(_ClientMessage):
    """Says which tables of the overview are in view: their lines come with their felts. It replaces an earlier one."""

    type: Literal["felts"]
    tables: Annotated[list[Name], Field(max_length=MOST_FELTS)]


class SubscribeLobby(_ClientMessage):
    """Subscribes to the lobby: one line per table, then every line that changed."""

    type: Literal["lobby"]


class Ping(_ClientMessage):
    """Asks for a pong."""

    type: Literal["ping"]


ClientMessage = Watch | LeaveTable | SubscribeOverview | ShowFelts | SubscribeLobby | Say | ShowChips | Ping
FROM_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


# --- from the server: classes of the service ----------------------------------------------------------------------

FROM_SERVER: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def encode(message: ServerMessage | Mine) -> str:
    """The JSON text of a message, or of the part that only one player gets."""
    return orjson.dumps(message).decode()


@cache
def message_schema() -> Details:
    """The JSON Schema of all messages, by sender: `client` or `server`."""
    sides, definitions = TypeAdapter.json_schemas(
        [("client", "validation", FROM_CLIENT), ("server", "validation", FROM_SERVER)],
        title="Messages over the WebSocket",
        ref_template="#/$defs/{model}",
    )
    named = {name: sides[name, "validation"] for name in ("client", "server")}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **definitions, "properties": named}
