"""The identity of a progressive: what is owed is what came in less what went out, to the cent.

meter + reserve + overflow + pending = seed advanced + contributions - paid - recognised - seed recovered
"""

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.ledger.accounts import CUSTODIAL, Kind
from upcard.ledger.journal import Entry
from upcard.ledger.transfers import Reason, Transfer
from upcard.units import Cents


@dataclass(slots=True)
class Identity:
    """Both sides, term by term."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    pending: int = 0
    advanced: int = 0
    contributed: int = 0  # less what a malfunction had put in
    paid: int = 0
    recognised: int = 0
    recovered: int = 0

    @property
    def owed(self) -> Cents:
        """What the house keeps for the players."""
        return Cents(self.meter + self.reserve + self.overflow + self.pending)

    @property
    def explained(self) -> Cents:
        """What it should keep."""
        return Cents(self.advanced + self.contributed - self.paid - self.recognised - self.recovered)


_FIELDS = {Kind.METER: "meter", Kind.RESERVE: "reserve", Kind.OVERFLOW: "overflow", Kind.AWARD: "pending"}
_TERMS = {
    Reason.SEED_ADVANCED: ("advanced", 1),
    Reason.CONTRIBUTION: ("contributed", 1),
    Reason.MALFUNCTION: ("contributed", -1),
    Reason.WIN_PAID: ("paid", 1),
    Reason.RECOGNISED: ("recognised", 1),
    Reason.SEED_RECOVERED: ("recovered", 1),
}


def identity_of(jackpot: str, entries: Iterable[Entry]) -> Identity:
    """Both sides from the transfers of a jackpot's own chain."""
    found = Identity()
    for entry in entries:
        for one in entry.transfers:
            _count(found, jackpot, one)
    return found


def _count(found: Identity, jackpot: str, one: Transfer) -> None:
    for side, sign in ((one.credit, 1), (one.debit, -1)):
        if side.kind in CUSTODIAL and side.owner == jackpot:
            name = _FIELDS[side.kind]
            setattr(found, name, getattr(found, name) + sign * one.amount)
    term = _TERMS.get(one.reason)
    if one.reason is Reason.WIN_DENIED and one.credit.kind is Kind.SEED:
        term = ("recovered", 1)
    if term is not None:
        setattr(found, term[0], getattr(found, term[0]) + term[1] * one.amount)
