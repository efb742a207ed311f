"""000's Bonus Jackpot: seeded, grown each morning by part of the wagers of the day before, reseeded when it is paid.

The accrual of a day is requested in the morning, and made at the latest with the first deal of the next day. Hands that
were already dealt keep their value. While a win is being verified, the wager is stopped, and the daily accrual goes to
the next fund. Another hand that was already running can still win: it wins the reseed amount, or the fund if the first
win is denied.
"""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field

from upcard.ledger.jackpots.house_funded import HouseJackpot
from upcard.ledger.jackpots.jackpot_state import RunningHand, Win, check_between_hands
from upcard.ledger.jackpots.requests import AccrueDay, AddJackpot, BeginHand, JackpotClaim
from upcard.ledger.jackpots.sharing import divided, in_full
from upcard.ledger.jackpots.terms import DailyTerms, Law
from upcard.ledger.journal import MeterChange, instant_text, next_day
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Exact, Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase
from upcard.units import Cents, Rounding, round_cents


class Accrual(Record):
    """What was added for the wagers of a gaming day, and when."""

    day: date
    amount: Level
    at: str


class DailyJackpot(HouseJackpot):
    """A jackpot whose fund grows each morning."""

    plan: Literal["daily-accrual"] = "daily-accrual"
    terms: DailyTerms
    value: Level
    carry: Exact = Fraction(0)  # the fraction of a cent, for the next morning
    next_growth: Level = 0  # accrued for the next fund while a win is being verified
    reseed_due: bool = False
    holder: str = ""  # the win that gets the fund
    behind: tuple[str, ...] = ()  # wins that get the reseed amount, in the order they were locked
    wagered: dict[str, Level] = Field(default={})  # settled wagers by gaming day, until they are accrued
    accrued: date | None = None  # the last day that was accrued
    last_accrual: Accrual | None = None
    bases: dict[str, Level] = Field(default={})  # by win: the fund at its deal

    def values(self) -> dict[str, int]:
        return {self.terms.meter: self.value}

    def laws(self) -> tuple[Law, ...]:
        return self.terms.laws

    def stopped(self) -> BookRefused | None:
        """Stopped while a win is being verified, until the fund is reseeded."""
        if self.wins or self.reseed_due:
            return BookRefused(BookRefusal.BEING_VERIFIED, jackpot=self.jackpot)
        return super().stopped()

    def due(self, today: date) -> list[date]:
        """The past gaming days to accrue now, in order. A hand that was settled after its own day was accrued counts
        with the next day."""
        after = date.min if self.accrued is None else next_day(self.accrued)
        return sorted({day for text in self.wagered if (day := max(date.fromisoformat(text), after)) < today})

    def with_wagers(self, hand: BeginHand, draft: Draft) -> Self:  # noqa: ARG002 - wagers do not move the fund
        """No hand is dealt before the accrual of the days before it."""
        if draft.moment.format < 2:
            return self
        state = self
        for day in self.due(draft.moment.day):
            state = state._accrued(day, draft)
        return state

    def with_settled_hand(self, dealt: RunningHand) -> Self:
        """Adds the hand's wagers to those of the gaming day of the deal."""
        day = dealt.day.isoformat()
        wagered = {**self.wagered, day: self.wagered.get(day, 0) + dealt.wagered} if dealt.stakes else self.wagered
        return super().with_settled_hand(dealt).model_copy(update={"wagered": wagered})

    def with_win(self, key: str, win: Win, claims: Sequence[JackpotClaim], dealt: RunningHand, draft: Draft) -> Self:
        """R18: the winners of one hand divide the fund."""
        behind = bool(self.holder or self.reseed_due)
        base = self.terms.reseed if behind else dealt.values[self.terms.meter]
        shares = [claim.share for claim in claims]
        won = self.with_promise(key, win, claims, self._shared(base, shares, draft), draft)
        if draft.moment.format >= 2:
            won = won.model_copy(update={"bases": {**self.bases, key: dealt.values[self.terms.meter]}})
        return won.model_copy(update={"behind": (*self.behind, key)} if behind else {"holder": key})

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """If this win had the fund, the fund is reseeded when no hand is in play for it. What was accrued after the
        deal of that hand belongs to the next fund."""
        paid = self.resolve_promise(key, win, draft, Phase.POST)._without_win(key)
        if key != self.holder:
            return paid
        later_growth = self.value - self.bases.get(key, self.value)
        return paid.model_copy(update={"reseed_due": True, "next_growth": self.next_growth + later_growth})

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """The fund goes to the next win in line; if there is none, it gets the accrual that waited (decision 034)."""
        denied = self.resolve_promise(key, win, draft, Phase.VOID)._without_win(key)
        if key == self.holder and denied.behind:
            return denied._promoted(denied.behind[0], draft)
        if denied.wins or denied.reseed_due or draft.moment.format < 2:
            return denied
        return denied._renewed(denied.value, MeterChange.RESTORED, draft)  # hands in play keep their value

    def _promoted(self, key: str, draft: Draft) -> Self:
        """Gives a win the fund of its deal instead of the reseed amount; the new amount must be verified again."""
        win, base = self.wins[key], self.bases.get(key, self.value)
        amounts = self._shared(base, [award.share for award in win.awards], draft)
        awards = tuple(
            award.model_copy(update={"amount": amount}) for award, amount in zip(win.awards, amounts, strict=True)
        )
        without = self.resolve_promise(key, win, draft, Phase.VOID)._without_win(key)
        won = without.promise(key, win.model_copy(update={"awards": awards, "verified_by": ""}), draft)
        return won.model_copy(update={"holder": key, "bases": self.bases})

    def _without_win(self, key: str) -> Self:
        behind = tuple(other for other in self.behind if other != key)
        bases = {other: base for other, base in self.bases.items() if other != key}
        holder = "" if key == self.holder else self.holder
        return self.model_copy(update={"behind": behind, "holder": holder, "bases": bases})

    def _shared(self, base: int, shares: Sequence[Fraction], draft: Draft) -> list[Cents]:
        if self.terms.winners == "divide":
            return divided(base, shares, draft.moment.format)
        return in_full(base, shares)

    def with_nothing_in_play(self, draft: Draft) -> Self:
        """Reseeds after a payment; after a denial, adds the accrual that waited."""
        if self.wins:
            return self
        if self.reseed_due:
            return self._renewed(self.terms.reseed, MeterChange.RESEEDED, draft)
        return self._renewed(self.value, MeterChange.RESTORED, draft)

    def _renewed(self, base: int, reason: MeterChange, draft: Draft) -> Self:
        """The next fund: a base, and the accrual that waited."""
        value = base + self.next_growth
        if value != self.value or self.reseed_due:
            draft.show(self.terms.meter, reason, self.value, value, self.carry)
        return self.model_copy(update={"value": value, "next_growth": 0, "reseed_due": False})

    def accrue(self, request: AccrueDay, draft: Draft) -> Self:
        """Accrues part of a past day's wagers, once."""
        if draft.moment.format < 2:
            check_between_hands(self)
        if self.accrued is not None and request.day <= self.accrued:
            raise BookRefused(BookRefusal.ACCRUED_ALREADY, day=request.day.isoformat())
        if request.day >= draft.moment.day:
            raise BookRefused(BookRefusal.DAY_NOT_OVER, day=request.day.isoformat())
        return self._accrued(request.day, draft)

    def _accrued(self, day: date, draft: Draft) -> Self:
        """Adds part of the wagers up to a day; while a win is being verified, to the next fund."""
        days = [text for text in self.wagered if text <= day.isoformat()]
        exact = self.terms.accrues * sum(self.wagered[text] for text in days) + self.carry
        growth = round_cents(exact, Rounding.DOWN)
        changed = self.model_copy(
            update={
                "accrued": day,
                "carry": exact - growth,
                "wagered": {text: amount for text, amount in self.wagered.items() if text not in days},
            }
        )
        if draft.moment.format >= 2:
            accrual = Accrual(day=day, amount=growth, at=instant_text(draft.moment.at))
            changed = changed.model_copy(update={"last_accrual": accrual})
        if self.wins or (self.reseed_due and draft.moment.format >= 2):
            return changed.model_copy(update={"next_growth": self.next_growth + growth})
        draft.show(self.terms.meter, MeterChange.ACCRUED, self.value, self.value + growth, exact - growth)
        return changed.model_copy(update={"value": self.value + growth})


def opened(request: AddJackpot, terms: DailyTerms, draft: Draft) -> DailyJackpot:
    draft.show(terms.meter, MeterChange.OPENED, 0, terms.seed)
    return DailyJackpot(jackpot=request.jackpot, trigger=request.trigger, terms=terms, value=terms.seed)
