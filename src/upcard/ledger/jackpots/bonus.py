"""003's Bonus: posted by the house, changed at any time between hands, shown with a notice; each winner in full (R14).

The display drops once a hand, by the largest share won, at once; a full win brings it back to the posted seed.
"""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field

from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.jackpots.requests import AddJackpot, Claimed, Post
from upcard.ledger.jackpots.sharing import in_full, one_after_another
from upcard.ledger.jackpots.state import Running, Win, between_hands
from upcard.ledger.jackpots.terms import BonusTerms, Law
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase


class Drop(Record):
    """By how much a win lowered the display, less what the reseeding raised it: to be undone by a denial."""

    cents: int


class BonusJackpot(HouseJackpot):
    """A posted amount."""

    plan: Literal["bonus"] = "bonus"
    terms: BonusTerms
    value: Level
    seed: Level
    drops: dict[str, Drop] = Field(default={})

    def values(self) -> dict[str, int]:
        """The posted amount."""
        return {self.terms.meter: self.value}

    def laws(self) -> tuple[Law, ...]:
        """Of its terms."""
        return self.terms.laws

    def with_win(self, key: str, win: Win, claims: Sequence[Claimed], dealt: Running, draft: Draft) -> Self:
        """R14: everyone from the amount posted at the deal; the display drops at once, so that others play on."""
        shares, base = [claim.share for claim in claims], dealt.values[self.terms.meter]
        if self.terms.winners == "each-in-full":
            amounts = in_full(base, shares)
            left = self.seed if max(shares) == 1 else self.value - in_full(self.value, [max(shares)])[0]
        else:
            amounts = one_after_another(base, shares, self.seed)
            left = self.value
            for share in shares:
                left = self.seed if share == 1 else left - in_full(left, [share])[0]
        reason = MeterChange.RESEEDED if max(shares) == 1 else MeterChange.WIN_LOCKED
        draft.show(self.terms.meter, reason, self.value, left)
        drops = {**self.drops, key: Drop(cents=self.value - left)}
        locked = self.with_promise(key, win, claims, amounts, draft)
        return locked.model_copy(update={"value": left, "drops": drops})

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """The display dropped when the win was locked."""
        paid = self.keep_promise(key, win, draft, Phase.POST)
        return paid.model_copy(update={"drops": {one: drop for one, drop in self.drops.items() if one != key}})

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """The display gets back what it lost; it never falls by a denial."""
        restored = self.value + max(self.drops[key].cents, 0)
        if restored != self.value:
            draft.show(self.terms.meter, MeterChange.RESTORED, self.value, restored)
        denied = self.keep_promise(key, win, draft, Phase.VOID)
        drops = {one: drop for one, drop in self.drops.items() if one != key}
        return denied.model_copy(update={"value": restored, "drops": drops})

    def post(self, request: Post, draft: Draft) -> Self:
        """Posts another amount, or another seed, between hands."""
        between_hands(self)
        for meter in (*request.values, *request.seeds):
            if meter != self.terms.meter:
                raise BookRefused(BookRefusal.NO_SUCH_METER, jackpot=self.jackpot, meter=meter)
        value = request.values[self.terms.meter]
        draft.show(self.terms.meter, MeterChange.POSTED, self.value, value)
        return self.model_copy(
            update={"value": value, "seed": request.seeds.get(self.terms.meter, self.seed), "drops": _none(self.drops)}
        )


def opened(request: AddJackpot, terms: BonusTerms, draft: Draft) -> BonusJackpot:
    """The posted seed."""
    draft.show(terms.meter, MeterChange.OPENED, 0, terms.seed)
    return BonusJackpot(
        jackpot=request.jackpot, trigger=request.trigger, terms=terms, value=terms.seed, seed=terms.seed
    )


def _none(drops: dict[str, Drop]) -> dict[str, Drop]:
    """A newly posted amount is the house's last word: a later denial does not add to it."""
    return {key: Drop(cents=0) for key in drops}
