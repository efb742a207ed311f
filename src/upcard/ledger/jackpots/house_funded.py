"""Jackpots with the house's own money: a win is an expense, pending until paid or denied. No wager moves a meter."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from upcard.ledger.accounts import Kind
from upcard.ledger.jackpots.jackpot_state import JackpotState, Win, awards_of
from upcard.ledger.jackpots.requests import BeginHand, JackpotClaim
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase, Reason
from upcard.units import Cents


class Promise(Record):
    """The pending transfers of a win, in the order of its awards."""

    transfers: tuple[str, ...]


class HouseJackpot(JackpotState):
    """A jackpot that the house pays with its own money."""

    promises: dict[str, Promise] = Field(default={})

    def stopped(self) -> BookRefused | None:
        if self.suspended:
            return BookRefused(BookRefusal.SUSPENDED, jackpot=self.jackpot, why=self.suspended)
        return None

    def with_wagers(self, hand: BeginHand, draft: Draft) -> Self:  # noqa: ARG002 - the other plan uses them
        """Changes nothing: wagers never move a house-funded meter."""
        return self

    def with_promise(
        self, key: str, win: Win, claims: Sequence[JackpotClaim], amounts: Sequence[Cents], draft: Draft
    ) -> Self:
        """Locks a win with these amounts, as pending transfers from the house's expense to the winners."""
        return self.promise(key, win.model_copy(update={"awards": awards_of(claims, amounts)}), draft)

    def promise(self, key: str, won: Win, draft: Draft) -> Self:
        """Locks a win whose awards are known."""
        transfers = [
            draft.move(
                Reason.HOUSE_AWARD,
                award.amount,
                debit=account(Kind.EXPENSE, self.jackpot),
                credit=account(Kind.PLAYER, award.player),
                phase=Phase.PENDING,
            )
            for award in won.awards
        ]
        promise = Promise(transfers=tuple(transfers))
        return self.model_copy(update={"wins": {**self.wins, key: won}, "promises": {**self.promises, key: promise}})

    def resolve_promise(self, key: str, win: Win, draft: Draft, phase: Phase) -> Self:
        """Posts the pending transfers of a paid win, or voids those of a denied one."""
        for pending, award in zip(self.promises[key].transfers, win.awards, strict=True):
            expense, player = account(Kind.EXPENSE, self.jackpot), account(Kind.PLAYER, award.player)
            if pending:
                draft.resolve(pending, phase, Reason.HOUSE_AWARD, award.amount, expense, player)
        others = {other: promise for other, promise in self.promises.items() if other != key}
        return self.model_copy(update={"promises": others})
