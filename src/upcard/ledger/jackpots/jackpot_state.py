"""What all jackpots have in common: linked tables, running hands, and wins to be paid or denied. Pure.

A win is one hand's win from one meter, with all its winners. It is verified, paid or denied as a whole, since the hand
is right or wrong for all of them. Each plan says where the money comes from.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Self, TypeVar

from pydantic import Field

from upcard.codes import Coded
from upcard.ledger.jackpots.felt import Felt, FeltStake
from upcard.ledger.jackpots.requests import (
    AddLinkedTable,
    BeginHand,
    DenyWin,
    EndHand,
    HandOverVerification,
    JackpotClaim,
    JackpotStake,
    LockClaims,
    PayWin,
    Resume,
    StakePlaced,
    StakesReturned,
    Suspend,
    Verify,
    WithdrawClaims,
)
from upcard.ledger.jackpots.terms import Law, law_on
from upcard.ledger.outcome import Draft
from upcard.ledger.record import Exact, Level, Name, Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import Trigger
from upcard.units import Cents

T = TypeVar("T")


class Award(Record):
    """What one winner gets."""

    spot: int
    player: Name
    share: Exact
    event: str
    amount: Level


class Win(Record):
    """A hand that won from a meter and is not yet paid or denied."""

    table: Name
    round: int
    meter: str
    day: date
    locked_by: str
    awards: tuple[Award, ...]
    verified_by: str = ""
    handed_to: str = Field(default="", exclude_if=lambda name: not name)  # who was asked to verify it instead

    @property
    def amount(self) -> Cents:
        """The total of its awards."""
        return Cents(sum(award.amount for award in self.awards))


class RunningHand(Record):
    """A hand being played, and the meters at its deal."""

    round: int
    day: date
    values: dict[str, Level]
    stakes: tuple[JackpotStake, ...]
    placed: tuple[FeltStake, ...] = ()  # stakes that were placed while the meters were not as at the deal

    @property
    def wagered(self) -> Cents:
        """The total of the stakes."""
        return Cents(sum(stake.stake for stake in self.stakes))

    def value_for(self, spot: int, meter: str) -> int:
        """What a spot plays for: the meter at the deal or, if that was more, when its stake was placed."""
        placed = (stake.values[meter] for stake in self.placed if stake.spot == spot)
        return max((self.values[meter], *placed))


class JackpotState(Record):
    """The state of a jackpot's chain."""

    jackpot: Name
    trigger: Trigger
    tables: tuple[Name, ...] = ()
    felt: dict[str, Felt] = Field(default={})  # by table, for plans that know stakes before the deal
    running: dict[str, RunningHand] = Field(default={})  # by table
    wins: dict[str, Win] = Field(default={})
    suspended: str = ""
    wagers: int = 0  # how many were settled
    hits: int = 0
    paid: Level = 0  # the total of its paid wins

    @abstractmethod
    def values(self) -> dict[str, int]:
        """The meters that players see, by name."""

    @abstractmethod
    def laws(self) -> tuple[Law, ...]:
        """The jurisdiction's requirements, by date."""

    @abstractmethod
    def stopped(self) -> BookRefused | None:
        """Why its wager is stopped now, also at the deal; None: it is not."""

    def closed(self) -> BookRefused | None:
        """Why it takes no new wager now; None: it does. Those on the felt may still be dealt."""
        return self.stopped()

    def win_key(self, table: str, number: int, meter: str) -> str:
        """The name of a round's win from a meter."""
        return f"{table}/{number}" + (f"/{meter}" if len(self.values()) > 1 else "")

    def in_play(self, draft: Draft) -> bool:
        """Whether a change of its meters must wait for hands in play."""
        if draft.moment.format < 2:
            return bool(self.running)
        return any(hand.stakes for hand in self.running.values())

    @abstractmethod
    def with_wagers(self, hand: BeginHand, draft: Draft) -> Self:
        """The jackpot after the wagers of a deal."""

    @abstractmethod
    def with_win(self, key: str, win: Win, claims: Sequence[JackpotClaim], dealt: RunningHand, draft: Draft) -> Self:
        """The jackpot after a hand has won; the plan decides how much each winner gets."""

    @abstractmethod
    def with_payment(self, key: str, win: Win, draft: Draft) -> Self:
        """The jackpot after a win was paid."""

    @abstractmethod
    def with_denial(self, key: str, win: Win, draft: Draft) -> Self:
        """The jackpot after a win was denied, and what it changed was reversed."""

    def with_settled_hand(self, dealt: RunningHand) -> Self:
        """The jackpot after the wagers of a hand were settled."""
        return self.model_copy(update={"wagers": self.wagers + len(dealt.stakes)})

    def with_nothing_in_play(self, draft: Draft) -> Self:  # noqa: ARG002 - plans that wait for the end of hands use it
        """The jackpot when a change of its meters need not wait any more."""
        return self


