"""Reconciles a progressive: what is owed to the players is what came in less what went out, to the cent.

meter + reserve + overflow + pending = seed advanced + contributions - paid - recognised - seed recovered
"""

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.ledger.accounts import CUSTODIAL, Kind
from upcard.ledger.transfers import Reason, Transfer
from upcard.units import Cents


@dataclass(slots=True)
class Reconciliation:
    """Both sides of the equation, term by term."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    pending: int = 0
    advanced: int = 0
    contributed: int = 0  # less the contributions that a malfunction made
    paid: int = 0
    recognised: int = 0
    recovered: int = 0

    @property
    def owed(self) -> Cents:
        """What the accounts hold for the players."""
        return Cents(self.meter + self.reserve + self.overflow + self.pending)

    @property
    def explained(self) -> Cents:
        """What they should hold, by what came in and went out."""
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


def reconcile(jackpot: str, transfers: Iterable[Transfer]) -> Reconciliation:
    """Both sides, from the transfers of a jackpot's chain."""
    sums = Reconciliation()
    for transfer in transfers:
        _add(sums, jackpot, transfer)
    return sums


def _add(sums: Reconciliation, jackpot: str, transfer: Transfer) -> None:
    for account, sign in ((transfer.credit, 1), (transfer.debit, -1)):
        if account.kind in CUSTODIAL and account.owner == jackpot:
            name = _FIELDS[account.kind]
            setattr(sums, name, getattr(sums, name) + sign * transfer.amount)
    term = _TERMS.get(transfer.reason)
    if transfer.reason is Reason.WIN_DENIED and transfer.credit.kind is Kind.SEED:
        term = ("recovered", 1)
    if term is not None:
        name, sign = term
        setattr(sums, name, getattr(sums, name) + sign * transfer.amount)
