"""What the service tells of tables, players and jackpots: each class is what is sent, and what the schemas publish.

They are dictionaries with named fields, so they are sent as they are. A field that does not apply is left out
(`NotRequired`). Money is in cents.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, GetPydanticSchema, JsonValue, WrapValidator, with_config
from typing_extensions import TypedDict

from upcard import codes
from upcard.ledger import outcome

sent = with_config(ConfigDict(extra="forbid"))  # what is published is all there is
as_it_is = WrapValidator(lambda value, check: (check(value), value)[1])  # checked, and passed on as it was stored
_as_object = GetPydanticSchema(lambda _, handler: handler(dict[str, Any]))  # published without the names in it

Card = Annotated[str, Field(pattern=r"^([2-9TJQKA])[cdhs]$")]
FaceDown = Literal["?"]
Number = Annotated[int, Field(ge=0)]
Amounts = dict[str, int]
Coded = Annotated[codes.Coded, _as_object]  # a code and its parameters
BookAnswers = Annotated[Mapping[str, outcome.Answer], _as_object]  # by chain
Details = Annotated[dict[str, JsonValue], _as_object]  # the parameters of a code, or what a command is answered


# --- a table ------------------------------------------------------------------------------------------------------


@sent
class Range(TypedDict):
    """Amounts in cents."""

    least: int
    most: int
    step: int
    only: NotRequired[list[int]]


@sent
class Choice(TypedDict):
    """Something you may do now."""

    do: str
    spot: NotRequired[int]
    wager: NotRequired[str]
    amounts: NotRequired[dict[str, Range]]


@sent
class Mine(TypedDict):
    """What only you hear: what you may do, and your money where it moved."""

    choices: list[Choice]
    bankroll: NotRequired[int]


@sent
class Circle(TypedDict):
    """A wager the table offers."""

    role: str
    least: int
    most: int
    step: int
    late: bool
    amounts: NotRequired[list[int]]
    equals: NotRequired[str]
    off: NotRequired[str]


@sent
class Shoe(TypedDict):
    """The shoe on the table."""

    number: int
    cards: int  # left in it
    begun: bool
    last_round: bool


@sent
class Hand(TypedDict):
    """A player's hand."""

    cards: list[Card]
    total: int
    soft: bool
    stakes: Amounts
    doubled: Amounts
    done: bool
    result: str | None


@sent
class Spot(TypedDict):
    """A spot in play."""

    spot: int
    player: str
    wagers: Amounts
    insurance: Amounts
    hands: list[Hand]


@sent
class DealersHand(TypedDict):
    """The dealer's cards; one that lies face down is a question mark, and does not count."""

    cards: list[Card | FaceDown]
    total: int


@sent
class Turn(TypedDict):
    """Whose turn it is."""

    spot: int
    hand: int


@sent
class Entered(TypedDict):
    """Where a person deals: a card he has entered in this round, and to where it went."""

    number: int
    card: Card
    place: Coded


@sent
class Claim(TypedDict):
    """A jackpot that was hit."""

    jackpot: str
    share: str


@sent
class SlipSent(TypedDict):
    """What became of a wager, and why: `reason` is a code; what does not apply is left out."""

    spot: int
    player: str
    wager: str
    stake: int
    paid: int
    returned: int
    reason: str
    hand: NotRequired[int]
    won: NotRequired[str]  # the line of the paytable
    points: NotRequired[int]
    pays: NotRequired[str]  # units, "3/2"
    for_one: NotRequired[bool]  # the stake is part of what is paid
    kept: NotRequired[str]  # of a surrendered stake, "1/2"
    promotion: NotRequired[int]
    cap: NotRequired[int]
    limit: NotRequired[int]
    claim: NotRequired[Claim]


@sent
class RoundState(TypedDict):
    """The round on the felt."""

    round: int
    phase: str
    awaits: Coded
    dealer: DealersHand
    spots: list[Spot]
    turn: NotRequired[Turn]
    insurance: NotRequired[list[int]]  # spots that are asked
    entered: NotRequired[list[Entered]]  # dealt by hand
    pays: NotRequired[list[SlipSent]]  # dealt by hand: what to pay and take


@sent
class State(TypedDict):
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
    by_hand: NotRequired[bool]  # a person deals, and enters the cards
    notices: NotRequired[list[Coded]]  # what the floor should look at