def add_linked_table(state: JackpotState, request: AddLinkedTable) -> JackpotState:
    """Links a table, if the same hands win the same shares there with the same probabilities."""
    difference = _difference(state, request)
    if difference is not None:
        raise BookRefused(BookRefusal.TRIGGER_DIFFERS, table=request.table, jackpot=state.jackpot, why=difference)
    return state.model_copy(update={"tables": (*state.tables, request.table)})


def stake_placed(state: JackpotState, request: StakePlaced) -> JackpotState:
    """A stake lies on the felt, and plays for the meters as they are now."""
    closed = state.closed()
    if closed is not None:
        raise closed
    felt = state.felt.get(request.table)
    if felt is None or felt.round != request.round:
        felt = Felt(round=request.round, stakes=())
    felt = felt.with_stake(FeltStake(spot=request.spot, values=state.values()))
    return state.model_copy(update={"felt": {**state.felt, request.table: felt}})


def stakes_returned(state: JackpotState, request: StakesReturned, draft: Draft) -> JackpotState:
    """Stakes were taken off the felt before the deal."""
    felt = state.felt.get(request.table)
    if felt is None or felt.round != request.round:
        return state  # they were placed before this jackpot was told of stakes
    remaining = felt.without(set(request.spots))
    others = _without_table(state.felt, request.table)
    after = state.model_copy(update={"felt": {**others, request.table: remaining} if remaining.stakes else others})
    return _settled_down(after, draft)


def begin_hand(state: JackpotState, request: BeginHand, draft: Draft) -> JackpotState:
    """Begins a hand: its wagers count, and its claims are paid by the current meters."""
    if request.stakes:
        stopped = state.stopped()
        if stopped is not None:
            raise stopped
        state = state.with_wagers(request, draft)
    values, felt = state.values(), state.felt.get(request.table)
    placed = () if felt is None else tuple(stake for stake in felt.stakes if stake.values != values)
    dealt = RunningHand(round=request.round, day=draft.moment.day, values=values, stakes=request.stakes, placed=placed)
    felts = _without_table(state.felt, request.table)
    return state.model_copy(update={"felt": felts, "running": {**state.running, request.table: dealt}})


def lock_claims(state: JackpotState, request: LockClaims, draft: Draft) -> JackpotState:
    """Locks the claims of a hand that goes on as wins."""
    dealt = state.running.get(request.table)
    if dealt is None or dealt.round != request.round:
        return state  # the table was linked during the hand
    return _locked(state, request, dealt, dealt.stakes, draft)


def withdraw_claims(state: JackpotState, request: WithdrawClaims | EndHand, draft: Draft) -> JackpotState:
    """Reverses the wins of a hand whose cards were wrong or whose round is void."""
    for key, win in list(state.wins.items()):
        if (win.table, win.round) == (request.table, request.round):
            state = _without_win(state, key).with_denial(key, win, draft)
    return state


