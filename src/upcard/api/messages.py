"""Everything that is said over a socket, in both directions: the schemas are published, the tests hold us to them."""

import re
from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from upcard.service import commands as s
from upcard.service import stored_events

PLAIN = r"^[^:#\s\x00]([^:#\n\x00]*[^:#\s\x00])?$"  # a name that every database can be asked for
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=PLAIN)]
ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
Id = Annotated[str, Field(pattern=rf"^{ID.pattern}$")]
Card = Annotated[str, Field(pattern=r"^([2-9TJQKA])[cdhs]$")]
FaceDown = Literal["?"]
Number = Annotated[int, Field(ge=0)]
Amounts = dict[str, int]
Coded = dict[str, Any]  # a code and its parameters


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")


# --- what a client says -------------------------------------------------------------------------------------------


class Watch(_Said):
    """Hear of a table; `since` is the last number heard; `shown`: see chips not handed in and meters too."""

    type: Literal["watch"]
    table: Name
    since: Number | None = None
    shown: bool = False


class LeaveTable(_Said):
    """Hear no more of it."""

    type: Literal["leave"]
    table: Name


class Say(_Said):
    """A command, with an id of the client's own choice: said twice, it is done once."""

    type: Literal["command"]
    id: Id
    command: Annotated[s.Command, Field(discriminator="do")]


class ShowChips(_Said):
    """The chips before a spot of yours that are not handed in: others see them, nobody books them."""

    type: Literal["chips"]
    table: Name
    spot: Annotated[int, Field(ge=1, le=9)]
    stakes: Annotated[dict[Name, Annotated[int, Field(gt=0, le=2**40)]], Field(max_length=30)]


class SubscribeOverview(_Said):
    """Hear of all tables in short, and of all jackpots; or, as a display does, of jackpots alone."""

    type: Literal["overview"]
    tables: bool = True


class Ping(_Said):
    """Are you there?"""

    type: Literal["ping"]


Said = Watch | LeaveTable | SubscribeOverview | Say | ShowChips | Ping
FROM_CLIENT: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="type")])


# --- a table as it is told ----------------------------------------------------------------------------------------


class Range(_Said):
    """Amounts in cents."""

    least: int
    most: int
    step: int
    only: list[int] | None = None


class Choice(_Said):
    """Something you may do now."""

    do: str
    spot: int | None = None
    wager: str | None = None
    amounts: dict[str, Range] | None = None


class Mine(_Said):
    """What only you hear: what you may do, and your money where it moved."""

    choices: list[Choice]
    bankroll: int | None = None


class Circle(_Said):
    """A wager the table offers."""

    role: str
    least: int
    most: int
    step: int
    late: bool
    amounts: list[int] | None = None
    equals: str | None = None
    off: str | None = None


class Shoe(_Said):
    """The shoe on the table."""

    number: int
    cards: int  # left in it
    begun: bool
    last_round: bool


class Hand(_Said):
    """A player's hand."""

    cards: list[Card]
    total: int
    soft: bool
    stakes: Amounts
    doubled: Amounts
    done: bool
    result: str | None


class Spot(_Said):
    """A spot in play."""

    spot: int
    player: str
    wagers: Amounts
    insurance: Amounts
    hands: list[Hand]


class DealersHand(_Said):
    """The dealer's cards; one that lies face down is a question mark, and does not count."""

    cards: list[Card | FaceDown]
    total: int


class Turn(_Said):
    """Whose turn it is."""

    spot: int
    hand: int


class Entered(_Said):
    """Where a person deals: a card he has entered in this round, and to where it went."""

    number: int
    card: Card
    place: Coded


class Claim(_Said):
    """A jackpot that was hit."""

    jackpot: str
    share: str


class SlipSent(_Said):
    """What became of a wager, and why: `reason` is a code; what does not apply is left out."""

    spot: int
    player: str
    wager: str
    stake: int
    paid: int
    returned: int
    reason: str
    hand: int | None = None
    won: str | None = None  # the line of the paytable
    points: int | None = None
    pays: str | None = None  # units, "3/2"
    for_one: bool | None = None  # the stake is part of what is paid
    kept: str | None = None  # of a surrendered stake, "1/2"
    promotion: int | None = None
    cap: int | None = None
    limit: int | None = None
    claim: Claim | None = None


class RoundState(_Said):
    """The round on the felt."""

    round: int
    phase: str
    awaits: Coded
    dealer: DealersHand
    spots: list[Spot]
    turn: Turn | None = None
    insurance: list[int] | None = None  # spots that are asked
    entered: list[Entered] | None = None  # dealt by hand
    pays: list[SlipSent] | None = None  # dealt by hand: what to pay and take


class State(_Said):
    """A table as everybody sees it."""

    table: str
    layout: str
    game: str
    rules: str  # the hash of what is played: the layout's card changes with it
    number: Number
    at: str
    open: bool
    closing: bool
    seats: dict[str, str]
    absent: list[str]
    ready: list[str]
    spots: int
    posted_minimum: int
    wagers: dict[str, Circle]
    shoe: Shoe
    timers: dict[str, str]
    round: RoundState | None
    by_hand: bool | None = None  # a person deals, and enters the cards


# --- what happened ------------------------------------------------------------------------------------------------

_KINDS: dict[str, Any] = {
    "int": int,
    "bool": bool,
    "text": str,
    "card": Card,
    "amounts": Amounts,
    "texts": list[str],
    "ints": list[int],
    "coded": Coded,
    "entry": dict[str, Any],
}


