"""Results of queries, as they are sent and as the API publishes them."""

from typing import Literal

from typing_extensions import TypedDict

from upcard.service.event_models import Event
from upcard.service.jackpot_lines import AccruedDay, QueuedValues
from upcard.service.wire_models import Amounts, Card, Coded, Command, Details


class RecordEvents(TypedDict):
    """A record's events."""

    number: int
    events: list[Event]


class RecordSent(TypedDict):
    """A table's record, without who caused it."""

    number: int
    at: str
    events: list[Event]


class RoundSent(TypedDict):
    """A finished round: its slips, and its records from the first wager to the last slip."""

    round: int
    shoe: int
    at: str
    day: str
    rules: str
    void: Coded | None
    slips: list[Event]
    records: list[RecordEvents]
    titles: dict[str, dict[str, str]]  # by wager and event, from the round's own rules


class ShoeSent(TypedDict):
    """The commitment to a shoe, and its key once the shoe is finished."""

    number: int
    commitment: str
    key: str | None


class StoredShoe(TypedDict):
    """A shoe's row: its key once it is over, and the hash of its rules once it has begun."""

    commitment: str
    key: str | None
    encrypted_key: str
    rules: str | None


class CardsOfRound(TypedDict):
    """The cards of a round in the order in which they left the shoe; "?" is a hole card that was never turned over."""

    round: int
    cards: list[Card | Literal["?"]]


class ShoeEvidence(TypedDict):
    """A finished shoe, to be verified by anybody: `upcard verify-shoe` and the felt recompute it."""

    shoe: int
    layout: str  # empty, and no cut, if it was never begun
    decks: int
    least_cut: int
    most_cut: int
    commitment: str  # published before its first wager
    promise: str  # the same hash, published when the shoe before it began; empty if it was not promised
    key: str
    nonce: str  # the players' numbers, in hex: a line "name number" for each player
    cut: int | None
    rounds: list[CardsOfRound]
    refills: list[list[Card | Literal["?"]]]  # the cards on the table, each time the discards were shuffled in (R33)


class PlayedRound(TypedDict):
    """One player's round; amounts in cents."""

    player: str
    at: str
    table_name: str
    round: int
    staked: int
    back: int


class PlayedSlips(TypedDict):
    """One player's round with its first and last record, the hash of its rules, and the slips of everybody."""

    table_name: str
    round: int
    at: str
    staked: int
    back: int
    first: int
    last: int
    rules: str
    slips: list[Event]


class AwardSent(TypedDict):
    """What one winner of a jackpot gets."""

    spot: int
    player: str
    share: str
    event: str
    amount: int


class WinSent(TypedDict):
    """A win that is waiting to be paid or denied."""

    table: str
    round: int
    meter: str
    day: str
    locked_by: str
    awards: list[AwardSent]
    verified_by: str


class JackpotSent(TypedDict):
    """A jackpot: its meters, pending wins, and values that wait to be posted."""

    jackpot: str
    plan: str
    meters: Amounts
    wins: dict[str, WinSent]
    stopped: Coded | None  # why it takes no new wager
    notice: str  # that must be shown with the meters; empty if there is none
    queued: QueuedValues | None
    accrued: AccruedDay | None


class AuditedCommand(TypedDict):
    """A command that was carried out, and by whom."""

    number: int
    id: str
    at: str
    day: str
    actor: str
    role: str
    command: Command
    answer: Details


class AuditedRefusal(TypedDict):
    """A command that was refused, and why."""

    id: str
    stream: str
    at: str
    actor: str
    role: str
    command: Command
    details: Details
    reason: str


class Audit(TypedDict):
    """Commands carried out at a table or in the house, and refusals."""

    done: list[AuditedCommand]
    refused: list[AuditedRefusal]


class TrailEntry(TypedDict):
    """A command that was carried out or refused."""

    at: str
    stream: str
    number: int | None  # None: refused
    id: str
    actor: str
    role: str
    command: Command
    refused: str | None  # the refusal code
    details: Details  # the code's parameters
    events: list[Event]  # only of a change of rules, whose command does not say what changed
    approved_by: str | None  # the second person, where one was needed
