"""003's Bonus: posted by the house, shown with a notice, changed whenever no wager plays for it; each winner in full
(R14).

The display drops as soon as a hand wins, by the largest share won; a full win resets it to the posted seed. A stake
that was on the felt by then still plays for what was posted when it was placed.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field

from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.jackpot_state import RunningHand, Win
from upcard.ledger.jackpots.requests import AddJackpot, JackpotClaim, Post
from upcard.ledger.jackpots.sharing import in_full, one_after_another
from upcard.ledger.jackpots.terms import BonusTerms, Law
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Exact, Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase


class Drop(Record):
    """Of a win of format 1: how much it lowered the display, less what the reseeding raised it."""

    cents: int


class Lowering(Record):
    """A win since the amount was posted, and the shares by which it lowers the display, one after another."""

    win: str
    shares: tuple[Exact, ...]
    paid: bool = False


class BonusJackpot(HousePosted):
    """A jackpot with one posted amount."""

    plan: Literal["bonus"] = "bonus"
    terms: BonusTerms
    value: Level
    seed: Level
    drops: dict[str, Drop] = Field(default={})  # of wins of format 1
    shown: Level = 0  # before the wins in `lowered`
    lowered: tuple[Lowering, ...] = ()  # the wins that stand, from the first that may still be denied

    def values(self) -> dict[str, int]:
        return {self.terms.meter: self.value}

    def laws(self) -> tuple[Law, ...]:
        return self.terms.laws

    def with_win(self, key: str, win: Win, claims: Sequence[JackpotClaim], dealt: RunningHand, draft: Draft) -> Self:
        """R14: everybody wins from the amount they play for. The display drops at once, so that play goes on."""
        shares = [claim.share for claim in claims]
        bases = [dealt.value_for(claim.spot, self.terms.meter) for claim in claims]
        if self.terms.winners == "each-in-full":
            amounts = [in_full(base, [share])[0] for base, share in zip(bases, shares, strict=True)]
            lowers_by: tuple[Fraction, ...] = (max(shares),)
        else:
            amounts = one_after_another(max(bases), shares, self.seed)
            lowers_by = tuple(shares)
        remaining = self._after(self.value, lowers_by)
        reason = MeterChange.RESEEDED if max(shares) == 1 else MeterChange.WIN_LOCKED
        draft.show(self.terms.meter, reason, self.value, remaining)
        locked = self.with_promise(key, win, claims, amounts, draft).model_copy(update={"value": remaining})
        if draft.moment.format < 2:
            return locked.model_copy(update={"drops": {**self.drops, key: Drop(cents=self.value - remaining)}})
        shown = self.shown if self.lowered else self.value
        lowered = (*self.lowered, Lowering(win=key, shares=lowers_by))
        return locked.model_copy(update={"shown": shown, "lowered": lowered})

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """The display dropped when the win was locked; now that is final."""
        paid = self.resolve_promise(key, win, draft, Phase.POST)
        lowered = [
            lowering.model_copy(update={"paid": True}) if lowering.win == key else lowering for lowering in self.lowered
        ]
        shown = self.shown
        while lowered and lowered[0].paid:
            shown = self._after(shown, lowered.pop(0).shares)
        return paid.model_copy(update={"drops": self._drops_without(key), "shown": shown, "lowered": tuple(lowered)})

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """Shows what the display would show if this hand had not won (decision 034)."""
        denied = self.resolve_promise(key, win, draft, Phase.VOID)
        drop = max(self.drops[key].cents, 0) if key in self.drops else 0
        if self.lowered:
            shown = self.shown + drop
            lowered = [lowering for lowering in self.lowered if lowering.win != key]
            restored = shown
            for lowering in lowered:
                restored = self._after(restored, lowering.shares)
            while lowered and lowered[0].paid:
                shown = self._after(shown, lowered.pop(0).shares)
            denied = denied.model_copy(update={"shown": shown, "lowered": tuple(lowered)})
        else:
            restored = self.value + drop
        if restored != self.value:
            draft.show(self.terms.meter, MeterChange.RESTORED, self.value, restored)
        return denied.model_copy(update={"value": restored, "drops": self._drops_without(key)})

    def check_post(self, request: Post, draft: Draft) -> None:  # noqa: ARG002 - 001 looks at the time
        """Any time, but only its own meter."""
        for meter in (*request.values, *request.seeds):
            if meter != self.terms.meter:
                raise BookRefused(BookRefusal.NO_SUCH_METER, jackpot=self.jackpot, meter=meter)

    def with_posted(self, values: Mapping[str, int], seeds: Mapping[str, int], draft: Draft) -> Self:
        """Posts a new amount and perhaps a new seed. A later denial adds nothing to a newly posted amount."""
        value = values[self.terms.meter]
        draft.show(self.terms.meter, MeterChange.POSTED, self.value, value)
        return self.model_copy(
            update={
                "value": value,
                "seed": seeds.get(self.terms.meter, self.seed),
                "drops": {key: Drop(cents=0) for key in self.drops},
                "lowered": (),
            }
        )

    def _after(self, value: int, shares: Sequence[Fraction]) -> int:
        """The display after shares of it were won, one after another."""
        for share in shares:
            value = self.seed if share == 1 else value - in_full(value, [share])[0]
        return value

    def _drops_without(self, key: str) -> dict[str, Drop]:
        return {other: drop for other, drop in self.drops.items() if other != key}


def opened(request: AddJackpot, terms: BonusTerms, draft: Draft) -> BonusJackpot:
    draft.show(terms.meter, MeterChange.OPENED, 0, terms.seed)
    return BonusJackpot(
        jackpot=request.jackpot, trigger=request.trigger, terms=terms, value=terms.seed, seed=terms.seed
    )
