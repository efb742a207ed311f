"""What one request does, before anything is written: a new state, transfers, meter movements and an answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Generic, NamedTuple, NotRequired, TypedDict, TypeVar

from upcard import formats
from upcard.ledger.accounts import Account
from upcard.ledger.journal import MeterChange, Movement
from upcard.ledger.record import Record
from upcard.ledger.transfers import Phase, Reason, Transfer
from upcard.units import Cents

S = TypeVar("S", bound=Record)


FindTransfer = Callable[[str], tuple[Transfer, int] | None]  # a transfer of the chain, and how much was corrected


class Moment(NamedTuple):
    """A request's id, time and actor. The caller reads the clock."""

    command: str
    part: int
    at: datetime
    day: date
    actor: str
    format: int = formats.FORMAT  # of the entry; one of an earlier format is replayed by that format's rules


class WinnerAmount(TypedDict):
    """What one winner gets, in an answer."""

    spot: int
    player: str
    amount: int


class LockedWin(TypedDict):
    """A win that a request locked, in an answer."""

    meter: str
    amount: int
    awards: list[WinnerAmount]


class JackpotAnswer(TypedDict):
    """A jackpot's answer: its meters, and the wins that the request locked or gave another amount."""

    meters: dict[str, int]
    wins: dict[str, LockedWin]
    queued: NotRequired[dict[str, int]]  # values that are posted when the wagers on the felt are decided


CloseWarning = dict[str, str | int]  # a code with its parameters, shown to the house at the daily close


class Checkpoint(TypedDict):
    """The answer to a daily close: the heads of the book's chains, and every balance."""

    day: str
    heads: dict[str, list[int | str]]  # number and hash
    balances: dict[str, list[int]]
    warnings: list[CloseWarning]
    hash: str


Answer = Mapping[str, str | int] | JackpotAnswer | Checkpoint


class Outcome(NamedTuple, Generic[S]):
    """The result of a request on one chain; `onward` are the requests it sends to other chains."""

    state: S
    answer: Answer
    transfers: tuple[Transfer, ...] = ()
    movements: tuple[Movement, ...] = ()
    onward: tuple[Record, ...] = ()


@dataclass
class Draft:
    """Collects the transfers and movements of one request and numbers them."""

    moment: Moment
    transfers: list[Transfer] = field(default_factory=list)
    movements: list[Movement] = field(default_factory=list)

    def move(
        self,
        reason: Reason,
        amount: int,
        *,
        debit: Account,
        credit: Account,
        phase: Phase = Phase.POSTED,
        corrects: str | None = None,
    ) -> str:
        """Adds a transfer and returns its id; adds none for an amount of zero."""
        if amount == 0:
            return ""
        transfer = Transfer(
            id=transfer_id(self.moment.command, self.moment.part, len(self.transfers)),
            debit=debit,
            credit=credit,
            amount=Cents(amount),
            reason=reason,
            phase=phase,
            corrects=corrects,
        )
        self.transfers.append(transfer)
        return transfer.id

    def resolve(self, pending: str, phase: Phase, reason: Reason, amount: int, debit: Account, credit: Account) -> None:
        """Posts or voids a pending transfer."""
        self.transfers.append(
            Transfer(
                id=transfer_id(self.moment.command, self.moment.part, len(self.transfers)),
                debit=debit,
                credit=credit,
                amount=Cents(amount),
                reason=reason,
                phase=phase,
                resolves=pending,
            )
        )

    def show(self, meter: str, reason: MeterChange, before: int, after: int, carry: object = "0") -> None:
        """Adds a movement of a meter."""
        self.movements.append(
            Movement(meter=meter, reason=reason, before=Cents(before), after=Cents(after), carry=str(carry))
        )

    def outcome(self, state: S, answer: Answer, *onward: Record) -> Outcome[S]:
        """The outcome with everything that was collected."""
        return Outcome(state, answer, tuple(self.transfers), tuple(self.movements), onward)


def transfer_id(command: str, part: int, number: int) -> str:
    """The first transfer of a command has the caller's id; the others are numbered after it."""
    return command if part == 0 and number == 0 else f"{command}#{part}.{number}"


account = lru_cache(maxsize=1 << 16)(Account)  # the same accounts are used again and again
