"""003's Bonus: posted by the house, changed at any time between hands, shown with a notice; each winner in full (R14).

The display drops as soon as a hand wins, by the largest share won; a full win resets it to the posted seed.
"""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field

from upcard.ledger.jackpots.hands_and_wins import RunningHand, Win, check_between_hands
from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.jackpots.requests import AddJackpot, JackpotClaim, Post
from upcard.ledger.jackpots.sharing import in_full, one_after_another
from upcard.ledger.jackpots.terms import BonusTerms, Law
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase


class Drop(Record):
    """How much a win lowered the display, less what the reseeding raised it; a denial undoes it."""

    cents: int


class BonusJackpot(HouseJackpot):
    """A jackpot with one posted amount."""

    plan: Literal["bonus"] = "bonus"
    terms: BonusTerms
    value: Level
    seed: Level
    drops: dict[str, Drop] = Field(default={})

    def values(self) -> dict[str, int]:
        return {self.terms.meter: self.value}

    def laws(self) -> tuple[Law, ...]:
        return self.terms.laws

    def with_win(self, key: str, win: Win, claims: Sequence[JackpotClaim], dealt: RunningHand, draft: Draft) -> Self:
        """R14: everybody wins from the amount posted at the deal. The display drops at once, so that play goes on."""
        shares, base = [claim.share for claim in claims], dealt.values[self.terms.meter]
        if self.terms.winners == "each-in-full":
            amounts = in_full(base, shares)
            remaining = self.seed if max(shares) == 1 else self.value - in_full(self.value, [max(shares)])[0]
        else:
            amounts = one_after_another(base, shares, self.seed)
            remaining = self.value
            for share in shares:
                remaining = self.seed if share == 1 else remaining - in_full(remaining, [share])[0]
        reason = MeterChange.RESEEDED if max(shares) == 1 else MeterChange.WIN_LOCKED
        draft.show(self.terms.meter, reason, self.value, remaining)
        drops = {**self.drops, key: Drop(cents=self.value - remaining)}
        locked = self.with_promise(key, win, claims, amounts, draft)
        return locked.model_copy(update={"value": remaining, "drops": drops})

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """Nothing else changes: the display dropped when the win was locked."""
        paid = self.resolve_promise(key, win, draft, Phase.POST)
        return paid.model_copy(update={"drops": {other: drop for other, drop in self.drops.items() if other != key}})

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """Raises the display by what the win took; a denial never lowers it."""
        restored = self.value + max(self.drops[key].cents, 0)
        if restored != self.value:
            draft.show(self.terms.meter, MeterChange.RESTORED, self.value, restored)
        denied = self.resolve_promise(key, win, draft, Phase.VOID)
        drops = {other: drop for other, drop in self.drops.items() if other != key}
        return denied.model_copy(update={"value": restored, "drops": drops})

    def post(self, request: Post, draft: Draft) -> Self:
        """Posts a new amount or a new seed, between hands."""
        check_between_hands(self)
        for meter in (*request.values, *request.seeds):
            if meter != self.terms.meter:
                raise BookRefused(BookRefusal.NO_SUCH_METER, jackpot=self.jackpot, meter=meter)
        value = request.values[self.terms.meter]
        draft.show(self.terms.meter, MeterChange.POSTED, self.value, value)
        return self.model_copy(
            update={
                "value": value,
                "seed": request.seeds.get(self.terms.meter, self.seed),
                "drops": _cleared(self.drops),
            }
        )


def opened(request: AddJackpot, terms: BonusTerms, draft: Draft) -> BonusJackpot:
    draft.show(terms.meter, MeterChange.OPENED, 0, terms.seed)
    return BonusJackpot(
        jackpot=request.jackpot, trigger=request.trigger, terms=terms, value=terms.seed, seed=terms.seed
    )


def _cleared(drops: dict[str, Drop]) -> dict[str, Drop]:
    """A later denial adds nothing to a newly posted amount."""
    return {key: Drop(cents=0) for key in drops}
