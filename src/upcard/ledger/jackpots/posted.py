"""001's MEGA, MAJOR and MINOR: values the house posts, which no wager moves; the winners of one hand divide them (R8).

They may be changed once in 24 hours and never while wagers on the felt play for them; one more change is allowed
following the payout of a win. A paid meter is reset to its opening value; every winner is paid by the value that was
posted when the wager was placed.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, Self

from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.jackpot_state import RunningHand, Win
from upcard.ledger.jackpots.requests import AddJackpot, JackpotClaim, Post
from upcard.ledger.jackpots.sharing import divided, pro_rata
from upcard.ledger.jackpots.terms import Law, PostedTerms
from upcard.ledger.journal import MeterChange, instant_of, instant_text
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Level
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase


class PostedJackpot(HousePosted):
    """A jackpot with several posted values."""

    plan: Literal["posted"] = "posted"
    terms: PostedTerms
    posted: dict[str, Level]
    changed_at: str  # by the house; reseeding after a win does not count
    free_change: bool = False  # one is allowed following a payout
    reseed_due: tuple[str, ...] = ()

    def values(self) -> dict[str, int]:
        return dict(self.posted)

    def laws(self) -> tuple[Law, ...]:
        return self.terms.laws

    def with_win(self, key: str, win: Win, claims: Sequence[JackpotClaim], dealt: RunningHand, draft: Draft) -> Self:
        """R8: the posted amount divided by the number of winners, then 50% or 100% of it by the stake."""
        share = divided if self.terms.winners == "divide" else pro_rata
        amounts = share(dealt.values[win.meter], [claim.share for claim in claims], draft.moment.format)
        return self.with_promise(key, win, claims, amounts, draft)

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """Allows one change of the values; the meter that was paid is reset when nothing plays for it any more."""
        due = tuple(dict.fromkeys((*self.reseed_due, win.meter)))
        paid = self.resolve_promise(key, win, draft, Phase.POST).model_copy(update={"free_change": True})
        if draft.moment.format < 2:
            return paid.model_copy(update={"reseed_due": due})
        due = tuple(meter for meter in due if self.posted[meter] != self.terms.opening[meter])
        return paid.waiting().model_copy(update={"reseed_due": due}) if due else paid

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """Only voids the pending transfers."""
        return self.resolve_promise(key, win, draft, Phase.VOID)

    def change_due(self) -> bool:
        return bool(self.reseed_due) or super().change_due()

    def with_reseeding(self, draft: Draft) -> Self:
        """Resets paid meters to their opening values, never while wagers on the felt play for them."""
        posted = dict(self.posted)
        for meter in self.reseed_due:
            draft.show(meter, MeterChange.RESEEDED, posted[meter], self.terms.opening[meter])
            posted[meter] = self.terms.opening[meter]
        return self.model_copy(update={"posted": posted, "reseed_due": ()})

    def check_post(self, request: Post, draft: Draft) -> None:
        """Once in 24 hours from the last posting, or once following a payout."""
        if self._is_early(draft) and not self.free_change:
            at = instant_text(self.next_change())
            raise BookRefused(BookRefusal.TOO_SOON, jackpot=self.jackpot, at=at)
        for meter in sorted(request.values):
            if meter not in self.posted:
                raise BookRefused(BookRefusal.NO_SUCH_METER, jackpot=self.jackpot, meter=meter)

    def with_posted(self, values: Mapping[str, int], seeds: Mapping[str, int], draft: Draft) -> Self:  # noqa: ARG002 - 003 Bonus has seeds
        """Posts new values. The 24 hours count from now, unless this is the change that a payout allows."""
        posted = dict(self.posted)
        for meter, value in sorted(values.items()):
            draft.show(meter, MeterChange.POSTED, posted[meter], value)
            posted[meter] = value
        changed_at = self.changed_at if self._is_early(draft) else instant_text(draft.moment.at)
        return self.model_copy(update={"posted": posted, "changed_at": changed_at, "free_change": False})

    def next_change(self) -> datetime:
        """When the values may be posted again."""
        return instant_of(self.changed_at) + timedelta(hours=self.terms.hours_between_changes)

    def _is_early(self, draft: Draft) -> bool:
        return draft.moment.at < self.next_change()


def opened(request: AddJackpot, terms: PostedTerms, draft: Draft) -> PostedJackpot:
    for meter, value in sorted(terms.opening.items()):
        draft.show(meter, MeterChange.OPENED, 0, value)
    return PostedJackpot(
        jackpot=request.jackpot,
        trigger=request.trigger,
        terms=terms,
        posted=dict(terms.opening),
        changed_at=instant_text(draft.moment.at),
    )
