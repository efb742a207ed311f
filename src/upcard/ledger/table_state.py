"""The state of a table's chain: its round on the felt, with its stakes, and the jackpots it is linked to."""

from datetime import date

from pydantic import Field

from upcard.ledger.jackpots.requests import JackpotClaim
from upcard.ledger.record import Amount, Name, Record
from upcard.ledger.requests import Trigger


class Stake(Record):
    """A stake on the felt."""

    spot: int
    player: Name
    wager: str
    amount: Amount


class OpenRound(Record):
    """The round on the felt."""

    round: int
    day: date
    locked: bool = False
    stakes: dict[str, Stake] = Field(default={})  # by the id of their pending transfer
    claims: dict[str, tuple[JackpotClaim, ...]] = Field(default={})  # of settled stakes, by jackpot


class TableState(Record):
    """The state of a table's chain."""

    table: Name
    layout: str
    game: str
    rules: str  # the hash of its ruleset
    triggers: dict[str, Trigger]
    links: dict[str, Name] = Field(default={})  # wager -> jackpot
    rounds: int = 0
    open: OpenRound | None = None