def end_hand(state: JackpotState, request: EndHand, draft: Draft) -> JackpotState:
    """Ends a hand: locks the claims it still has; a void hand loses the wins that were locked before."""
    dealt = state.running.get(request.table)
    if dealt is None or dealt.round != request.round:
        return state  # the table was linked during the hand
    state = state.model_copy(update={"running": _without_table(state.running, request.table)})
    played = tuple(stake for stake in dealt.stakes if stake.spot not in request.returned)
    state = state.with_settled_hand(dealt.model_copy(update={"stakes": played}))
    if request.returned:
        state = withdraw_claims(state, request, draft)
    return _settled_down(_locked(state, request, dealt, played, draft), draft)


def _locked(
    state: JackpotState,
    request: LockClaims | EndHand,
    dealt: RunningHand,
    played: Sequence[JackpotStake],
    draft: Draft,
) -> JackpotState:
    """Locks claims as wins, meter by meter in the order of the trigger."""
    unclaimed = list(played)
    for claim in request.claims:
        _check_claim(state, claim, unclaimed)
    for meter in dict.fromkeys(line.meter for line in state.trigger.lines):
        claims = [claim for claim in request.claims if claim.meter == meter]
        if claims:
            state = _lock(state, meter, claims, request, dealt, draft)
    return state


def verify(state: JackpotState, request: Verify, draft: Draft) -> JackpotState:
    """A second person confirms a win."""
    win = _find_win(state, request.win)
    if win.verified_by:
        raise BookRefused(BookRefusal.VERIFIED_ALREADY, win=request.win, person=win.verified_by)
    if draft.moment.actor == win.locked_by:
        raise BookRefused(BookRefusal.SAME_PERSON, person=win.locked_by)
    verified = win.model_copy(update={"verified_by": draft.moment.actor, "handed_to": ""})
    return state.model_copy(update={"wins": {**state.wins, request.win: verified}})


def hand_over_verification(state: JackpotState, request: HandOverVerification, draft: Draft) -> JackpotState:
    """Takes a verification back for another person to verify: whoever verified a win may not pay it."""
    win = _find_win(state, request.win)
    if not win.verified_by:
        raise BookRefused(BookRefusal.NOT_VERIFIED, win=request.win)
    if win.verified_by != draft.moment.actor:
        raise BookRefused(BookRefusal.VERIFIER_ONLY, win=request.win, person=win.verified_by)
    if request.to in (draft.moment.actor, win.locked_by):
        raise BookRefused(BookRefusal.SAME_PERSON, person=request.to)
    handed = win.model_copy(update={"verified_by": "", "handed_to": request.to})
    return state.model_copy(update={"wins": {**state.wins, request.win: handed}})


def needs_verification(state: JackpotState, win: Win) -> bool:
    """Whether a second person must verify a win before it is paid."""
    threshold = law_on(state.laws(), win.day).second_person_from
    return threshold is None or win.amount >= threshold


def pay(state: JackpotState, request: PayWin, draft: Draft) -> JackpotState:
    """Pays a win after its round; if its amount requires that, a second person must have verified it."""
    win = _find_win(state, request.win)
    hand = state.running.get(win.table)
    if hand is not None and hand.round == win.round:
        raise BookRefused(BookRefusal.ROUND_NOT_SETTLED, table=win.table, round=win.round)
    if needs_verification(state, win):
        if not win.verified_by:
            raise BookRefused(BookRefusal.SECOND_PERSON, amount=win.amount)
        if win.verified_by == draft.moment.actor:
            raise BookRefused(BookRefusal.SAME_PERSON, person=draft.moment.actor)
    state = _without_win(state, request.win).with_payment(request.win, win, draft)
    state = state.model_copy(update={"hits": state.hits + 1, "paid": state.paid + win.amount})
    return _settled_down(state, draft)


def deny(state: JackpotState, request: DenyWin, draft: Draft) -> JackpotState:
    """Denies a win, and reverses what it changed."""
    if not request.why.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    win = _find_win(state, request.win)
    state = _without_win(state, request.win).with_denial(request.win, win, draft)
    return _settled_down(state, draft)