# --- in one line --------------------------------------------------------------------------------------------------


@sent
class TableShort(TypedDict):
    """A table as the lobby lists it; of a stopped one nothing is known but why."""

    table: str
    stopped: NotRequired[Coded]
    layout: NotRequired[str]
    rules: NotRequired[str]
    game: NotRequired[str]
    open: NotRequired[bool]
    posted_minimum: NotRequired[int]
    spots: NotRequired[int]
    seats: NotRequired[dict[str, str]]
    round: NotRequired[int]
    meters: dict[str, Amounts]  # by the wagers that play for a jackpot


@sent
class TableLine(TypedDict):
    """A table in one line; of a stopped one nothing is known but why."""

    table: str
    number: Number
    stopped: NotRequired[Coded | None]
    rules: NotRequired[str]
    rules_notice: NotRequired[Coded | None]  # its files have other rules, or cannot be used
    notices: NotRequired[list[Coded]]  # what the floor should look at
    layout: NotRequired[str]
    game: NotRequired[str]
    open: NotRequired[bool]
    counted: NotRequired[bool]  # closed, its tray counted
    closing: NotRequired[bool]
    by_hand: NotRequired[bool]
    shuffler: NotRequired[str]
    posted_minimum: NotRequired[int]
    spots: NotRequired[int]
    seats: NotRequired[dict[str, str]]
    absent: NotRequired[list[str]]
    flat: NotRequired[list[str]]  # players held to their first wagers
    round: NotRequired[int]
    phase: NotRequired[str]
    staked: NotRequired[int]
    shoe: NotRequired[int]
    shoe_cards: NotRequired[int]
    last_round: NotRequired[bool]


@sent
class Won(TypedDict):
    """A win that was paid."""

    table: str
    round: int
    meter: str
    amount: int
    at: str


@sent
class Winner(TypedDict):
    """A spot that won."""

    spot: int
    event: str
    amount: int


@sent
class Waiting(TypedDict):
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


@sent
class JackpotLine(TypedDict):
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


# --- what is in the records ---------------------------------------------------------------------------------------


@with_config(ConfigDict(extra="allow"))
class CommandSent(TypedDict):
    """A command as it was given; its other fields are those of its kind."""

    do: str


Command = Annotated[CommandSent, as_it_is]


@sent
class EntryTaken(TypedDict):
    """An entry of a dealer that was taken back: what it was, at which spot, and which card."""

    do: str
    spot: NotRequired[int]
    card: NotRequired[Card | None]
    blackjack: NotRequired[bool]


class EventSent(TypedDict):
    """Something that happened at a table. Which fields an event has is in `stored_events`; a field that several events
    have holds the same in all of them."""

    event: str
    player: NotRequired[str]
    spot: NotRequired[int]
    spots: NotRequired[list[int]]
    hand: NotRequired[int]
    wager: NotRequired[str]
    wagers: NotRequired[list[str]]
    main_wagers: NotRequired[list[str]]
    amount: NotRequired[int]
    amounts: NotRequired[Amounts]
    card: NotRequired[str]
    blackjack: NotRequired[bool]
    won: NotRequired[str | None]
    result: NotRequired[str]
    insurance: NotRequired[bool]
    # slips
    stake: NotRequired[int]
    paid: NotRequired[int]
    returned: NotRequired[int]
    reason: NotRequired[str]
    points: NotRequired[int]
    pays: NotRequired[str]
    for_one: NotRequired[bool]
    kept: NotRequired[str]
    promotion: NotRequired[int]
    cap: NotRequired[int]
    limit: NotRequired[int]
    claim: NotRequired[Claim]
    # rounds, shoes and the table
    round: NotRequired[int]
    void: NotRequired[Coded | None]
    timer: NotRequired[str]
    layout: NotRequired[str]
    rules: NotRequired[str]
    before: NotRequired[str]
    why: NotRequired[str]
    shuffler: NotRequired[str]
    shoe: NotRequired[int]
    cards: NotRequired[int]
    commitment: NotRequired[str]
    words: NotRequired[str]
    nonce: NotRequired[str]
    cut: NotRequired[int | None]
    key: NotRequired[str]
    # dealt by hand
    number: NotRequired[int]
    place: NotRequired[Coded | int | None]
    was: NotRequired[str]
    now: NotRequired[str]
    entry: NotRequired[EntryTaken]
