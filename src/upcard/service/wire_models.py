"""Tables, players and jackpots as they are sent and as the API publishes them.

They are typed dictionaries, sent unchanged. A field that does not apply is left out
(`NotRequired`). Money is in cents.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, GetPydanticSchema, JsonValue, WrapValidator, with_config
from typing_extensions import TypedDict

from upcard import codes
from upcard.ledger import outcome

sent = with_config(ConfigDict(extra="forbid"))  # no other fields
as_it_is = WrapValidator(lambda value, check: (check(value), value)[1])  # validated, but passed on unchanged
_as_object = GetPydanticSchema(
    lambda _, handler: handler(dict[str, Any])
)  # published as an object without named fields

Card = Annotated[str, Field(pattern=r"^([2-9TJQKA])[cdhs]$")]
FaceDown = Literal["?"]
Number = Annotated[int, Field(ge=0)]
Amounts = dict[str, int]
Coded = Annotated[codes.Coded, _as_object]  # a code and its parameters
BookAnswers = Annotated[Mapping[str, outcome.Answer], _as_object]  # by chain
Details = Annotated[dict[str, JsonValue], _as_object]  # a code's parameters, or a command's answer


# --- a table ------------------------------------------------------------------------------------------------------


@sent
class Range(TypedDict):
    """Allowed amounts in cents."""

    least: int
    most: int
    step: int
    only: NotRequired[list[int]]


@sent
class Choice(TypedDict):
    """An action that you may take now."""

    do: str
    spot: NotRequired[int]
    wager: NotRequired[str]
    amounts: NotRequired[dict[str, Range]]
    equal: NotRequired[bool]  # all amounts must be the same


@sent
class Mine(TypedDict):
    """What only you get: your choices, and your bankroll if it may have changed."""

    choices: list[Choice]
    may_still_take: NotRequired[list[Choice]]  # insurance and even money that you declined, until the dealer closes it
    bankroll: NotRequired[int]


@sent
class Circle(TypedDict):
    """A wager that the table offers."""

    role: str
    least: int
    most: int
    step: int
    late: bool
    amounts: NotRequired[list[int]]
    equals: NotRequired[str]
    off: NotRequired[str]  # the code that says why the table does not take this wager now
    aggregate_limit: NotRequired[int]  # the most that the house pays on it per deal, all players together


class JackpotSignsSent(TypedDict):
    """What a table shows of its jackpots, by wager."""

    meters: dict[str, Amounts]  # in cents, by meter
    off: dict[str, Coded]  # wagers that are not taken now, and why
    notices: dict[str, str]  # notices that must be shown with the meters


@sent
class Shoe(TypedDict):
    """The shoe on the table."""

    number: int
    cards: int  # left in the shoe
    discards: int
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
    """The dealer's cards; a face-down card is a question mark and does not count."""

    cards: list[Card | FaceDown]
    total: int


@sent
class Turn(TypedDict):
    """Whose turn it is."""

    spot: int
    hand: int


@sent
class Entered(TypedDict):
    """At a table dealt by hand: a card entered in this round, and where it was dealt to."""

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
    """The result of a wager; `reason` is a code. Fields that do not apply are left out."""

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
    for_one: NotRequired[bool]  # the pay includes the stake
    kept: NotRequired[str]  # of a surrendered stake, "1/2"
    promotion: NotRequired[int]
    cap: NotRequired[int]
    limit: NotRequired[int]
    claim: NotRequired[Claim]


@sent
class RoundState(TypedDict):
    """The round in progress."""

    round: int
    phase: str
    awaits: Coded
    dealer: DealersHand
    spots: list[Spot]
    turn: NotRequired[Turn]
    insurance: NotRequired[list[int]]  # spots that must decide on insurance
    declined: NotRequired[list[int]]  # spots that declined insurance and may still take it
    entered: NotRequired[list[Entered]]  # dealt by hand
    slips: NotRequired[list[SlipSent]]  # of the wagers that are settled already
    pays: NotRequired[list[SlipSent]]  # dealt by hand: what to pay and collect


@sent
class State(TypedDict):
    """A table as everybody sees it."""

    table: str
    layout: str
    game: str
    rules: str  # the hash of its rules
    number: Number
    at: str
    open: bool
    closing: bool
    seats: dict[str, str]
    absent: list[str]
    ready: list[str]
    spots: int
    posted_minimum: int
    shuffled: str  # the shoe on the table: "automatic" or "hand"
    shuffler: str  # the same for the next shoe
    wagers: dict[str, Circle]
    shoe: Shoe
    timers: dict[str, str]
    round: RoundState | None
    by_hand: NotRequired[bool]  # a dealer enters the cards
    dealer: NotRequired[str]  # who is logged on there
    flat: NotRequired[list[str]]  # players who must flat bet
    notices: NotRequired[list[Coded]]  # notices to the floor


