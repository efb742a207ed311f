"""Applies any request to a jackpot: passes it to the jackpot's plan, or refuses what that plan cannot do. Pure."""

from typing import Annotated, assert_never

from pydantic import Field, TypeAdapter

from upcard.ledger.jackpots import bonus, daily, jackpot_state, posted, progressive
from upcard.ledger.jackpots import requests as r
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.posted import PostedJackpot
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.reductions import reduce
from upcard.ledger.jackpots.terms import BonusTerms, DailyTerms, PostedTerms, ProgressiveTerms
from upcard.ledger.outcome import Draft, FindTransfer, JackpotAnswer, Moment, Outcome
from upcard.ledger.refusals import BookRefusal, BookRefused

Jackpot = DailyJackpot | PostedJackpot | BonusJackpot | ProgressiveJackpot

JACKPOTS: TypeAdapter[Jackpot] = TypeAdapter(Annotated[Jackpot, Field(discriminator="plan")])


def apply(
    before: jackpot_state.JackpotState | None, request: r.JackpotRequest, moment: Moment, find: FindTransfer
) -> Outcome[jackpot_state.JackpotState]:
    """What a request does to a jackpot; raises BookRefused."""
    draft = Draft(moment)
    if isinstance(request, r.AddJackpot):
        if before is not None:
            raise BookRefused(BookRefusal.JACKPOT_KNOWN, jackpot=request.jackpot)
        after: jackpot_state.JackpotState = _opened(request, draft)
    elif before is None:
        raise BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=request.jackpot)
    else:
        after = _changed(before, request, draft, find)
    return draft.outcome(after, _answer(before, after, moment))


def _opened(request: r.AddJackpot, draft: Draft) -> jackpot_state.JackpotState:
    match request.terms:
        case DailyTerms() as terms:
            return daily.opened(request, terms, draft)
        case PostedTerms() as terms:
            return posted.opened(request, terms, draft)
        case BonusTerms() as terms:
            return bonus.opened(request, terms, draft)
        case ProgressiveTerms() as terms:
            return progressive.opened(request, terms, draft)
        case _:
            assert_never(request.terms)


def _changed(
    before: jackpot_state.JackpotState,
    request: r.AddLinkedTable
    | r.StakePlaced
    | r.StakesReturned
    | r.BeginHand
    | r.LockClaims
    | r.WithdrawClaims
    | r.EndHand
    | r.Verify
    | r.HandOverVerification
    | r.PayWin
    | r.DenyWin
    | r.Suspend
    | r.Resume
    | r.Post
    | r.WithdrawPost
    | r.AccrueDay
    | r.SetCap
    | r.Reduce
    | r.Deposit
    | r.EscrowLost
    | r.CureEscrow,
    draft: Draft,
    find: FindTransfer,
) -> jackpot_state.JackpotState:
    match request:
        case r.AddLinkedTable():
            return jackpot_state.add_linked_table(before, request)
        case r.StakePlaced():
            return jackpot_state.stake_placed(before, request)
        case r.StakesReturned():
            return jackpot_state.stakes_returned(before, request, draft)
        case r.BeginHand():
            return jackpot_state.begin_hand(before, request, draft)
        case r.LockClaims():
            return jackpot_state.lock_claims(before, request, draft)
        case r.WithdrawClaims():
            return jackpot_state.withdraw_claims(before, request, draft)
        case r.EndHand():
            return jackpot_state.end_hand(before, request, draft)
        case r.Verify():
            return jackpot_state.verify(before, request, draft)
        case r.HandOverVerification():
            return jackpot_state.hand_over_verification(before, request, draft)
        case r.PayWin():
            return jackpot_state.pay(before, request, draft)
        case r.DenyWin():
            return jackpot_state.deny(before, request, draft)
        case r.Suspend():
            return jackpot_state.suspend(before, request)
        case r.Resume():
            return jackpot_state.resume(before, request)
        case r.Post() if isinstance(before, BonusJackpot) or (isinstance(before, PostedJackpot) and not request.seeds):
            return before.post(request, draft)
        case r.WithdrawPost() if isinstance(before, HousePosted):
            return before.withdraw(draft)
        case r.AccrueDay() if isinstance(before, DailyJackpot):
            return before.accrue(request, draft)
        case r.SetCap() if isinstance(before, ProgressiveJackpot):
            return before.set_cap(request)
        case r.Reduce() if isinstance(before, ProgressiveJackpot):
            return reduce(before, request, draft, find)
        case r.Deposit() | r.EscrowLost() | r.CureEscrow() if isinstance(before, ProgressiveJackpot):
            return _escrow(before, request, draft)
        case _:
            raise BookRefused(BookRefusal.WRONG_PLAN, plan=before.trigger.plan)


def _escrow(
    before: ProgressiveJackpot, request: r.Deposit | r.EscrowLost | r.CureEscrow, draft: Draft
) -> ProgressiveJackpot:
    match request:
        case r.Deposit():
            escrow = before.escrow.deposit(before.jackpot, request.amount, draft)
        case r.EscrowLost():
            if not request.why.strip():
                raise BookRefused(BookRefusal.NEEDS_REASON)
            escrow = before.escrow.lost(before.jackpot, request.amount, draft)
        case r.CureEscrow():
            escrow = before.escrow.cured(before.jackpot, request.amount, draft)
        case _:
            assert_never(request)
    return before.model_copy(update={"escrow": escrow})


def _answer(
    before: jackpot_state.JackpotState | None, after: jackpot_state.JackpotState, moment: Moment
) -> JackpotAnswer:
    """The meters, the wins that this request locked or gave another amount, and values that wait to be posted."""
    old_wins = before.wins if before is not None else {}
    if moment.format < 2:
        new_wins = {key: win for key, win in after.wins.items() if key not in old_wins}
    else:
        new_wins = {
            key: win for key, win in after.wins.items() if key not in old_wins or old_wins[key].amount != win.amount
        }
    answer: JackpotAnswer = {
        "meters": after.values(),
        "wins": {
            key: {
                "meter": win.meter,
                "amount": win.amount,
                "awards": [
                    {"spot": award.spot, "player": award.player, "amount": award.amount} for award in win.awards
                ],
            }
            for key, win in new_wins.items()
        },
    }
    queued = after.queued if isinstance(after, HousePosted) else None
    if queued is not None:
        answer["queued"] = dict(queued.values)
    return answer
