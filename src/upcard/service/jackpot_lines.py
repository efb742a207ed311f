"""Jackpots in one line for the floor: meters, wins that wait, values to be posted, and the last accrual."""

from typing_extensions import TypedDict

from upcard.service.wire_models import Amounts, Coded, Number, sent


@sent
class Won(TypedDict):
    """A paid win."""

    table: str
    round: int
    meter: str
    amount: int
    at: str


@sent
class Winner(TypedDict):
    """A spot that won."""

    spot: int
    player: str  # empty for displays
    event: str
    amount: int


@sent
class Waiting(TypedDict):
    """A locked win, until it is paid or denied."""

    win: str
    table: str
    round: int
    meter: str
    amount: int
    day: str
    locked_by: str
    verified_by: str
    handed_to: str  # who was asked to verify it instead
    verification: bool  # somebody must verify it before it is paid
    round_over: bool
    awards: list[Winner]


@sent
class QueuedValues(TypedDict):
    """Values that are posted when the wagers on the felt at these tables are decided."""

    values: Amounts
    seeds: Amounts
    by: str
    at: str
    tables: list[str]


@sent
class AccruedDay(TypedDict):
    """What was last added for the wagers of a gaming day."""

    day: str
    amount: int
    at: str


@sent
class JackpotLine(TypedDict):
    """A jackpot in one line."""

    jackpot: str
    number: Number
    plan: str
    moves: bool  # grows with wagers
    meters: Amounts
    tables: list[str]
    stopped: Coded | None  # why it takes no new wager
    suspended: str
    notice: str
    waiting: list[Waiting]
    last: list[Won]
    queued: QueuedValues | None
    accrued: AccruedDay | None