# --- in one line --------------------------------------------------------------------------------------------------


@sent
class TableShort(JackpotSignsSent):
    """A table as the lobby lists it; a stopped one has only its reason."""

    table: str
    stopped: NotRequired[Coded]
    layout: NotRequired[str]
    rules: NotRequired[str]
    game: NotRequired[str]
    open: NotRequired[bool]
    posted_minimum: NotRequired[int]
    limits: NotRequired[str]  # of the main wager, in words
    spots: NotRequired[int]
    seats: NotRequired[dict[str, str]]  # not sent to visitors who are not signed in
    players: NotRequired[int]
    free: NotRequired[int]  # seats
    in_play: NotRequired[bool]  # cards are dealt
    round: NotRequired[int]


@sent
class SpotShort(TypedDict):
    """A spot in play on a small felt: cents on all its wagers, and the cards of each of its hands."""

    staked: int
    hands: list[list[Card]]


class FeltShort(TypedDict):
    """A table's felt for the pit map; "?" is a card face down. `turn` is the spot whose turn it is."""

    dealer: list[Card | Literal["?"]]
    spots: dict[str, SpotShort]
    turn: NotRequired[int]


class TableLine(TypedDict):
    """A table in one line; a stopped one has only its reason."""

    table: str
    number: Number
    stopped: NotRequired[Coded | None]
    rules: NotRequired[str]
    rules_notice: NotRequired[Coded | None]  # its files contain other rules, or cannot be used
    notices: NotRequired[list[Coded]]  # notices to the floor
    layout: NotRequired[str]
    game: NotRequired[str]
    open: NotRequired[bool]
    counted: NotRequired[bool]  # closed, its tray counted
    closing: NotRequired[bool]
    by_hand: NotRequired[bool]
    shuffled: NotRequired[str]  # the shoe on the table: "automatic" or "hand"
    shuffler: NotRequired[str]  # the same for the next shoe
    posted_minimum: NotRequired[int]
    spots: NotRequired[int]
    seats: NotRequired[dict[str, str]]
    absent: NotRequired[list[str]]
    flat: NotRequired[list[str]]  # players held to a flat bet
    round: NotRequired[int]
    phase: NotRequired[str]
    staked: NotRequired[int]
    shoe: NotRequired[int]
    shoe_cards: NotRequired[int]
    last_round: NotRequired[bool]
    felt: NotRequired[FeltShort]  # of tables whose felts a listener has in view


# --- what is in the records ---------------------------------------------------------------------------------------


@with_config(ConfigDict(extra="allow"))
class CommandSent(TypedDict):
    """A command; its other fields depend on its kind."""

    do: str


Command = Annotated[CommandSent, as_it_is]


@sent
class EntryTaken(TypedDict):
    """A dealer's entry that was taken back: the action, and its spot or card."""

    do: str
    spot: NotRequired[int]
    card: NotRequired[Card | None]
    blackjack: NotRequired[bool]


class EventSent(TypedDict):
    """An event at a table. `stored_events` lists the fields of each event; a field means the same in all of them."""

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
    stopped: NotRequired[Coded]
    timer: NotRequired[str]
    layout: NotRequired[str]
    rules: NotRequired[str]
    before: NotRequired[str]
    why: NotRequired[str]
    shuffler: NotRequired[str]
    shoe: NotRequired[int]
    decks: NotRequired[int]
    cards: NotRequired[int]
    commitment: NotRequired[str]
    words: NotRequired[str]
    nonce: NotRequired[str]
    cut: NotRequired[int | None]
    key: NotRequired[str]
    # dealt by hand
    dealer: NotRequired[str]
    relieved: NotRequired[str | None]
    number: NotRequired[int]
    place: NotRequired[Coded | int | None]
    was: NotRequired[str]
    now: NotRequired[str]
    entry: NotRequired[EntryTaken]


def without_slip(slips: Iterable[EventSent], reversed_slip: EventSent) -> list[EventSent]:
    """The slips of a round without one that was reversed."""
    names = ("spot", "wager", "hand")
    return [slip for slip in slips if any(slip.get(name) != reversed_slip.get(name) for name in names)]
