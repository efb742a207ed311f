"""The requests to a jackpot. `AddLinkedTable`, `BeginHand` and `EndHand` come from tables; the others from people."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from upcard.ledger.jackpots.terms import Terms
from upcard.ledger.record import Amount, Exact, Name, Record
from upcard.ledger.requests import Trigger


class AddJackpot(Record):
    """Adds a jackpot to the book, on the terms of a layout."""

    order: Literal["open-jackpot"] = "open-jackpot"
    jackpot: Name
    layout: str
    rules: str  # the hash of the ruleset it was opened under
    wager: str
    terms: Terms = Field(discriminator="plan")
    trigger: Trigger


class AddLinkedTable(Record):
    """Adds a table that plays for this jackpot."""

    order: Literal["add-table"] = "add-table"
    jackpot: Name
    table: Name
    trigger: Trigger


class JackpotStake(Record):
    """A stake on the jackpot wager, at the deal."""

    spot: int
    player: Name
    stake: Amount


class StakePlaced(Record):
    """A stake lies on the felt before the deal; it plays for the meters as they are now (001, 003 Bonus)."""

    order: Literal["stake-placed"] = "stake-placed"
    jackpot: Name
    table: Name
    round: int
    spot: int


class StakesReturned(Record):
    """Stakes were taken off the felt before the deal: cleared, or returned with a void round."""

    order: Literal["stakes-returned"] = "stakes-returned"
    jackpot: Name
    table: Name
    round: int
    spots: tuple[int, ...]


class BeginHand(Record):
    """A hand begins at a table; these stakes play for the jackpot's current meters."""

    order: Literal["begin-hand"] = "begin-hand"
    jackpot: Name
    table: Name
    round: int
    stakes: tuple[JackpotStake, ...]


class JackpotClaim(Record):
    """A share that a spot won in a hand."""

    spot: int
    player: Name
    stake: Amount
    meter: str
    share: Exact
    event: str

    def fits(self, trigger: Trigger) -> bool:
        """Whether the trigger gives exactly this share for this event and stake."""
        lines = [line for line in trigger.lines if (line.event, line.meter) == (self.event, self.meter)]
        return any(line.share_at(self.stake) == self.share for line in lines)


class LockClaims(Record):
    """All wagers of a hand are decided, and some have won; the round goes on."""

    order: Literal["lock-claims"] = "lock-claims"
    jackpot: Name
    table: Name
    round: int
    claims: tuple[JackpotClaim, ...]


class WithdrawClaims(Record):
    """The claims of a hand that goes on are withdrawn: an entry was wrong."""

    order: Literal["withdraw-claims"] = "withdraw-claims"
    jackpot: Name
    table: Name
    round: int


class EndHand(Record):
    """A hand is over, with the claims that were not locked before; if it was voided, its stakes were returned."""

    order: Literal["end-hand"] = "end-hand"
    jackpot: Name
    table: Name
    round: int
    claims: tuple[JackpotClaim, ...] = ()
    returned: tuple[int, ...] = ()  # the spots whose stakes were returned


class Verify(Record):
    """A second person verifies the hand and the shoe."""

    order: Literal["verify"] = "verify"
    jackpot: Name
    win: str


class HandOverVerification(Record):
    """Whoever verified a win hands its verification over: another person verifies it, so that they may pay it."""

    order: Literal["hand-over-verification"] = "hand-over-verification"
    jackpot: Name
    win: str
    to: Name


class PayWin(Record):
    """Pays a win."""

    order: Literal["pay-win"] = "pay-win"
    jackpot: Name
    win: str


class DenyWin(Record):
    """Denies a win and reverses what it changed."""

    order: Literal["deny-win"] = "deny-win"
    jackpot: Name
    win: str
    why: str


class Suspend(Record):
    """Stops the jackpot's wager until it is resumed; running hands are finished."""

    order: Literal["suspend"] = "suspend"
    jackpot: Name
    why: str


class Resume(Record):
    """Lets the jackpot's wager be made again."""

    order: Literal["resume"] = "resume"
    jackpot: Name


class Post(Record):
    """Posts new values (001, 003 Bonus): at once, or when the wagers on the felt are decided."""

    order: Literal["post"] = "post"
    jackpot: Name
    values: dict[str, Amount] = Field(min_length=1)
    seeds: dict[str, Amount] = Field(default={})  # 003 Bonus: the amount after a full win, from now on


class WithdrawPost(Record):
    """Withdraws posted values that still wait for wagers on the felt."""

    order: Literal["withdraw-post"] = "withdraw-post"
    jackpot: Name


class AccrueDay(Record):
    """Adds part of the wagers of a past gaming day, each morning (000)."""

    order: Literal["accrue-day"] = "accrue-day"
    jackpot: Name
    day: date


class SetCap(Record):
    """Sets a progressive's maximum."""

    order: Literal["set-cap"] = "set-cap"
    jackpot: Name
    cap: Amount


class Reduce(Record):
    """A lawful reduction of a progressive other than a win (WAC 230-15-695), documented and made by two people."""

    order: Literal["reduce"] = "reduce"
    jackpot: Name
    reason: Literal["malfunction", "to-cap", "gross-receipts", "seed"]
    amount: Amount
    source: Literal["meter", "reserve", "overflow"]
    second: Name
    document: str
    corrects: str = ""  # malfunction: the contribution to reverse


class Deposit(Record):
    """Deposits money that was set aside in the escrow account."""

    order: Literal["deposit"] = "deposit"
    jackpot: Name
    amount: Amount


class EscrowLost(Record):
    """A loss from the escrow account, such as a seizure or a fee (WAC 230-15-715)."""

    order: Literal["escrow-lost"] = "escrow-lost"
    jackpot: Name
    amount: Amount
    why: str


class CureEscrow(Record):
    """The house replaces money lost from the escrow account."""

    order: Literal["cure-escrow"] = "cure-escrow"
    jackpot: Name
    amount: Amount


JackpotRequest = (
    AddJackpot
    | AddLinkedTable
    | StakePlaced
    | StakesReturned
    | BeginHand
    | LockClaims
    | WithdrawClaims
    | EndHand
    | Verify
    | HandOverVerification
    | PayWin
    | DenyWin
    | Suspend
    | Resume
    | Post
    | WithdrawPost
    | AccrueDay
    | SetCap
    | Reduce
    | Deposit
    | EscrowLost
    | CureEscrow
)

JACKPOT_REQUESTS: TypeAdapter[JackpotRequest] = TypeAdapter(Annotated[JackpotRequest, Field(discriminator="order")])
