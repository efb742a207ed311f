"""The escrow of a progressive: cash set aside, on its way to the bank, and in the bank's own account. Pure."""

from datetime import date
from typing import Self

from upcard.ledger.accounts import Kind
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason
from upcard.units import Cents


class Escrow(Record):
    """What stands behind the money the house keeps for the players."""

    deposited: Level = 0
    undeposited: Level = 0
    undeposited_since: date | None = None  # of the oldest money that waits

    @property
    def held(self) -> Cents:
        """All of it."""
        return Cents(self.deposited + self.undeposited)

    def set_aside(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Takes cash of the house for what has just become the players'."""
        if not amount:
            return self
        waiting, cash = account(Kind.UNDEPOSITED, jackpot), account(Kind.CASH, jackpot)
        draft.move(Reason.SET_ASIDE, amount, debit=waiting, credit=cash)
        since = self.undeposited_since or draft.moment.day
        return self.model_copy(update={"undeposited": self.undeposited + amount, "undeposited_since": since})

    def release(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Gives cash back for what was paid or is the house's now, from the bank first; after a loss, what there is."""
        from_bank = min(self.deposited, amount)
        return self._release(jackpot, from_bank, min(self.undeposited, amount - from_bank), draft)

    def undo(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Gives cash back that was set aside for a reseeding which was none: what is still in the house first."""
        from_house = min(self.undeposited, amount)
        return self._release(jackpot, min(self.deposited, amount - from_house), from_house, draft)

    def _release(self, jackpot: str, from_bank: int, from_house: int, draft: Draft) -> Self:
        cash = account(Kind.CASH, jackpot)
        draft.move(Reason.RELEASE, from_bank, debit=cash, credit=account(Kind.DEPOSITED, jackpot))
        draft.move(Reason.RELEASE, from_house, debit=cash, credit=account(Kind.UNDEPOSITED, jackpot))
        return self._changed(self.deposited - from_bank, self.undeposited - from_house)

    def deposit(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Brings what was set aside to the bank."""
        if amount > self.undeposited:
            raise BookRefused(BookRefusal.NOT_SO_MUCH, most=self.undeposited, limit={"code": "limit/undeposited"})
        bank, waiting = account(Kind.DEPOSITED, jackpot), account(Kind.UNDEPOSITED, jackpot)
        draft.move(Reason.DEPOSIT, amount, debit=bank, credit=waiting)
        return self._changed(self.deposited + amount, self.undeposited - amount)

    def lost(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """The bank account holds less: a seizure, a fee."""
        if amount > self.deposited:
            raise BookRefused(BookRefusal.NOT_SO_MUCH, most=self.deposited, limit={"code": "limit/deposited"})
        cash, bank = account(Kind.CASH, jackpot), account(Kind.DEPOSITED, jackpot)
        draft.move(Reason.ESCROW_LOST, amount, debit=cash, credit=bank)
        return self._changed(self.deposited - amount, self.undeposited)

    def cured(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """The house makes it good."""
        bank, cash = account(Kind.DEPOSITED, jackpot), account(Kind.CASH, jackpot)
        draft.move(Reason.ESCROW_CURED, amount, debit=bank, credit=cash)
        return self._changed(self.deposited + amount, self.undeposited)

    def _changed(self, deposited: int, undeposited: int) -> Self:
        since = self.undeposited_since if undeposited else None
        return self.model_copy(update={"deposited": deposited, "undeposited": undeposited, "undeposited_since": since})
