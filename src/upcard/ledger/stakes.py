"""Stakes on a table's felt: placed, cleared, and locked when the deal begins. Pure."""

from collections.abc import Iterable

from upcard.ledger import requests as r
from upcard.ledger.accounts import Kind
from upcard.ledger.jackpots.requests import BeginHand, JackpotStake
from upcard.ledger.outcome import Draft, Moment, Outcome, account
from upcard.ledger.record import Record, changed_record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.stakes_before_the_deal import tell_of_return, tell_of_stake
from upcard.ledger.table_state import OpenRound, Stake, TableState
from upcard.ledger.transfers import Phase, Reason
from upcard.ledger.winnings import with_stake


def place(state: TableState, request: r.PlaceStakes | r.PlaceStake, moment: Moment) -> Outcome[TableState]:
    on_felt = state.open or OpenRound(round=state.rounds + 1, day=moment.day)
    if request.round != on_felt.round:
        raise BookRefused(BookRefusal.ROUND_NOT_NEXT, table=state.table, next=on_felt.round, round=request.round)
    draft, on_spot, onward = Draft(moment), dict(on_felt.stakes), list[Record]()
    player, stakes = account(Kind.PLAYER, request.player), account(Kind.STAKES, state.table)
    for wager, amount in request.stakes:
        stake = Stake(spot=request.spot, player=request.player, wager=wager, amount=amount)
        if wager in state.triggers:
            _check_jackpot_stake(state, on_felt, stake, on_spot.values())
            onward += tell_of_stake(state, on_felt.round, stake, moment)
        pending = draft.move(Reason.STAKE, amount, debit=player, credit=stakes, phase=Phase.PENDING)
        on_spot[pending] = stake
    on_felt = changed_record(on_felt, stakes=on_spot)
    if request.player in on_felt.winnings:
        on_felt = with_stake(on_felt, request.player, sum(amount for _, amount in request.stakes), draft)
    return draft.outcome(changed_record(state, open=on_felt), {"stake": draft.transfers[0].id}, *onward)


def pend(draft: Draft, table: str, stake: Stake) -> str:
    """Puts a stake on the felt; returns the id of its pending transfer."""
    player, stakes = account(Kind.PLAYER, stake.player), account(Kind.STAKES, table)
    return draft.move(Reason.STAKE, stake.amount, debit=player, credit=stakes, phase=Phase.PENDING)


def _check_jackpot_stake(state: TableState, on_felt: OpenRound, new: Stake, others: Iterable[Stake]) -> None:
    """A jackpot wager is made before the deal at a linked table, once per spot, with a stake its trigger allows."""
    if on_felt.locked:
        raise BookRefused(BookRefusal.ROUND_LOCKED, round=on_felt.round)
    if new.wager not in state.links:
        raise BookRefused(BookRefusal.NOT_LINKED, table=state.table, wager=new.wager)
    if not state.triggers[new.wager].takes(new.amount):
        raise BookRefused(BookRefusal.NOT_THE_STAKE, table=state.table, wager=new.wager, amount=new.amount)
    if any((stake.spot, stake.wager) == (new.spot, new.wager) for stake in others):
        raise BookRefused(BookRefusal.STAKED_ALREADY, spot=new.spot, wager=new.wager)


def clear(state: TableState, request: r.ClearStake, moment: Moment) -> Outcome[TableState]:
    on_felt = state.open
    if on_felt is None or request.stake not in on_felt.stakes:
        raise BookRefused(BookRefusal.NOT_PENDING, id=request.stake)
    stake = on_felt.stakes[request.stake]
    if on_felt.locked and stake.wager in state.triggers:
        raise BookRefused(BookRefusal.ROUND_LOCKED, round=on_felt.round)
    draft = Draft(moment)
    resolve(draft, state.table, request.stake, stake, Phase.VOID)
    others = {key: other for key, other in on_felt.stakes.items() if key != request.stake}
    on_felt = changed_record(on_felt, stakes=others)
    if stake.player in on_felt.winnings:
        on_felt = with_stake(on_felt, stake.player, -stake.amount, draft)
    cleared = changed_record(state, open=on_felt)
    if stake.wager not in state.triggers:
        return draft.outcome(cleared, {"returned": stake.amount})
    onward = tell_of_return(state, on_felt.round, [stake], moment)
    return draft.outcome(cleared, {"returned": stake.amount}, *onward)


def resolve(draft: Draft, table: str, key: str, stake: Stake, phase: Phase) -> None:
    """Posts or voids a stake."""
    player, stakes = account(Kind.PLAYER, stake.player), account(Kind.STAKES, table)
    draft.resolve(key, phase, Reason.STAKE, stake.amount, player, stakes)


def lock(state: TableState, request: r.LockRound, draft: Draft) -> Outcome[TableState]:
    on_felt = open_round(state, request.round)
    if on_felt.locked:
        raise BookRefused(BookRefusal.ROUND_LOCKED, round=request.round)
    locked = changed_record(state, open=changed_record(on_felt, locked=True, day=draft.moment.day))
    begin_hands = []
    for wager, jackpot in sorted(state.links.items(), key=lambda link: link[1]):
        stakes = sorted(
            (stake for stake in on_felt.stakes.values() if stake.wager == wager), key=lambda stake: stake.spot
        )
        jackpot_stakes = tuple(
            JackpotStake(spot=stake.spot, player=stake.player, stake=stake.amount) for stake in stakes
        )
        begin_hands.append(BeginHand(jackpot=jackpot, table=state.table, round=request.round, stakes=jackpot_stakes))
    return draft.outcome(locked, {"round": request.round}, *begin_hands)


def open_round(state: TableState, number: int) -> OpenRound:
    """The round on the felt, which must have this number."""
    if state.open is None or state.open.round != number:
        following = state.rounds + 1 if state.open is None else state.open.round
        raise BookRefused(BookRefusal.ROUND_NOT_NEXT, table=state.table, next=following, round=number)
    return state.open
