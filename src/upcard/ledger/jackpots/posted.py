"""001's MEGA, MAJOR and MINOR: values the house posts, which no wager moves; the winners of one hand divide them (R8).

They may be changed once in 24 hours and never during a hand, except once following the payout of a win. A paid meter
is reset to its opening value; every winner is paid by the value posted at the deal.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal, Self

from upcard.ledger.jackpots.hands_and_wins import RunningHand, Win, check_between_hands
from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.jackpots.requests import AddJackpot, JackpotClaim, Post
from upcard.ledger.jackpots.sharing import divided, pro_rata
from upcard.ledger.jackpots.terms import Law, PostedTerms
from upcard.ledger.journal import MeterChange, instant_of, instant_text
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Level
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase


class PostedJackpot(HouseJackpot):
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
        amounts = share(dealt.values[win.meter], [claim.share for claim in claims])
        return self.with_promise(key, win, claims, amounts, draft)

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """Allows one change of the values; the meter that was paid is reset when no hand is running."""
        due = tuple(dict.fromkeys((*self.reseed_due, win.meter)))
        paid = self.resolve_promise(key, win, draft, Phase.POST)
        return paid.model_copy(update={"free_change": True, "reseed_due": due})

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """Only voids the pending transfers."""
        return self.resolve_promise(key, win, draft, Phase.VOID)

    def with_no_hand_running(self, draft: Draft) -> Self:
        """Resets paid meters to their opening values, never during a hand."""
        posted = dict(self.posted)
        for meter in self.reseed_due:
            draft.show(meter, MeterChange.RESEEDED, posted[meter], self.terms.opening[meter])
            posted[meter] = self.terms.opening[meter]
        return self.model_copy(update={"posted": posted, "reseed_due": ()})

    def post(self, request: Post, draft: Draft) -> Self:
        """Posts new values, if the clause allows a change now."""
        check_between_hands(self)
        next_change = instant_of(self.changed_at) + timedelta(hours=self.terms.hours_between_changes)
        early = draft.moment.at < next_change
        if early and not self.free_change:
            raise BookRefused(BookRefusal.TOO_SOON, jackpot=self.jackpot, at=instant_text(next_change))
        posted = dict(self.posted)
        for meter, value in sorted(request.values.items()):
            if meter not in posted:
                raise BookRefused(BookRefusal.NO_SUCH_METER, jackpot=self.jackpot, meter=meter)
            draft.show(meter, MeterChange.POSTED, posted[meter], value)
            posted[meter] = value
        changed_at = (
            self.changed_at if early else instant_text(draft.moment.at)
        )  # early: the change that a payout allows
        return self.model_copy(update={"posted": posted, "changed_at": changed_at, "free_change": False})


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