def suspend(state: JackpotState, request: Suspend) -> JackpotState:
    """Stops the wager; running hands are finished."""
    if not request.why.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    return state.model_copy(update={"suspended": request.why})


def resume(state: JackpotState, _request: Resume) -> JackpotState:
    """Lets the wager be made again."""
    if not state.suspended:
        raise BookRefused(BookRefusal.NOT_SUSPENDED, jackpot=state.jackpot)
    return state.model_copy(update={"suspended": ""})


def check_between_hands(state: JackpotState) -> None:
    """Refuses to change a meter while a hand is running at any of its tables."""
    for table in state.running:
        raise BookRefused(BookRefusal.HAND_RUNNING, jackpot=state.jackpot, table=table)


def _settled_down(state: JackpotState, draft: Draft) -> JackpotState:
    """Changes of the meters that wait happen when nothing is in play that they wait for."""
    return state if state.in_play(draft) else state.with_nothing_in_play(draft)


def _without_table(by_table: Mapping[str, T], table: str) -> dict[str, T]:
    return {name: value for name, value in by_table.items() if name != table}


def awards_of(claims: Sequence[JackpotClaim], amounts: Sequence[Cents]) -> tuple[Award, ...]:
    """The awards for claims with these amounts."""
    return tuple(
        Award(spot=claim.spot, player=claim.player, share=claim.share, event=claim.event, amount=amount)
        for claim, amount in zip(claims, amounts, strict=True)
    )


def _lock(
    state: JackpotState,
    meter: str,
    claims: list[JackpotClaim],
    request: LockClaims | EndHand,
    dealt: RunningHand,
    draft: Draft,
) -> JackpotState:
    key = state.win_key(request.table, request.round, meter)
    win = Win(
        table=request.table,
        round=request.round,
        meter=meter,
        day=draft.moment.day,
        locked_by=draft.moment.actor,
        awards=(),
    )
    return state.with_win(key, win, claims, dealt, draft)


def _check_claim(state: JackpotState, claim: JackpotClaim, unclaimed: list[JackpotStake]) -> None:
    """A claim needs a stake of this deal, and exactly the share that the trigger gives that stake."""
    wager = JackpotStake(spot=claim.spot, player=claim.player, stake=claim.stake)
    if wager not in unclaimed or not claim.fits(state.trigger):
        raise BookRefused(BookRefusal.CLAIM_WITHOUT_WAGER, spot=claim.spot, meter=claim.meter)
    unclaimed.remove(wager)


def _difference(state: JackpotState, request: AddLinkedTable) -> Coded | None:
    """Why a table cannot play for a jackpot; None: it can."""
    ours, trigger = state.trigger, request.trigger
    if request.table in state.tables:
        return {"code": "trigger/linked-already"}
    if ours.plan != trigger.plan:
        return {"code": "trigger/other-plan", "theirs": trigger.plan, "ours": ours.plan}
    if ours.stake != trigger.stake:
        return {"code": "trigger/other-stake", "theirs": trigger.stake, "ours": ours.stake}
    if (ours.kind, ours.suit) != (trigger.kind, trigger.suit) or _hands(ours) != _hands(trigger):
        return {"code": "trigger/other-hands"}
    for line, theirs in zip(ours.lines, trigger.lines, strict=True):
        if line != theirs:
            chances = {"theirs": str(theirs.probability), "ours": str(line.probability)}
            return {"code": "trigger/other-chance", "event": line.event, **chances}
    return None


def _hands(trigger: Trigger) -> list[tuple[object, ...]]:
    return [(line.event, line.meter, line.share, line.by_stake) for line in trigger.lines]


def _find_win(state: JackpotState, key: str) -> Win:
    if key not in state.wins:
        raise BookRefused(BookRefusal.NO_SUCH_WIN, jackpot=state.jackpot, win=key)
    return state.wins[key]


def _without_win(state: JackpotState, key: str) -> JackpotState:
    return state.model_copy(update={"wins": {other: win for other, win in state.wins.items() if other != key}})
