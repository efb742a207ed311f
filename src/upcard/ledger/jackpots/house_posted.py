"""What 001 and 003 Bonus have in common: values that the house posts.

A stake plays for the values that are posted when it is placed. A change that comes while wagers are on the felt is
queued: the linked tables take no new wager on the jackpot until those are decided, taken back or void. Then it is
posted. Rounds that begin meanwhile have no such wager, so a change never waits for them.
"""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Self

from pydantic import Field

from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.jackpots.jackpot_state import check_between_hands
from upcard.ledger.jackpots.requests import Post
from upcard.ledger.journal import instant_text
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Amount, Record
from upcard.ledger.refusals import BookRefusal, BookRefused


class QueuedPost(Record):
    """Values to be posted when the wagers on the felt are decided, and who ordered that."""

    values: dict[str, Amount]
    seeds: dict[str, Amount] = Field(default={})
    actor: str
    at: str
    command: str


class HousePosted(HouseJackpot):
    """A jackpot with values that the house posts."""

    queued: QueuedPost | None = None
    waits_for: dict[str, int] = Field(default={})  # by table: the round that a change waits for

    @abstractmethod
    def check_post(self, request: Post, draft: Draft) -> None:
        """Refuses a change that the plan does not allow now."""

    @abstractmethod
    def with_posted(self, values: Mapping[str, int], seeds: Mapping[str, int], draft: Draft) -> Self:
        """The jackpot with new values."""

    def with_reseeding(self, draft: Draft) -> Self:  # noqa: ARG002 - 001 resets paid meters
        """The jackpot after what a payment left to do."""
        return self

    def change_due(self) -> bool:
        """Whether a change of the values waits."""
        return self.queued is not None

    def closed(self) -> BookRefused | None:
        """While a change waits, no new wager is taken; those on the felt are played for the old values."""
        undecided = self.undecided()
        if undecided:
            return self.stopped() or BookRefused(BookRefusal.CHANGE_WAITS, jackpot=self.jackpot, tables=undecided)
        return self.stopped()

    def in_play(self, draft: Draft) -> bool:
        return bool(self.running) if draft.moment.format < 2 else bool(self.undecided())

    def with_nothing_in_play(self, draft: Draft) -> Self:
        """Makes the changes that wait."""
        if not self.change_due():
            return self
        state, queued = self.with_reseeding(draft), self.queued
        state = state.model_copy(update={"queued": None, "waits_for": {}})
        return state if queued is None else state.with_posted(queued.values, queued.seeds, draft)

    def post(self, request: Post, draft: Draft) -> Self:
        """Posts new values, or queues them while wagers are on the felt or hands in play."""
        if draft.moment.format < 2:
            check_between_hands(self)
        self.check_post(request, draft)
        if self.queued is not None:
            raise BookRefused(BookRefusal.CHANGE_QUEUED, jackpot=self.jackpot)
        state = self.waiting() if draft.moment.format >= 2 else self
        if not state.waits_for:
            return self.with_posted(request.values, request.seeds, draft)
        queued = QueuedPost(
            values=request.values,
            seeds=request.seeds,
            actor=draft.moment.actor,
            at=instant_text(draft.moment.at),
            command=draft.moment.command,
        )
        return state.model_copy(update={"queued": queued})

    def withdraw(self, draft: Draft) -> Self:
        """Withdraws a queued change: the wager is taken again."""
        if self.queued is None:
            raise BookRefused(BookRefusal.NO_CHANGE_QUEUED, jackpot=self.jackpot)
        state = self.model_copy(update={"queued": None})
        if not state.change_due():
            return state.model_copy(update={"waits_for": {}})
        return state if state.in_play(draft) else state.with_nothing_in_play(draft)

    def waiting(self) -> Self:
        """The jackpot with a change that waits for everything now on the felt and in play."""
        rounds = {table: felt.round for table, felt in self.felt.items()}
        rounds |= {table: hand.round for table, hand in self.running.items()}
        return self.model_copy(update={"waits_for": {**self.waits_for, **rounds}})

    def undecided(self) -> list[str]:
        """The tables whose wagers a change still waits for."""
        return [table for table, number in self.waits_for.items() if number in self._rounds_at(table)]

    def _rounds_at(self, table: str) -> set[int]:
        open_rounds = (self.felt.get(table), self.running.get(table))
        return {open_round.round for open_round in open_rounds if open_round is not None}
