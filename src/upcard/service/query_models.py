"""What questions to the service are answered with: each class is what is sent, and what the API publishes."""

from typing_extensions import TypedDict

from upcard.service.event_models import Event
from upcard.service.wire_models import Amounts, Coded, Command, Details


class RecordEvents(TypedDict):
    """What happened with a record."""

    number: int
    events: list[Event]


class RecordSent(TypedDict):
    """A record of a table, for everybody to see."""

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
    titles: dict[str, dict[str, str]]  # of its wagers' events, as its own rules have them


class ShoeSent(TypedDict):
    """What was promised of a shoe, and its key once it is over."""

    number: int
    commitment: str
    key: str | None


class PlayedRound(TypedDict):
    """A round as one player played it; cents."""

    player: str
    at: str
    table_name: str
    round: int
    staked: int
    back: int


class AwardSent(TypedDict):
    """What one winner of a jackpot gets."""

    spot: int
    player: str
    share: str
    event: str
    amount: int


class WinSent(TypedDict):
    """A win that waits to be paid or denied."""

    table: str
    round: int
    meter: str
    day: str
    locked_by: str
    awards: list[AwardSent]
    verified_by: str


class JackpotSent(TypedDict):
    """A jackpot: its meters, and the wins that wait."""

    jackpot: str
    plan: str
    meters: Amounts
    wins: dict[str, WinSent]
    stopped: Coded | None


class CommandDone(TypedDict):
    """A command that was carried out, and by whom."""

    number: int
    id: str
    at: str
    day: str
    actor: str
    role: str
    command: Command
    answer: Details


class CommandRefused(TypedDict):
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
    """What was done at a table or in the house, and what was refused there."""

    done: list[CommandDone]
    refused: list[CommandRefused]


class Trace(TypedDict):
    """Something that was done or refused."""

    at: str
    stream: str
    number: int | None  # None: refused
    id: str
    actor: str
    role: str
    command: Command
    refused: str | None  # the code of why
    details: Details  # and its parameters
    events: list[Event]  # of a change of rules: what it did, for the command does not say
