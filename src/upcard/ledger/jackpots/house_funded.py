"""Jackpots of the house's own money: an expense when won, pending until paid or denied. No wager moves a meter."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from upcard.ledger.accounts import Kind
from upcard.ledger.jackpots.requests import Arm, Claimed
from upcard.ledger.jackpots.state import JackpotState, Win, awards_of
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase, Reason
from upcard.units import Cents


class Promise(Record):
    """The pending transfers of a win, in the order of its awards."""

    transfers: tuple[str, ...]


class HouseJackpot(JackpotState):
    """A jackpot the house pays out of its own pocket."""

    promises: dict[str, Promise] = Field(default={})

    def stopped(self) -> BookRefused | None:
        """Suspended by the house."""
        if self.suspended:
            return BookRefused(BookRefusal.SUSPENDED, jackpot=self.jackpot, why=self.suspended)
        return None

    def with_wagers(self, arm: Arm, draft: Draft) -> Self:  # noqa: ARG002 - that it does nothing is the point
        """House meters never move with a wager."""
        return self

    def with_promise(
        self, key: str, win: Win, claims: Sequence[Claimed], amounts: Sequence[Cents], draft: Draft
    ) -> Self:
        """Locks the amounts: pending, from the house's expense to the winners."""
        return self.promise(key, win.model_copy(update={"awards": awards_of(claims, amounts)}), draft)

    def promise(self, key: str, won: Win, draft: Draft) -> Self:
        """Locks a win whose awards are known."""
        made = [
            draft.move(
                Reason.HOUSE_AWARD,
                award.amount,
                debit=account(Kind.EXPENSE, self.jackpot),
                credit=account(Kind.PLAYER, award.player),
                phase=Phase.PENDING,
            )
            for award in won.awards
        ]
        promise = Promise(transfers=tuple(made))
        return self.model_copy(update={"wins": {**self.wins, key: won}, "promises": {**self.promises, key: promise}})

    def keep_promise(self, key: str, win: Win, draft: Draft, phase: Phase) -> Self:
        """Posts what is paid, or voids what is denied."""
        for pending, award in zip(self.promises[key].transfers, win.awards, strict=True):
            expense, player = account(Kind.EXPENSE, self.jackpot), account(Kind.PLAYER, award.player)
            if pending:
                draft.resolve(pending, phase, Reason.HOUSE_AWARD, award.amount, expense, player)
        left = {one: promise for one, promise in self.promises.items() if one != key}
        return self.model_copy(update={"promises": left})
