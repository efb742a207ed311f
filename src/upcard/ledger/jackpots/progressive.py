"""003's Progressive: the players' money, which the house only keeps. Moves with every wager; held in escrow.

Each wager gives its rate to the meter and its reserve rate to the reserve, exactly: fractions of a cent are carried.
Above the cap it goes to the overflow. A win takes its shares of the meter as it stood at the deal, if it is still
there, and a full one reseeds at once: from the reserve, then the overflow, then by an advance of the house.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field

from upcard.ledger.accounts import Kind
from upcard.ledger.jackpots.escrow import Escrow
from upcard.ledger.jackpots.requests import AddJackpot, Arm, Claimed, SetCap
from upcard.ledger.jackpots.sharing import at_most, scaled
from upcard.ledger.jackpots.state import JackpotState, Running, Win, awards_of
from upcard.ledger.jackpots.terms import Law, ProgressiveTerms, law_on
from upcard.ledger.journal import MeterChange
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import Exact, Level, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Reason
from upcard.units import Cents, Rounding, round_cents


class Reseeding(Record):
    """Where the seed after a win came from."""

    reserve: Level = 0
    overflow: Level = 0
    advance: Level = 0


class ProgressiveJackpot(JackpotState):
    """A pot of the players'."""

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
    reseedings: dict[str, Reseeding] = Field(default={})

    @property
    def owed(self) -> Cents:
        """All that escrow must cover."""
        return Cents(self.meter + self.reserve + self.overflow + self.award)

    @property
    def shortfall(self) -> Cents:
        """What escrow lacks; 0: it covers everything."""
        return Cents(max(self.owed - self.escrow.held, 0))

    def values(self) -> dict[str, int]:
        """The meter."""
        return {self.terms.meter: self.meter}

    def laws(self) -> tuple[Law, ...]:
        """Of its terms."""
        return self.terms.laws

    def stopped(self) -> BookRefused | None:
        """Suspended, or escrow does not cover what is owed: then no wager is taken (WAC 230-15-455)."""
        if self.suspended:
            return BookRefused(BookRefusal.SUSPENDED, jackpot=self.jackpot, why=self.suspended)
        if self.shortfall:
            return BookRefused(BookRefusal.ESCROW_SHORT, jackpot=self.jackpot, short=self.shortfall)
        return None

    def deposit_overdue(self, day: date) -> bool:
        """Whether set-aside money should have gone to the bank by this day."""
        within = law_on(self.laws(), day).deposit_within_days
        since = self.escrow.undeposited_since
        return within is not None and since is not None and day >= since + timedelta(days=within)

    def with_wagers(self, arm: Arm, draft: Draft) -> Self:
        """Every wager moves the meter; what it gives stays even if the deal is void: no law lets it be taken back."""
        most = self.terms.largest_contribution
        for one in arm.stakes:
            gives = (self.terms.rate + self.terms.reserve_rate) * one.stake
            if most is not None and gives > most:
                raise BookRefused(BookRefusal.IMPLAUSIBLE, amount=round_cents(gives, Rounding.UP), most=most)
        wagered = sum(one.stake for one in arm.stakes)
        to_meter = self.terms.rate * wagered + self.meter_carry
        to_reserve = self.terms.reserve_rate * wagered + self.reserve_carry
        whole, kept = round_cents(to_meter, Rounding.DOWN), round_cents(to_reserve, Rounding.DOWN)
        room = whole if self.cap is None else min(whole, max(self.cap - self.meter, 0))
        for kind, amount in ((Kind.METER, room), (Kind.OVERFLOW, whole - room), (Kind.RESERVE, kept)):
            win, pot = account(Kind.WIN, arm.table), account(kind, self.jackpot)
            draft.move(Reason.CONTRIBUTION, amount, debit=win, credit=pot)
        draft.show(self.terms.meter, MeterChange.CONTRIBUTION, self.meter, self.meter + room, to_meter - whole)
        return self.model_copy(
            update={
                "meter": self.meter + room,
                "overflow": self.overflow + whole - room,
                "reserve": self.reserve + kept,
                "meter_carry": to_meter - whole,
                "reserve_carry": to_reserve - kept,
                "escrow": self.escrow.set_aside(self.jackpot, whole + kept, draft),
            }
        )

    def with_win(self, key: str, win: Win, claims: Sequence[Claimed], dealt: Running, draft: Draft) -> Self:
        """R14: shares of the meter at the deal, scaled down together; or in seat order, each from what is left."""
        if self.terms.winners == "scaled":
            return self._take(key, win, claims, dealt.values[self.terms.meter], draft)
        state = self
        for claim in claims:
            base = dealt.values[self.terms.meter] if state is self else state.meter
            state = state._take(key, state.wins.get(key, win), [claim], base, draft)
        return state

    def _take(self, key: str, win: Win, claims: Sequence[Claimed], shown: int, draft: Draft) -> Self:
        shares = [claim.share for claim in claims]
        awards = awards_of(claims, at_most(self.meter, scaled(shown, shares)))
        amount = sum(award.amount for award in awards)
        pot, won = account(Kind.METER, self.jackpot), account(Kind.AWARD, self.jackpot)
        draft.move(Reason.WIN_LOCKED, amount, debit=pot, credit=won)
        draft.show(self.terms.meter, MeterChange.WIN_LOCKED, self.meter, self.meter - amount, self.meter_carry)
        win = win.model_copy(update={"awards": (*win.awards, *awards)})
        taken = self.model_copy(
            update={
                "meter": self.meter - amount,
                "award": self.award + amount,
                "wins": {**self.wins, key: win},
                "reseedings": {**self.reseedings, key: self.reseedings.get(key, Reseeding())},
            }
        )
        return taken._reseed(key, draft) if sum(shares) >= 1 else taken

    def _reseed(self, key: str, draft: Draft) -> Self:
        """The seed on top of what others have wagered meanwhile, but not above the cap."""
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
        """The winners are paid, and escrow gives what they get."""
        for award in win.awards:
            won, player = account(Kind.AWARD, self.jackpot), account(Kind.PLAYER, award.player)
            draft.move(Reason.WIN_PAID, award.amount, debit=won, credit=player)
        return self.model_copy(
            update={
                "award": self.award - win.amount,
                "reseedings": {one: seed for one, seed in self.reseedings.items() if one != key},
                "escrow": self.escrow.release(self.jackpot, win.amount, draft),
            }
        )

    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """The award first gives back the reseeding, then restores the meter: which never falls by a denial."""
        reseeding, left = self.reseedings[key], int(win.amount)
        to_seed = min(reseeding.advance, self.seed, left)
        to_reserve = min(reseeding.reserve, left - to_seed)
        to_overflow = min(reseeding.overflow, left - to_seed - to_reserve)
        to_meter = left - to_seed - to_reserve - to_overflow
        gives_back = (
            (Kind.SEED, to_seed),
            (Kind.RESERVE, to_reserve),
            (Kind.OVERFLOW, to_overflow),
            (Kind.METER, to_meter),
        )
        for kind, amount in gives_back:
            won, back = account(Kind.AWARD, self.jackpot), account(kind, self.jackpot)
            draft.move(Reason.WIN_DENIED, amount, debit=won, credit=back)
        if to_meter:
            draft.show(self.terms.meter, MeterChange.RESTORED, self.meter, self.meter + to_meter, self.meter_carry)
        return self.model_copy(
            update={
                "award": self.award - win.amount,
                "seed": self.seed - to_seed,
                "reserve": self.reserve + to_reserve,
                "overflow": self.overflow + to_overflow,
                "meter": self.meter + to_meter,
                "reseedings": {one: seed for one, seed in self.reseedings.items() if one != key},
                "escrow": self.escrow.undo(self.jackpot, to_seed, draft),
            }
        )

    def set_cap(self, request: SetCap) -> Self:
        """A maximum, never below the meter (WAC 230-15-685)."""
        if request.cap < self.meter:
            raise BookRefused(BookRefusal.CAP_BELOW_METER, meter=self.meter)
        return self.model_copy(update={"cap": request.cap})


def opened(request: AddJackpot, terms: ProgressiveTerms, draft: Draft) -> ProgressiveJackpot:
    """The seed, advanced by the house and set aside."""
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
