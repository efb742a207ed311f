"""Messages from the server over the WebSocket."""

import re
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from upcard.service.event_models import Event
from upcard.service.jackpot_models import JackpotLine
from upcard.service.wire_models import Amounts, BookAnswers, Coded, Mine, Number, State, TableLine, sent

COMMAND_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
CommandId = Annotated[str, Field(pattern=rf"^{COMMAND_ID.pattern}$")]


@sent
class Snapshot(TypedDict):
    """A table's current state."""

    type: Literal["snapshot"]
    table: str
    number: Number
    state: State
    mine: NotRequired[Mine]


@sent
class Events(TypedDict):
    """A table's record: its events and, with the newest record, the state after it."""

    type: Literal["events"]
    table: str
    number: Number
    events: list[Event]
    state: NotRequired[State]
    mine: NotRequired[Mine]


@sent
class AnswerMessage(TypedDict):
    """A command was carried out; `repeated` if it had been carried out before."""

    type: Literal["answer"]
    id: CommandId
    number: Number
    told: BookAnswers
    repeated: bool


class RefusalFields(TypedDict):
    """Why a message was refused."""

    reason: str  # the code
    details: Coded | None  # the values in the sentence, where the code has any
    detail: str  # the sentence


@sent
class RefusedMessage(RefusalFields):
    """A message with an id was not carried out."""

    type: Literal["refused"]
    id: str


@sent
class ProblemMessage(RefusalFields):
    """A message without an id was not understood, or not carried out."""

    type: Literal["problem"]


@sent
class PlacedChips(TypedDict):
    """A player's chips at a spot, by circle."""

    player: str
    stakes: Amounts


@sent
class ChipsShown(TypedDict):
    """Chips on the felt that are not bet yet, by spot; a spot that is not listed has none."""

    type: Literal["chips"]
    table: str
    spots: dict[str, PlacedChips]


@sent
class MetersShown(TypedDict):
    """The jackpot meters of a table in cents, by wager and meter."""

    type: Literal["meters"]
    table: str
    meters: dict[str, Amounts]


@sent
class Overview(TypedDict):
    """The lines that changed, or all lines if `whole`. An empty message means that nothing changed."""

    type: Literal["overview"]
    tables: list[TableLine]
    jackpots: list[JackpotLine]
    whole: NotRequired[bool]


@sent
class Pong(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]


ServerMessage = (
    Snapshot | Events | Overview | ChipsShown | MetersShown | AnswerMessage | RefusedMessage | ProblemMessage | Pong
)
