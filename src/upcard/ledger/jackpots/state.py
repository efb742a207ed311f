"""What all jackpots have in common: the tables that play for them, hands that run, wins that wait. Pure.

A win is of one hand from one meter, with all its winners: the hand is right or wrong for all of them, so it is
verified, paid or denied as one. Where its money comes from is each plan's own matter.
"""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import date
from typing import Self

from pydantic import Field

from upcard.codes import Coded
from upcard.ledger.jackpots.requests import Arm, Claimed, DenyWin, Finish, Join, PayWin, Resume, Sensed, Suspend, Verify
from upcard.ledger.jackpots.terms import Law, law_on
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Exact, Level, Name, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import Trigger
from upcard.units import Cents


class Award(Record):
    """What one winner gets."""

    spot: int
    player: Name
    share: Exact
    event: str
    amount: Level


class Win(Record):
    """A hand that won from a meter and waits to be paid or denied."""

    table: Name
    round: int
    meter: str
    day: date
    locked_by: str
    awards: tuple[Award, ...]
    verified_by: str = ""

    @property
    def amount(self) -> Cents:
        """What all its winners get together."""
        return Cents(sum(award.amount for award in self.awards))


class Running(Record):
    """A hand that runs, and the meters as they stood at its deal."""

    round: int
    day: date
    values: dict[str, Level]
    stakes: tuple[Sensed, ...]

    @property
    def wagered(self) -> Cents:
        """What plays for the jackpot in this hand."""
        return Cents(sum(one.stake for one in self.stakes))


class JackpotState(Record):
    """A jackpot as its chain tells it."""

    jackpot: Name
    trigger: Trigger
    tables: tuple[Name, ...] = ()
    running: dict[str, Running] = Field(default={})  # by table
    wins: dict[str, Win] = Field(default={})
    suspended: str = ""
    wagers: int = 0  # how many played for it
    hits: int = 0
    paid: Level = 0  # all its wins that were paid

    @abstractmethod
    def values(self) -> dict[str, int]:
        """The meters as players see them."""

    @abstractmethod
    def laws(self) -> tuple[Law, ...]:
        """What the jurisdiction wants, dated."""

    @abstractmethod
    def stopped(self) -> BookRefused | None:
        """Why its wager is stopped now; None: it is not."""

    @abstractmethod
    def with_wagers(self, arm: Arm, draft: Draft) -> Self:
        """After the wagers of a deal; house meters never move with them."""

    @abstractmethod
    def with_win(self, key: str, win: Win, claims: Sequence[Claimed], dealt: Running, draft: Draft) -> Self:
        """After a hand has won; the plan says how much each winner gets."""

    @abstractmethod
    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """After a win was paid."""

    @abstractmethod
    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """After a win was denied: everything as if it had not been."""

    def counted(self, dealt: Running) -> Self:
        """After a hand whose wagers were settled; what it wagered may matter later."""
        return self.model_copy(update={"wagers": self.wagers + len(dealt.stakes)})

    def at_rest(self, draft: Draft) -> Self:  # noqa: ARG002 - plans that wait for the end of hands use it
        """When no hand runs."""
        return self


def join(state: JackpotState, request: Join) -> JackpotState:
    """Links a table, if the same hand wins the same share there, exactly as often."""
    difference = _difference(state, request)
    if difference is not None:
        raise BookRefused(BookRefusal.TRIGGER_DIFFERS, table=request.table, jackpot=state.jackpot, why=difference)
    return state.model_copy(update={"tables": (*state.tables, request.table)})


def arm(state: JackpotState, request: Arm, draft: Draft) -> JackpotState:
    """A hand begins: its wagers count, and its claims are judged by the meters as they stand now."""
    if request.stakes:
        stopped = state.stopped()
        if stopped is not None:
            raise stopped
        state = state.with_wagers(request, draft)
    dealt = Running(round=request.round, day=draft.moment.day, values=state.values(), stakes=request.stakes)
    return state.model_copy(update={"running": {**state.running, request.table: dealt}})


def finish(state: JackpotState, request: Finish, draft: Draft) -> JackpotState:
    """A hand ends: its claims are locked, meter by meter in the order of the trigger."""
    dealt = state.running.get(request.table)
    if dealt is None or dealt.round != request.round:
        return state  # the table was linked during the hand
    running = {table: one for table, one in state.running.items() if table != request.table}
    state = state.model_copy(update={"running": running})
    played = tuple(one for one in dealt.stakes if one.spot not in request.returned)
    state = state.counted(dealt.model_copy(update={"stakes": played}))
    unclaimed = list(played)
    for claim in request.claims:
        _check_claim(state, claim, unclaimed)
    for meter in dict.fromkeys(line.meter for line in state.trigger.lines):
        claims = [claim for claim in request.claims if claim.meter == meter]
        if claims:
            state = _lock(state, meter, claims, request, dealt, draft)
    return state if state.running else state.at_rest(draft)


