"""What the server says over a socket, message by message; the API publishes these and clients read them."""

import re
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from upcard.service.event_models import Event
from upcard.service.wire_models import Amounts, BookAnswers, Coded, JackpotLine, Mine, Number, State, TableLine, sent

COMMAND_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
CommandId = Annotated[str, Field(pattern=rf"^{COMMAND_ID.pattern}$")]


@sent
class Snapshot(TypedDict):
    """A table as it stands."""

    type: Literal["snapshot"]
    table: str
    number: Number
    state: State
    mine: NotRequired[Mine]


@sent
class Events(TypedDict):
    """A record of a table: what happened and, with the newest, how the table stands after it."""

    type: Literal["events"]
    table: str
    number: Number
    events: list[Event]
    state: NotRequired[State]
    mine: NotRequired[Mine]


@sent
class Answer(TypedDict):
    """A command was done; `repeated`: it had been done before."""

    type: Literal["answer"]
    id: CommandId
    number: Number
    told: BookAnswers
    repeated: bool


class Reason(TypedDict):
    """Why something was not done."""

    reason: str  # its code
    details: Coded | None  # the parameters of its sentence; none: `reason` is no code that has one
    detail: str  # the sentence


@sent
class Refused(Reason):
    """A message with an id was not carried out."""

    type: Literal["refused"]
    id: str


@sent
class Trouble(Reason):
    """A message without an id was not understood, or not carried out."""

    type: Literal["problem"]


@sent
class LyingChips(TypedDict):
    """Whose chips lie before a spot, by circle."""

    player: str
    stakes: Amounts


@sent
class ChipsShown(TypedDict):
    """Chips at a table that are not handed in yet, by spot; a spot that is not told of has none."""

    type: Literal["chips"]
    table: str
    spots: dict[str, LyingChips]


@sent
class MetersShown(TypedDict):
    """The jackpot meters of a table in cents, by wager and meter."""

    type: Literal["meters"]
    table: str
    meters: dict[str, Amounts]


@sent
class Overview(TypedDict):
    """The lines that changed; `whole`: all there are. An empty one says that all is as it was."""

    type: Literal["overview"]
    tables: list[TableLine]
    jackpots: list[JackpotLine]
    whole: NotRequired[bool]


@sent
class Pong(TypedDict):
    """I am here."""

    type: Literal["pong"]


ServerMessage = Snapshot | Events | Overview | ChipsShown | MetersShown | Answer | Refused | Trouble | Pong