class Slip(SlipSent):
    """A slip as an event."""

    event: Literal["slip"]


class Decided(_Said):
    """A wager, a hand or an insurance is decided."""

    event: Literal["decided"]
    spot: int
    hand: int | None = None
    wager: str | None = None
    won: str | None = None
    result: str | None = None
    insurance: bool | None = None


def _event(name: str, fields: Mapping[str, str], doc: str | None) -> type[BaseModel]:
    title = "".join(part.title() for part in name.split("-"))
    given: dict[str, Any] = {one: (_kind(kind), ...) for one, kind in fields.items()}
    given["event"] = (Literal[name], ...)
    return create_model(title, __base__=_Said, __doc__=doc, **given)


def _kind(kind: str) -> Any:
    return _KINDS[kind[:-1]] | None if kind.endswith("?") else _KINDS[kind]


EVENTS: tuple[type[BaseModel], ...] = (
    *(_event(stored.name, stored.fields, event.__doc__) for event, stored in stored_events.OF_THE_ROUND.items()),
    *(_event(name, fields, None) for name, fields in stored_events.OF_THE_TABLE.items()),
    Decided,
    Slip,
)
Event: Any = Annotated[reduce(or_, EVENTS), Field(discriminator="event")]


# --- what the server says -----------------------------------------------------------------------------------------


class Snapshot(_Said):
    """A table as it stands."""

    type: Literal["snapshot"]
    table: str
    number: Number
    state: State
    mine: Mine | None = None


class Events(_Said):
    """A record of a table: what happened and, with the newest, how the table stands after it."""

    type: Literal["events"]
    table: str
    number: Number
    events: list[Event]
    state: State | None = None
    mine: Mine | None = None


class Answer(_Said):
    """A command was done; `repeated`: it had been done before."""

    type: Literal["answer"]
    id: Id
    number: Number
    told: dict[str, Any]
    repeated: bool


class Refused(_Said):
    """A message with an id was not carried out."""

    type: Literal["refused"]
    id: str
    reason: str  # its code
    details: dict[str, Any] | None = None  # the parameters of its sentence; none: `reason` is no code that has one
    detail: str  # the sentence


class Trouble(_Said):
    """A message without an id was not understood, or not carried out."""

    type: Literal["problem"]
    reason: str
    details: dict[str, Any] | None = None
    detail: str


class LyingChips(_Said):
    """Whose chips lie before a spot, by circle."""

    player: str
    stakes: Amounts


class ChipsShown(_Said):
    """Chips at a table that are not handed in yet, by spot; a spot that is not told of has none."""

    type: Literal["chips"]
    table: str
    spots: dict[str, LyingChips]


class MetersShown(_Said):
    """The jackpot meters of a table in cents, by wager and meter."""

    type: Literal["meters"]
    table: str
    meters: dict[str, Amounts]


class TableLine(_Said):
    """A table in one line; of a stopped one nothing is known but why."""

    table: str
    number: Number
    stopped: Coded | None = None
    rules: str = ""
    rules_notice: Coded | None = None  # its files have other rules, or cannot be used
    layout: str = ""
    game: str = ""
    open: bool = False
    counted: bool = False  # closed, its tray counted
    closing: bool = False
    by_hand: bool = False
    shuffler: str = ""
    posted_minimum: int = 0
    spots: int = 0
    seats: dict[str, str] = {}
    absent: list[str] = []
    flat: list[str] = []  # players held to their first wagers
    round: int = 0
    phase: str = ""
    staked: int = 0
    shoe: int = 0
    shoe_cards: int = 0
    last_round: bool = False


class Won(_Said):
    """A win that was paid."""

    table: str
    round: int
    meter: str
    amount: int
    at: str


class Winner(_Said):
    """A spot that won."""

    spot: int
    event: str
    amount: int


class Waiting(_Said):
    """A win that is locked, until it is verified and paid, or denied."""

    win: str
    table: str
    round: int
    meter: str
    amount: int
    day: str
    locked_by: str
    verified_by: str
    awards: list[Winner]


class JackpotLine(_Said):
    """A jackpot in one line."""

    jackpot: str
    number: Number
    plan: str
    moves: bool  # with wagers
    meters: Amounts
    tables: list[str]
    stopped: Coded | None
    suspended: str
    notice: str
    waiting: list[Waiting]
    last: list[Won]


class Overview(_Said):
    """The lines that changed; `whole`: all there are. An empty one says that all is as it was."""

    type: Literal["overview"]
    tables: list[TableLine]
    jackpots: list[JackpotLine]
    whole: bool = False


class Pong(_Said):
    """I am here."""

    type: Literal["pong"]


Told = Snapshot | Events | Overview | ChipsShown | MetersShown | Answer | Refused | Trouble | Pong
FROM_SERVER: TypeAdapter[Told] = TypeAdapter(Annotated[Told, Field(discriminator="type")])


@cache
def message_schema() -> dict[str, Any]:
    """JSON Schema of everything a client may say (`client`) and may hear (`server`)."""
    sides, found = TypeAdapter.json_schemas(
        [("client", "validation", FROM_CLIENT), ("server", "validation", FROM_SERVER)],
        title="What is said over the socket",
        ref_template="#/$defs/{model}",
    )
    named = {name: sides[name, "validation"] for name in ("client", "server")}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found, "properties": named}
