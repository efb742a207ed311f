"""What one request does, before anything is written: a new state, transfers, movements of meters, an answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Generic, TypeVar

from upcard.ledger.accounts import Account, Kind
from upcard.ledger.journal import MeterChange, Movement
from upcard.ledger.record import Record
from upcard.ledger.transfers import Phase, Reason, Transfer
from upcard.units import Cents

S = TypeVar("S", bound=Record)


Find = Callable[[str], tuple[Transfer, int] | None]  # a transfer of the chain, and how much of it was put right


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Who asks, when, under which id; the clock is read by whoever calls, never here."""

    command: str
    part: int
    at: datetime
    day: date
    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[S]):
    """The result of a request on one chain; `onward` are the requests it brings to other chains."""

    state: S
    answer: dict[str, object]
    transfers: tuple[Transfer, ...] = ()
    movements: tuple[Movement, ...] = ()
    onward: tuple[Record, ...] = ()


@dataclass
class Draft:
    """Gathers the transfers and movements of one request and numbers them."""

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
        """Adds a transfer and tells its id; nothing is nothing."""
        if amount == 0:
            return ""
        one = Transfer(
            id=self._id(),
            debit=debit,
            credit=credit,
            amount=Cents(amount),
            reason=reason,
            phase=phase,
            corrects=corrects,
        )
        self.transfers.append(one)
        return one.id

    def resolve(self, pending: str, phase: Phase, reason: Reason, amount: int, debit: Account, credit: Account) -> None:
        """Posts or voids a pending transfer."""
        self.transfers.append(
            Transfer(
                id=self._id(),
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

    def outcome(self, state: S, answer: dict[str, object], *onward: Record) -> Outcome[S]:
        """What was gathered, with its state and answer."""
        return Outcome(
            state=state,
            answer=answer,
            transfers=tuple(self.transfers),
            movements=tuple(self.movements),
            onward=onward,
        )

    def _id(self) -> str:
        """The first transfer of a command has the caller's id; the others are numbered after it."""
        number = len(self.transfers)
        if self.moment.part == 0 and number == 0:
            return self.moment.command
        return f"{self.moment.command}#{self.moment.part}.{number}"


@lru_cache(maxsize=1 << 16)
def account(kind: Kind, owner: str) -> Account:
    """Short for the account of an owner."""
    return Account(kind, owner)