def verify(state: JackpotState, request: Verify, draft: Draft) -> JackpotState:
    """A second person confirms a win."""
    win = _waiting(state, request.win)
    if win.verified_by:
        raise BookRefused(BookRefusal.VERIFIED_ALREADY, win=request.win, person=win.verified_by)
    if draft.moment.actor == win.locked_by:
        raise BookRefused(BookRefusal.SAME_PERSON, person=win.locked_by)
    verified = win.model_copy(update={"verified_by": draft.moment.actor})
    return state.model_copy(update={"wins": {**state.wins, request.win: verified}})


def pay(state: JackpotState, request: PayWin, draft: Draft) -> JackpotState:
    """Pays a win, once a second person has verified it where its amount demands one."""
    win = _waiting(state, request.win)
    threshold = law_on(state.laws(), win.day).second_person_from
    if threshold is None or win.amount >= threshold:
        if not win.verified_by:
            raise BookRefused(BookRefusal.SECOND_PERSON, amount=win.amount)
        if win.verified_by == draft.moment.actor:
            raise BookRefused(BookRefusal.SAME_PERSON, person=draft.moment.actor)
    state = _without(state, request.win).with_payment(request.win, win, draft)
    state = state.model_copy(update={"hits": state.hits + 1, "paid": state.paid + win.amount})
    return state if state.running else state.at_rest(draft)


def deny(state: JackpotState, request: DenyWin, draft: Draft) -> JackpotState:
    """Denies a win, and restores what it took."""
    if not request.why.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    win = _waiting(state, request.win)
    state = _without(state, request.win).with_denial(request.win, win, draft)
    return state if state.running else state.at_rest(draft)


def suspend(state: JackpotState, request: Suspend) -> JackpotState:
    """Stops the wager; hands that run are finished."""
    if not request.why.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    return state.model_copy(update={"suspended": request.why})


def resume(state: JackpotState, _request: Resume) -> JackpotState:
    """Lets the wager be made again."""
    if not state.suspended:
        raise BookRefused(BookRefusal.NOT_SUSPENDED, jackpot=state.jackpot)
    return state.model_copy(update={"suspended": ""})


def between_hands(state: JackpotState) -> None:
    """Refuses a change of a meter while a hand runs at any of its tables."""
    for table in state.running:
        raise BookRefused(BookRefusal.HAND_RUNNING, jackpot=state.jackpot, table=table)


def awards_of(claims: Sequence[Claimed], amounts: Sequence[Cents]) -> tuple[Award, ...]:
    """Claims with their amounts."""
    return tuple(
        Award(spot=claim.spot, player=claim.player, share=claim.share, event=claim.event, amount=amount)
        for claim, amount in zip(claims, amounts, strict=True)
    )


def _lock(
    state: JackpotState, meter: str, claims: list[Claimed], request: Finish, dealt: Running, draft: Draft
) -> JackpotState:
    key = f"{request.table}/{request.round}" + (f"/{meter}" if len(state.values()) > 1 else "")
    win = Win(
        table=request.table,
        round=request.round,
        meter=meter,
        day=draft.moment.day,
        locked_by=draft.moment.actor,
        awards=(),
    )
    return state.with_win(key, win, claims, dealt, draft)


def _check_claim(state: JackpotState, claim: Claimed, unclaimed: list[Sensed]) -> None:
    """A claim uses up a wager of this deal and needs a line of the trigger, whose share for the stake it is exactly."""
    wager = Sensed(spot=claim.spot, player=claim.player, stake=claim.stake)
    if wager not in unclaimed or not claim.fits(state.trigger):
        raise BookRefused(BookRefusal.CLAIM_WITHOUT_WAGER, spot=claim.spot, meter=claim.meter)
    unclaimed.remove(wager)


def _difference(state: JackpotState, request: Join) -> Coded | None:
    """Why a table cannot play for a jackpot; None: it can."""
    own, other = state.trigger, request.trigger
    if request.table in state.tables:
        return {"code": "trigger/linked-already"}
    if own.plan != other.plan:
        return {"code": "trigger/other-plan", "theirs": other.plan, "ours": own.plan}
    if own.stake != other.stake:
        return {"code": "trigger/other-stake", "theirs": other.stake, "ours": own.stake}
    if (own.kind, own.suit) != (other.kind, other.suit) or _hands(own) != _hands(other):
        return {"code": "trigger/other-hands"}
    for line, theirs in zip(own.lines, other.lines, strict=True):
        if line != theirs:
            chances = {"theirs": str(theirs.probability), "ours": str(line.probability)}
            return {"code": "trigger/other-chance", "event": line.event, **chances}
    return None


def _hands(trigger: Trigger) -> list[tuple[object, ...]]:
    return [(line.event, line.meter, line.share, line.by_stake) for line in trigger.lines]


def _waiting(state: JackpotState, key: str) -> Win:
    if key not in state.wins:
        raise BookRefused(BookRefusal.NO_SUCH_WIN, jackpot=state.jackpot, win=key)
    return state.wins[key]


def _without(state: JackpotState, key: str) -> JackpotState:
    return state.model_copy(update={"wins": {one: win for one, win in state.wins.items() if one != key}})
