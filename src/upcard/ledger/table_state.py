"""The state of a table's chain: its links to jackpots, and the round on its felt."""

from datetime import date

from pydantic import Field

from upcard.ledger import requests as r
from upcard.ledger.jackpots.requests import JackpotClaim
from upcard.ledger.record import Amount, Level, Name, Record


class Stake(Record):
    """A stake on the felt."""

    spot: int
    player: Name
    wager: str
    amount: Amount


class SettledSlip(Record):
    """A slip that was settled before the end of its round, with what is needed to reverse it."""

    spot: int
    player: Name
    wager: str
    hand: int | None
    stakes: tuple[Amount, ...]  # what each of its stakes was
    paid: Level
    returned: Level
    promotion: Level
    first: int  # the position of its first payment among the transfers of its settlement

    @property
    def stake(self) -> int:
        return sum(self.stakes)


class Winnings(Record):
    """What a player won in a round that goes on: they may stake it there, but not take it away before the end."""

    won: Level
    staked: Level = 0  # on the felt of this round since they first won
    held: Level = 0  # what is left of the winnings
    hold: str = ""  # the pending transfer that holds it


class OpenRound(Record):
    """The round on the felt."""

    round: int
    day: date
    locked: bool = False
    stakes: dict[str, Stake] = Field(default_factory=dict)  # by the id of their pending transfer
    claims: dict[str, tuple[JackpotClaim, ...]] = Field(default_factory=dict)  # of settled stakes, by jackpot
    claimed: tuple[Name, ...] = ()  # the jackpots that have received these claims
    settled: dict[str, tuple[SettledSlip, ...]] = Field(default_factory=dict)  # by the command that settled them
    winnings: dict[str, Winnings] = Field(default_factory=dict)  # by player


class TableState(Record):
    """The state of a table's chain."""

    table: Name
    layout: str
    game: str
    rules: str  # the hash of its ruleset
    triggers: dict[str, r.Trigger]
    links: dict[str, Name] = Field(default_factory=dict)  # wager -> jackpot
    rounds: int = 0
    slips: int = 0  # numbered so far: of fills, credits, buy-ins, cash-outs and tips
    by_hand: bool = False  # chips move with the money: see `hand_dealt_chips`
    open: OpenRound | None = None
