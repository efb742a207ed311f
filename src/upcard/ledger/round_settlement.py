"""What a settlement does with the stakes of a round, and how a settlement is reversed while the round goes on. Pure.

A settlement posts stakes; what is taken, returned and paid follows from the slips, which must match exactly those
stakes. A round is settled in parts, as its wagers are decided: each part names its stakes, and the last settles all
that are left. A void round, or a card that was entered wrong, reverses what was settled by new transfers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from upcard.ledger import requests as r
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.jackpots.requests import EndHand, JackpotClaim, LockClaims, WithdrawClaims
from upcard.ledger.outcome import Draft, Outcome, account, transfer_id
from upcard.ledger.record import Record, changed_record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.stakes import open_round, pend, resolve
from upcard.ledger.stakes_before_the_deal import tell_of_return
from upcard.ledger.table_state import OpenRound, SettledSlip, Stake, TableState
from upcard.ledger.transfers import Phase, Reason
from upcard.ledger.winnings import release, with_payment

Claims = dict[str, tuple[JackpotClaim, ...]]  # by jackpot


def settle(state: TableState, request: r.SettleRound, draft: Draft) -> Outcome[TableState]:
    on_felt = open_round(state, request.round)
    if not on_felt.locked and (draft.moment.format < 2 or _plays_for_jackpots(state, on_felt)):
        raise BookRefused(BookRefusal.ROUND_NOT_LOCKED, round=request.round)
    settled = on_felt.stakes if request.final else _named(on_felt, request.slips)
    _compare(settled, request.slips)
    claims = _claims(state, on_felt.claims, settled, request.slips)
    for key, stake in settled.items():
        resolve(draft, state.table, key, stake, Phase.POST)
    if request.final:
        release(on_felt, draft)
    firsts = []
    for slip in request.slips:
        firsts.append(len(draft.transfers))
        for payment in _payments(state.table, slip):
            draft.move(payment.reason, payment.amount, debit=payment.debit, credit=payment.credit)
    paid = sum(slip.paid for slip in request.slips)
    taken = sum(slip.stake - slip.returned for slip in request.slips)
    answer = {"paid": paid, "taken": taken}
    if request.final:
        unsent = {jackpot: sent for jackpot, sent in claims.items() if jackpot not in on_felt.claimed}
        onward = _end_hands(state, request.round, unsent, {}) if on_felt.locked else ()
        return draft.outcome(_ended(state, request.round), answer, *onward)
    for slip in request.slips:
        if slip.paid:
            on_felt = with_payment(on_felt, slip.player, slip.paid, draft)
    lines = tuple(_settled(on_felt, slip, first) for slip, first in zip(request.slips, firsts, strict=True))
    remaining = {key: stake for key, stake in on_felt.stakes.items() if key not in settled}
    settled_slips = {**on_felt.settled, draft.moment.command: lines}
    on_felt = changed_record(on_felt, stakes=remaining, claims=claims, settled=settled_slips)
    on_felt, locks = _lock_claims(state, on_felt)
    return draft.outcome(changed_record(state, open=on_felt), answer, *locks)


def _plays_for_jackpots(state: TableState, on_felt: OpenRound) -> bool:
    return any(stake.wager in state.triggers for stake in on_felt.stakes.values())


def _named(on_felt: OpenRound, slips: tuple[r.SlipLine, ...]) -> dict[str, Stake]:
    """The stakes that the slips name, each of which must be made up of its own."""
    named: dict[str, Stake] = {}
    for slip in slips:
        for key in slip.stakes:
            if key not in on_felt.stakes or key in named:
                raise BookRefused(BookRefusal.NOT_PENDING, id=key)
            named[key] = on_felt.stakes[key]
        own = [named[key] for key in slip.stakes if _is_of(named[key], slip)]
        amount = sum(stake.amount for stake in own)
        if amount != slip.stake or len(own) < len(slip.stakes):
            raise BookRefused(BookRefusal.SLIPS_DIFFER, spot=slip.spot, wager=slip.wager, slips=slip.stake, felt=amount)
    return named


def _is_of(stake: Stake, slip: r.SlipLine) -> bool:
    return (stake.spot, stake.wager, stake.player) == (slip.spot, slip.wager, slip.player)


def _compare(stakes: Mapping[str, Stake], slips: tuple[r.SlipLine, ...]) -> None:
    """Slips must match the stakes on the felt, spot by spot and wager by wager."""
    felt = Counter[tuple[int, str, str]]()
    for stake in stakes.values():
        felt[stake.spot, stake.wager, stake.player] += stake.amount
    settled = Counter[tuple[int, str, str]]()
    for slip in slips:
        settled[slip.spot, slip.wager, slip.player] += slip.stake
        if slip.returned > slip.stake or slip.promotion > slip.paid:
            raise BookRefused(BookRefusal.BAD_SLIP, spot=slip.spot, wager=slip.wager)
    for spot, wager, player in sorted(felt.keys() | settled.keys()):
        on_felt, on_slips = felt[spot, wager, player], settled[spot, wager, player]
        if on_felt != on_slips:
            raise BookRefused(BookRefusal.SLIPS_DIFFER, spot=spot, wager=wager, slips=on_slips, felt=on_felt)


class _Payment(NamedTuple):
    reason: Reason
    amount: int
    debit: Account
    credit: Account


def _payments(table: str, slip: r.SlipLine | SettledSlip) -> Iterator[_Payment]:
    """The transfers of a slip, in their order."""
    stakes, win, player = account(Kind.STAKES, table), account(Kind.WIN, table), account(Kind.PLAYER, slip.player)
    if slip.stake > slip.returned:
        yield _Payment(Reason.TAKEN, slip.stake - slip.returned, stakes, win)
    if slip.returned:
        yield _Payment(Reason.RETURNED, slip.returned, stakes, player)
    if slip.paid > slip.promotion:
        yield _Payment(Reason.PAID, slip.paid - slip.promotion, win, player)
    if slip.promotion:
        yield _Payment(Reason.PROMOTION, slip.promotion, win, player)


def _settled(on_felt: OpenRound, slip: r.SlipLine, first: int) -> SettledSlip:
    return SettledSlip(
        spot=slip.spot,
        player=slip.player,
        wager=slip.wager,
        hand=slip.hand,
        stakes=tuple(on_felt.stakes[key].amount for key in slip.stakes),
        paid=slip.paid,
        returned=slip.returned,
        promotion=slip.promotion,
        first=first,
    )


def _ended(state: TableState, number: int) -> TableState:
    return changed_record(state, open=None, rounds=number)


# --- claims -------------------------------------------------------------------------------------------------------


def _claims(
    state: TableState,
    before: Mapping[str, tuple[JackpotClaim, ...]],
    settled: Mapping[str, Stake],
    slips: tuple[r.SlipLine, ...],
) -> Claims:
    """The claims of a round so far, by jackpot, each for a whole stake; a wrong claim is refused."""
    claims = dict(before)
    for slip in slips:
        if slip.claim is None:
            continue
        claim = JackpotClaim(
            spot=slip.spot,
            player=slip.player,
            stake=slip.stake,
            meter=slip.claim.meter,
            share=slip.claim.share,
            event=slip.claim.event,
        )
        stake = Stake(spot=slip.spot, player=slip.player, wager=slip.wager, amount=slip.stake)
        trigger, jackpot = state.triggers.get(slip.wager), state.links.get(slip.wager)
        if trigger is None or jackpot is None or stake not in settled.values() or not claim.fits(trigger):
            raise BookRefused(BookRefusal.CLAIM_WITHOUT_WAGER, spot=slip.spot, meter=slip.claim.meter)
        claims[jackpot] = (*claims.get(jackpot, ()), claim)
    return claims


def _lock_claims(state: TableState, on_felt: OpenRound) -> tuple[OpenRound, list[LockClaims]]:
    """Sends a jackpot its claims as soon as all of its wagers are decided: the winners of a hand share."""
    locks = []
    for wager, jackpot in sorted(state.links.items(), key=lambda link: link[1]):
        undecided = any(stake.wager == wager for stake in on_felt.stakes.values())
        claims = on_felt.claims.get(jackpot)
        if claims and not undecided and jackpot not in on_felt.claimed:
            by_spot = tuple(sorted(claims, key=lambda claim: claim.spot))
            locks.append(LockClaims(jackpot=jackpot, table=state.table, round=on_felt.round, claims=by_spot))
    if locks:
        on_felt = changed_record(on_felt, claimed=(*on_felt.claimed, *(lock.jackpot for lock in locks)))
    return on_felt, locks


def _end_hands(
    state: TableState, number: int, claims: Mapping[str, tuple[JackpotClaim, ...]], returned: Mapping[str, set[int]]
) -> list[EndHand]:
    """What each linked jackpot receives: claims it does not have yet, and the spots whose stakes were returned."""
    return [
        EndHand(
            jackpot=jackpot,
            table=state.table,
            round=number,
            claims=tuple(claim for claim in claims.get(jackpot, ()) if claim.spot not in returned.get(wager, ())),
            returned=tuple(sorted(returned.get(wager, ()))),
        )
        for wager, jackpot in sorted(state.links.items(), key=lambda link: link[1])
    ]


# --- reversals ----------------------------------------------------------------------------------------------------


def void(state: TableState, request: r.ReturnStakes, draft: Draft) -> Outcome[TableState]:
    """Returns every stake of a round, and reverses what was settled before its end."""
    on_felt = open_round(state, request.round)
    if request.reason.code in ("floor", "reset") and not request.reason.note.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    for key, stake in on_felt.stakes.items():
        resolve(draft, state.table, key, stake, Phase.VOID)
    release(on_felt, draft)
    total = sum(stake.amount for stake in on_felt.stakes.values())
    returned: dict[str, set[int]] = {}
    for stake in on_felt.stakes.values():
        returned.setdefault(stake.wager, set()).add(stake.spot)
    for command, slips in on_felt.settled.items():
        for slip in slips:
            _reverse(draft, state.table, command, slip)
            total += slip.stake
            returned.setdefault(slip.wager, set()).add(slip.spot)
    onward: Sequence[Record] = (
        _end_hands(state, request.round, on_felt.claims, returned)
        if on_felt.locked
        else tell_of_return(state, request.round, on_felt.stakes.values(), draft.moment)
    )
    return draft.outcome(_ended(state, request.round), {"returned": total}, *onward)


def reverse(state: TableState, request: r.ReverseSlips, draft: Draft) -> Outcome[TableState]:
    """Reverses slips of a round that goes on: their stakes are on the felt again, under new ids.

    The first transfers of this request put these stakes back, in the order of the slips."""
    on_felt = open_round(state, request.round)
    if len(set(request.slips)) < len(request.slips):
        raise BookRefused(BookRefusal.NOT_SETTLED, round=request.round)
    matches = [_find_slip(on_felt, request.round, name) for name in request.slips]
    stakes, settled = dict(on_felt.stakes), dict(on_felt.settled)
    for command, slip in matches:
        settled[command] = tuple(other for other in settled[command] if other is not slip)
        for amount in slip.stakes:
            stake = Stake(spot=slip.spot, player=slip.player, wager=slip.wager, amount=amount)
            stakes[pend(draft, state.table, stake)] = stake
    for command, slip in matches:
        _reverse(draft, state.table, command, slip)
        if slip.paid:
            on_felt = with_payment(on_felt, slip.player, -slip.paid, draft)
    settled = {command: slips for command, slips in settled.items() if slips}
    on_felt = changed_record(on_felt, stakes=stakes, settled=settled)
    on_felt, withdrawals = _withdraw_claims(state, on_felt, [slip for _, slip in matches])
    returned = sum(slip.stake for _, slip in matches)
    return draft.outcome(changed_record(state, open=on_felt), {"returned": returned}, *withdrawals)


def _find_slip(on_felt: OpenRound, number: int, name: r.SlipName) -> tuple[str, SettledSlip]:
    """The one settled slip of this name, and the command that settled it."""
    matches = [
        (command, slip)
        for command, slips in on_felt.settled.items()
        for slip in slips
        if (slip.spot, slip.wager, slip.hand) == (name.spot, name.wager, name.hand)
    ]
    if len(matches) != 1:
        raise BookRefused(BookRefusal.NOT_SETTLED, round=number)
    return matches[0]


def _reverse(draft: Draft, table: str, command: str, slip: SettledSlip) -> None:
    """Takes back what a slip paid and returns what it took, by transfers that name the old ones."""
    for number, payment in enumerate(_payments(table, slip), slip.first):
        if payment.reason is not Reason.RETURNED:
            debit, credit, old = payment.credit, payment.debit, transfer_id(command, 0, number)
            draft.move(Reason.REVERSED, payment.amount, debit=debit, credit=credit, corrects=old)
    taken, player = slip.stake - slip.returned, account(Kind.PLAYER, slip.player)
    draft.move(Reason.RETURNED, taken, debit=account(Kind.STAKES, table), credit=player)


def _withdraw_claims(
    state: TableState, on_felt: OpenRound, reversed_slips: Iterable[SettledSlip]
) -> tuple[OpenRound, list[Record]]:
    """Withdraws the claims of a jackpot one of whose wagers is undecided again; they are locked anew with the rest."""
    claims, withdrawals = dict(on_felt.claims), list[Record]()
    for wager, jackpot in sorted(state.links.items(), key=lambda link: link[1]):
        spots = {slip.spot for slip in reversed_slips if slip.wager == wager}
        if spots and jackpot in claims:
            claims[jackpot] = tuple(claim for claim in claims[jackpot] if claim.spot not in spots)
            if jackpot in on_felt.claimed:
                withdrawals.append(WithdrawClaims(jackpot=jackpot, table=state.table, round=on_felt.round))
                left = tuple(other for other in on_felt.claimed if other != jackpot)
                on_felt = changed_record(on_felt, claimed=left)
    return changed_record(on_felt, claims=claims), withdrawals
