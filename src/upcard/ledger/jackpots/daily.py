"""000's Bonus Jackpot: seeded, grown each morning by a part of the day before's wagers, reseeded when it is paid.

While a win is verified the fund is spoken for: the wager rests, and mornings add to the next fund. A second hand that
was already running can still win; the fund being won, it wins the reseeding, or the fund if the first win is denied.
"""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field

from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.jackpots.requests import AccrueDay, AddJackpot, Claimed
from upcard.ledger.jackpots.sharing import divided, in_full
from upcard.ledger.jackpots.state import Running, Win, between_hands
from upcard.ledger.jackpots.terms import DailyTerms, Law
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Exact, Level
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase
from upcard.units import Cents, Rounding, round_cents


class DailyJackpot(HouseJackpot):
    """A fund that grows each morning."""

    plan: Literal["daily-accrual"] = "daily-accrual"
    terms: DailyTerms
    value: Level
    carry: Exact = Fraction(0)  # of a cent, for the next morning
    next_growth: Level = 0  # for the fund after the one being verified
    reseed_due: bool = False
    holder: str = ""  # the win that has the fund
    behind: tuple[str, ...] = ()  # wins of the reseeding, in the order of their locks
    wagered: dict[str, Level] = Field(default={})  # settled wagers by gaming day, until they are added
    accrued: date | None = None  # the last day added

    def values(self) -> dict[str, int]:
        """The fund."""
        return {self.terms.meter: self.value}

    def laws(self) -> tuple[Law, ...]:
        """Of its terms."""
        return self.terms.laws

    def stopped(self) -> BookRefused | None:
        """Rests while a win is verified, until the fund is seeded again."""
        if self.wins or self.reseed_due:
            return BookRefused(BookRefusal.BEING_VERIFIED, jackpot=self.jackpot)
        return super().stopped()

    def counted(self, dealt: Running) -> Self:
        """Keeps what was wagered, by the gaming day of the deal."""
        day = dealt.day.isoformat()
        wagered = {**self.wagered, day: self.wagered.get(day, 0) + dealt.wagered} if dealt.stakes else self.wagered
        return super().counted(dealt).model_copy(update={"wagered": wagered})

    def with_win(self, key: str, win: Win, claims: Sequence[Claimed], dealt: Running, draft: Draft) -> Self:
        """R18: the winners of one hand divide the fund."""
        behind = bool(self.holder or self.reseed_due)
        base = self.terms.reseed if behind else dealt.values[self.terms.meter]
        won = self.with_promise(key, win, claims, self._shared(base, [claim.share for claim in claims]), draft)
        return won.model_copy(update={"behind": (*self.behind, key)} if behind else {"holder": key})

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """The fund, if this win had it, is seeded again when the last hand at its tables is over."""
        spent = self.reseed_due or key == self.holder
        return self.keep_promise(key, win, draft, Phase.POST)._left_by(key).model_copy(update={"reseed_due": spent})

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """The fund is what it was, and the next win's that waits; mornings are added once none does."""
        denied = self.keep_promise(key, win, draft, Phase.VOID)._left_by(key)
        return denied._promoted(denied.behind[0], draft) if key == self.holder and denied.behind else denied

    def _promoted(self, key: str, draft: Draft) -> Self:
        """Locks the fund instead of the reseeding for a win; its new amount is verified anew."""
        win = self.wins[key]
        amounts = self._shared(self.value, [award.share for award in win.awards])
        awards = tuple(
            award.model_copy(update={"amount": amount}) for award, amount in zip(win.awards, amounts, strict=True)
        )
        free = self.keep_promise(key, win, draft, Phase.VOID)._left_by(key)
        won = free.promise(key, win.model_copy(update={"awards": awards, "verified_by": ""}), draft)
        return won.model_copy(update={"holder": key})

    def _left_by(self, key: str) -> Self:
        behind = tuple(one for one in self.behind if one != key)
        return self.model_copy(update={"behind": behind, "holder": "" if key == self.holder else self.holder})

    def _shared(self, base: int, shares: Sequence[Fraction]) -> list[Cents]:
        return list((divided if self.terms.winners == "divide" else in_full)(base, shares))

    def at_rest(self, draft: Draft) -> Self:
        """Reseeds after a payment; after a denial adds the mornings that waited."""
        if self.wins:
            return self
        if self.reseed_due:
            base, reason = self.terms.reseed, MeterChange.RESEEDED
        else:
            base, reason = self.value, MeterChange.RESTORED
        value = base + self.next_growth
        if value != self.value or self.reseed_due:
            draft.show(self.terms.meter, reason, self.value, value, self.carry)
        return self.model_copy(update={"value": value, "next_growth": 0, "reseed_due": False})

    def accrue(self, request: AccrueDay, draft: Draft) -> Self:
        """Adds the part of a past day's wagers, once, between hands."""
        between_hands(self)
        if self.accrued is not None and request.day <= self.accrued:
            raise BookRefused(BookRefusal.ACCRUED_ALREADY, day=request.day.isoformat())
        if request.day >= draft.moment.day:
            raise BookRefused(BookRefusal.DAY_NOT_OVER, day=request.day.isoformat())
        past = [day for day in self.wagered if day <= request.day.isoformat()]
        exact = self.terms.accrues * sum(self.wagered[day] for day in past) + self.carry
        growth = round_cents(exact, Rounding.DOWN)
        changed = self.model_copy(
            update={
                "accrued": request.day,
                "carry": exact - growth,
                "wagered": {day: sum_ for day, sum_ in self.wagered.items() if day not in past},
            }
        )
        if self.wins:
            return changed.model_copy(update={"next_growth": self.next_growth + growth})
        draft.show(self.terms.meter, MeterChange.ACCRUED, self.value, self.value + growth, exact - growth)
        return changed.model_copy(update={"value": self.value + growth})


def opened(request: AddJackpot, terms: DailyTerms, draft: Draft) -> DailyJackpot:
    """The fund with its seed."""
    draft.show(terms.meter, MeterChange.OPENED, 0, terms.seed)
    return DailyJackpot(jackpot=request.jackpot, trigger=request.trigger, terms=terms, value=terms.seed)
