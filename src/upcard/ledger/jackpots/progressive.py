"""003's Progressive: the players' money, which the house holds in escrow. Its meter moves with every wager.

Each wager contributes to the meter and to the reserve at fixed rates, exactly: fractions of a cent are carried over.
What would exceed the cap goes to the overflow. A win takes its shares of the meter at the deal, as far as the meter
still holds them. A full win reseeds at once: from the reserve, then the overflow, then an advance by the house.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal, Self, TypeVar

from pydantic import Field

from upcard.ledger.accounts import Kind
from upcard.ledger.jackpots.escrow import Escrow
from upcard.ledger.jackpots.jackpot_state import JackpotState, RunningHand, Win, awards_of
from upcard.ledger.jackpots.requests import AddJackpot, BeginHand, JackpotClaim, SetCap
from upcard.ledger.jackpots.sharing import at_most, scaled
from upcard.ledger.jackpots.terms import Law, ProgressiveTerms, law_on
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import Exact, Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason
from upcard.units import Cents, Rounding, round_cents

T = TypeVar("T")


class Reseeding(Record):
    """Where the seed after a win came from."""

    reserve: Level = 0
    overflow: Level = 0
    advance: Level = 0


class ProgressiveJackpot(JackpotState):
    """A jackpot with the players' money."""

    plan: Literal["progressive"] = "progressive"
    terms: ProgressiveTerms
    cap: Level | None
    meter: Level = 0
    reserve: Level = 0
    overflow: Level = 0
    award: Level = 0
    seed: Level = 0  # advanced and not recovered
    escrow: Escrow = Escrow()
    meter_carry: Exact = Fraction(0)
    reserve_carry: Exact = Fraction(0)
    reseedings: dict[str, Reseeding] = Field(default={})  # by win, in the order in which they were locked
    unmet: dict[str, tuple[Level, ...]] = Field(default={})  # by win: its awards, if the meter had held enough

    @property
    def owed(self) -> Cents:
        """Everything that escrow must cover."""
        return Cents(self.meter + self.reserve + self.overflow + self.award)

    @property
    def shortfall(self) -> Cents:
        """How much escrow is short; 0: it covers everything."""
        return Cents(max(self.owed - self.escrow.held, 0))

    def values(self) -> dict[str, int]:
        return {self.terms.meter: self.meter}

    def laws(self) -> tuple[Law, ...]:
        return self.terms.laws

    def stopped(self) -> BookRefused | None:
        """Stopped while suspended, or while escrow does not cover what is owed (WAC 230-15-455)."""
        if self.suspended:
            return BookRefused(BookRefusal.SUSPENDED, jackpot=self.jackpot, why=self.suspended)
        if self.shortfall:
            return BookRefused(BookRefusal.ESCROW_SHORT, jackpot=self.jackpot, short=self.shortfall)
        return None

    def deposit_overdue(self, day: date) -> bool:
        """Whether money that was set aside should have been deposited by this day."""
        within = law_on(self.laws(), day).deposit_within_days
        since = self.escrow.undeposited_since
        return within is not None and since is not None and day >= since + timedelta(days=within)

    def with_wagers(self, hand: BeginHand, draft: Draft) -> Self:
        """Every wager moves the meter. Contributions stay even if the round is void: no law allows taking them back."""
        most = self.terms.largest_contribution
        for wager in hand.stakes:
            contribution = (self.terms.rate + self.terms.reserve_rate) * wager.stake
            if most is not None and contribution > most:
                raise BookRefused(BookRefusal.IMPLAUSIBLE, amount=round_cents(contribution, Rounding.UP), most=most)
        wagered = sum(wager.stake for wager in hand.stakes)
        to_meter = self.terms.rate * wagered + self.meter_carry
        to_reserve = self.terms.reserve_rate * wagered + self.reserve_carry
        meter_cents, reserve_cents = round_cents(to_meter, Rounding.DOWN), round_cents(to_reserve, Rounding.DOWN)
        room = meter_cents if self.cap is None else min(meter_cents, max(self.cap - self.meter, 0))
        for kind, amount in (
            (Kind.METER, room),
            (Kind.OVERFLOW, meter_cents - room),
            (Kind.RESERVE, reserve_cents),
        ):
            win, pot = account(Kind.WIN, hand.table), account(kind, self.jackpot)
            draft.move(Reason.CONTRIBUTION, amount, debit=win, credit=pot)
        draft.show(self.terms.meter, MeterChange.CONTRIBUTION, self.meter, self.meter + room, to_meter - meter_cents)
        return self.model_copy(
            update={
                "meter": self.meter + room,
                "overflow": self.overflow + meter_cents - room,
                "reserve": self.reserve + reserve_cents,
                "meter_carry": to_meter - meter_cents,
                "reserve_carry": to_reserve - reserve_cents,
                "escrow": self.escrow.set_aside(self.jackpot, meter_cents + reserve_cents, draft),
            }
        )

    def with_win(self, key: str, win: Win, claims: Sequence[JackpotClaim], dealt: RunningHand, draft: Draft) -> Self:
        """R14: shares of the meter at the deal, scaled down together; or in seat order, each from what is left."""
        if self.terms.winners == "scaled":
            return self._take(key, win, claims, dealt.values[self.terms.meter], draft)
        state = self
        for claim in claims:
            base = dealt.values[self.terms.meter] if state is self else state.meter
            state = state._take(key, state.wins.get(key, win), [claim], base, draft)
        return state

    def _take(self, key: str, win: Win, claims: Sequence[JackpotClaim], base: int, draft: Draft) -> Self:
        shares = [claim.share for claim in claims]
        shown = scaled(base, shares, draft.moment.format)
        awards = awards_of(claims, at_most(self.meter, shown))
        amount = sum(award.amount for award in awards)
        pot, won = account(Kind.METER, self.jackpot), account(Kind.AWARD, self.jackpot)
        draft.move(Reason.WIN_LOCKED, amount, debit=pot, credit=won)
        draft.show(self.terms.meter, MeterChange.WIN_LOCKED, self.meter, self.meter - amount, self.meter_carry)
        win = win.model_copy(update={"awards": (*win.awards, *awards)})
        state = self.model_copy(
            update={
                "meter": self.meter - amount,
                "award": self.award + amount,
                "wins": {**self.wins, key: win},
                "reseedings": {**self.reseedings, key: self.reseedings.get(key, Reseeding())},
            }
        )
        if amount < sum(shown) and draft.moment.format >= 2 and self.terms.winners == "scaled":
            state = state.model_copy(update={"unmet": {**self.unmet, key: tuple(shown)}})
        return state._reseed(key, draft) if sum(shares) >= 1 else state

    def _reseed(self, key: str, draft: Draft) -> Self:
        """Adds the seed to what was contributed since the deal, but not above the cap."""
        room = self.terms.seed if self.cap is None else max(min(self.terms.seed, self.cap - self.meter), 0)
        reserve = min(self.reserve, room)
        overflow = min(self.overflow, room - reserve)
        advance = room - reserve - overflow
        pot = account(Kind.METER, self.jackpot)
        draft.move(Reason.RESEED, reserve, debit=account(Kind.RESERVE, self.jackpot), credit=pot)
        draft.move(Reason.RESEED, overflow, debit=account(Kind.OVERFLOW, self.jackpot), credit=pot)
        draft.move(Reason.SEED_ADVANCED, advance, debit=account(Kind.SEED, self.jackpot), credit=pot)
        draft.show(self.terms.meter, MeterChange.RESEEDED, self.meter, self.meter + room, self.meter_carry)
        before = self.reseedings[key]
        reseeding = Reseeding(
            reserve=before.reserve + reserve, overflow=before.overflow + overflow, advance=before.advance + advance
        )
        return self.model_copy(
            update={
                "meter": self.meter + room,
                "reserve": self.reserve - reserve,
                "overflow": self.overflow - overflow,
                "seed": self.seed + advance,
                "reseedings": {**self.reseedings, key: reseeding},
                "escrow": self.escrow.set_aside(self.jackpot, advance, draft),
            }
        )

    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """Pays the winners, and releases as much from escrow."""
        for award in win.awards:
            won, player = account(Kind.AWARD, self.jackpot), account(Kind.PLAYER, award.player)
            draft.move(Reason.WIN_PAID, award.amount, debit=won, credit=player)
        return self.model_copy(
            update={
                "award": self.award - win.amount,
                "reseedings": _without(self.reseedings, key),
                "unmet": _without(self.unmet, key),
                "escrow": self.escrow.release(self.jackpot, win.amount, draft),
            }
        )

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """Returns the award to where its reseeding came from, then to later wins that got less because of it, then to
        the meter, which a denial never lowers (decision 034)."""
        reseeding, amount_left = self.reseedings[key], int(win.amount)
        to_seed = min(reseeding.advance, self.seed, amount_left)
        to_reserve = min(reseeding.reserve, amount_left - to_seed)
        to_overflow = min(reseeding.overflow, amount_left - to_seed - to_reserve)
        state, to_meter = self._with_unmet_awards(key, amount_left - to_seed - to_reserve - to_overflow)
        returns = (
            (Kind.SEED, to_seed),
            (Kind.RESERVE, to_reserve),
            (Kind.OVERFLOW, to_overflow),
            (Kind.METER, to_meter),
        )
        for kind, amount in returns:
            won, back = account(Kind.AWARD, self.jackpot), account(kind, self.jackpot)
            draft.move(Reason.WIN_DENIED, amount, debit=won, credit=back)
        if to_meter:
            draft.show(self.terms.meter, MeterChange.RESTORED, self.meter, self.meter + to_meter, self.meter_carry)
        return state.model_copy(
            update={
                "award": self.award - sum(amount for _, amount in returns),
                "seed": self.seed - to_seed,
                "reserve": self.reserve + to_reserve,
                "overflow": self.overflow + to_overflow,
                "meter": self.meter + to_meter,
                "reseedings": _without(self.reseedings, key),
                "unmet": _without(state.unmet, key),
                "escrow": self.escrow.undo(self.jackpot, to_seed, draft),
            }
        )

    def _with_unmet_awards(self, key: str, amount_left: int) -> tuple[Self, int]:
        """Raises later wins, in the order of their locks, towards what their players were shown; also what is left.
        The new amounts must be verified again."""
        order = list(self.reseedings)
        wins, unmet = dict(self.wins), dict(self.unmet)
        for later in order[order.index(key) + 1 :]:
            if later not in unmet or not amount_left:
                continue
            win, shown = wins[later], [Cents(amount) for amount in unmet[later]]
            amounts = at_most(win.amount + amount_left, shown)
            amount_left -= sum(amounts) - win.amount
            awards = tuple(
                award.model_copy(update={"amount": amount}) for award, amount in zip(win.awards, amounts, strict=True)
            )
            wins[later] = win.model_copy(update={"awards": awards, "verified_by": ""})
            if amounts == shown:
                del unmet[later]
        return self.model_copy(update={"wins": wins, "unmet": unmet}), amount_left

    def set_cap(self, request: SetCap) -> Self:
        """Sets the maximum, never below the meter (WAC 230-15-685)."""
        if request.cap < self.meter:
            raise BookRefused(BookRefusal.CAP_BELOW_METER, meter=self.meter)
        return self.model_copy(update={"cap": request.cap})


def _without(by_win: Mapping[str, T], key: str) -> dict[str, T]:
    return {other: value for other, value in by_win.items() if other != key}


def opened(request: AddJackpot, terms: ProgressiveTerms, draft: Draft) -> ProgressiveJackpot:
    """A new jackpot with its seed, which the house advances and sets aside."""
    if terms.cap is not None and terms.cap < terms.seed:
        raise BookRefused(BookRefusal.CAP_BELOW_METER, meter=terms.seed)
    seed, pot = account(Kind.SEED, request.jackpot), account(Kind.METER, request.jackpot)
    draft.move(Reason.SEED_ADVANCED, terms.seed, debit=seed, credit=pot)
    draft.show(terms.meter, MeterChange.OPENED, 0, terms.seed)
    return ProgressiveJackpot(
        jackpot=request.jackpot,
        trigger=request.trigger,
        terms=terms,
        cap=terms.cap,
        meter=terms.seed,
        seed=terms.seed,
        escrow=Escrow().set_aside(request.jackpot, terms.seed, draft),
    )
