"""The escrow of a progressive: cash set aside in the house, and cash in the bank's escrow account. Pure."""

from datetime import date
from typing import Self

from upcard.ledger.accounts import Kind
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason
from upcard.units import Cents


class Escrow(Record):
    """The cash that covers what the house holds for the players."""

    deposited: Level = 0
    undeposited: Level = 0
    undeposited_since: date | None = None  # the day of the oldest money that is not deposited

    @property
    def held(self) -> Cents:
        return Cents(self.deposited + self.undeposited)

    def set_aside(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Sets the house's cash aside for money that now belongs to the players."""
        if not amount:
            return self
        undeposited, cash = account(Kind.UNDEPOSITED, jackpot), account(Kind.CASH, jackpot)
        draft.move(Reason.SET_ASIDE, amount, debit=undeposited, credit=cash)
        since = self.undeposited_since or draft.moment.day
        return self.model_copy(update={"undeposited": self.undeposited + amount, "undeposited_since": since})

    def release(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Releases cash for what was paid or now belongs to the house: from the bank first, at most what there is."""
        from_bank = min(self.deposited, amount)
        return self._release(jackpot, from_bank, min(self.undeposited, amount - from_bank), draft)

    def undo(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Releases cash that was set aside for a reseeding of a denied win: what is still in the house first."""
        from_house = min(self.undeposited, amount)
        return self._release(jackpot, min(self.deposited, amount - from_house), from_house, draft)

    def _release(self, jackpot: str, from_bank: int, from_house: int, draft: Draft) -> Self:
        cash = account(Kind.CASH, jackpot)
        draft.move(Reason.RELEASE, from_bank, debit=cash, credit=account(Kind.DEPOSITED, jackpot))
        draft.move(Reason.RELEASE, from_house, debit=cash, credit=account(Kind.UNDEPOSITED, jackpot))
        return self._changed(self.deposited - from_bank, self.undeposited - from_house)

    def deposit(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Deposits cash that was set aside at the bank."""
        if amount > self.undeposited:
            raise BookRefused(BookRefusal.NOT_SO_MUCH, most=self.undeposited, limit={"code": "limit/undeposited"})
        bank, undeposited = account(Kind.DEPOSITED, jackpot), account(Kind.UNDEPOSITED, jackpot)
        draft.move(Reason.DEPOSIT, amount, debit=bank, credit=undeposited)
        return self._changed(self.deposited + amount, self.undeposited - amount)

    def lost(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """Records a loss from the bank account, such as a seizure or a fee."""
        if amount > self.deposited:
            raise BookRefused(BookRefusal.NOT_SO_MUCH, most=self.deposited, limit={"code": "limit/deposited"})
        cash, bank = account(Kind.CASH, jackpot), account(Kind.DEPOSITED, jackpot)
        draft.move(Reason.ESCROW_LOST, amount, debit=cash, credit=bank)
        return self._changed(self.deposited - amount, self.undeposited)

    def cured(self, jackpot: str, amount: int, draft: Draft) -> Self:
        """The house replaces what was lost."""
        bank, cash = account(Kind.DEPOSITED, jackpot), account(Kind.CASH, jackpot)
        draft.move(Reason.ESCROW_CURED, amount, debit=bank, credit=cash)
        return self._changed(self.deposited + amount, self.undeposited)

    def _changed(self, deposited: int, undeposited: int) -> Self:
        since = self.undeposited_since if undeposited else None
        return self.model_copy(update={"deposited": deposited, "undeposited": undeposited, "undeposited_since": since})
