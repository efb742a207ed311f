"""What a jackpot can be asked. `Join`, `Arm` and `Finish` come from tables; the rest from people."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from upcard.ledger.jackpots.terms import Terms
from upcard.ledger.record import Amount, Exact, Name, Record
from upcard.ledger.requests import Trigger


class AddJackpot(Record):
    """A jackpot comes into the book, on the terms of a layout."""

    order: Literal["open-jackpot"] = "open-jackpot"
    jackpot: Name
    layout: str
    rules: str  # the hash of what it was opened by
    wager: str
    terms: Terms = Field(discriminator="plan")
    trigger: Trigger


class Join(Record):
    """A table plays for this jackpot."""

    order: Literal["add-table"] = "add-table"
    jackpot: Name
    table: Name
    trigger: Trigger


class Sensed(Record):
    """One stake on the jackpot's wager, at the deal."""

    spot: int
    player: Name
    stake: Amount


class Arm(Record):
    """A hand begins at a table; these stakes play for the jackpot, as it stands now."""

    order: Literal["begin-hand"] = "begin-hand"
    jackpot: Name
    table: Name
    round: int
    stakes: tuple[Sensed, ...]


class Claimed(Record):
    """A share that a spot won in a hand."""

    spot: int
    player: Name
    stake: Amount
    meter: str
    share: Exact
    event: str

    def fits(self, trigger: Trigger) -> bool:
        """Whether a line of the trigger gives exactly this share for this event and stake."""
        lines = [line for line in trigger.lines if (line.event, line.meter) == (self.event, self.meter)]
        return any(line.share_at(self.stake) == self.share for line in lines)


class Finish(Record):
    """The hand is over, with what was claimed; where it is void, the stakes that were not settled went back."""

    order: Literal["end-hand"] = "end-hand"
    jackpot: Name
    table: Name
    round: int
    claims: tuple[Claimed, ...] = ()
    returned: tuple[int, ...] = ()  # spots


class Verify(Record):
    """A second person has seen the hand and the shoe."""

    order: Literal["verify"] = "verify"
    jackpot: Name
    win: str


class PayWin(Record):
    """A win is paid."""

    order: Literal["pay-win"] = "pay-win"
    jackpot: Name
    win: str


class DenyWin(Record):
    """A win was none: everything is put back."""

    order: Literal["deny-win"] = "deny-win"
    jackpot: Name
    win: str
    why: str


class Suspend(Record):
    """The jackpot can neither be played nor changed until it is resumed; a hand that runs is finished."""

    order: Literal["suspend"] = "suspend"
    jackpot: Name
    why: str


class Resume(Record):
    """The jackpot is played again."""

    order: Literal["resume"] = "resume"
    jackpot: Name


class Post(Record):
    """The house posts other values (001, 003 Bonus)."""

    order: Literal["post"] = "post"
    jackpot: Name
    values: dict[str, Amount] = Field(min_length=1)
    seeds: dict[str, Amount] = Field(default={})  # 003 Bonus: what a full win goes back to from now on


class AccrueDay(Record):
    """000, each morning: a part of what was wagered on a past gaming day."""

    order: Literal["accrue-day"] = "accrue-day"
    jackpot: Name
    day: date


class SetCap(Record):
    """A progressive's maximum."""

    order: Literal["set-cap"] = "set-cap"
    jackpot: Name
    cap: Amount


class Reduce(Record):
    """A lawful reduction of a progressive other than a win (WAC 230-15-695): explained on paper, by two people."""

    order: Literal["reduce"] = "reduce"
    jackpot: Name
    reason: Literal["malfunction", "to-cap", "gross-receipts", "seed"]
    amount: Amount
    source: Literal["meter", "reserve", "overflow"]
    second: Name
    document: str
    corrects: str = ""  # malfunction: the contribution that should not have been


class Deposit(Record):
    """What was set aside goes to the escrow account."""

    order: Literal["deposit"] = "deposit"
    jackpot: Name
    amount: Amount


class EscrowLost(Record):
    """The bank account holds less than it should: a seizure, a fee (WAC 230-15-715)."""

    order: Literal["escrow-lost"] = "escrow-lost"
    jackpot: Name
    amount: Amount
    why: str


class CureEscrow(Record):
    """The house makes the escrow account good."""

    order: Literal["cure-escrow"] = "cure-escrow"
    jackpot: Name
    amount: Amount


JackpotRequest = (
    AddJackpot
    | Join
    | Arm
    | Finish
    | Verify
    | PayWin
    | DenyWin
    | Suspend
    | Resume
    | Post
    | AccrueDay
    | SetCap
    | Reduce
    | Deposit
    | EscrowLost
    | CureEscrow
)

JACKPOT_REQUESTS: TypeAdapter[JackpotRequest] = TypeAdapter(Annotated[JackpotRequest, Field(discriminator="order")])
