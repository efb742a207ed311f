"""The money of one table: its tray, the stakes of its round, and what a settlement does with them. Pure.

A stake is a pending transfer with the caller's id. A settlement posts stakes; what is taken, returned and paid follows
from the slips, which must match exactly those stakes. A round is settled in one request, or in several of which the
last settles all that is left; jackpots receive its claims at the end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import assert_never

from upcard.ledger import requests as r
from upcard.ledger.accounts import Kind
from upcard.ledger.jackpots.requests import AddLinkedTable, BeginHand, EndHand, JackpotClaim, JackpotStake
from upcard.ledger.outcome import Draft, FindTransfer, Moment, Outcome, account
from upcard.ledger.record import Record, changed_record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.stakes_before_the_deal import tell_of_return, tell_of_stake
from upcard.ledger.table_corrections import correct
from upcard.ledger.table_state import OpenRound, Stake, TableState
from upcard.ledger.transfers import Phase, Reason, Transfer
from upcard.units import Cents


def apply(state: TableState | None, request: r.TableRequest, moment: Moment, find: FindTransfer) -> Outcome[TableState]:
    """What a request does to a table; raises BookRefused."""
    if state is None:
        if isinstance(request, r.AddTable):
            return _opened(request)
        raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=request.table)
    match request:  # the most frequent first
        case r.PlaceStake():
            return _place(state, request, moment)
        case r.ClearStake():
            return _clear(state, request, moment)
        case r.LockRound():
            return _lock(state, request, Draft(moment))
        case r.SettleRound():
            return _settle(state, request, Draft(moment))
        case r.ReturnStakes():
            return _void(state, request, Draft(moment))
        case r.Fill() | r.Credit() | r.BuyIn() | r.CashOut() | r.Tip() | r.PayTips():
            return _move_chips(state, request, Draft(moment))
        case r.CountTray():
            return _count(state, request, Draft(moment))
        case r.Correct():
            return correct(state, request, Draft(moment), find)
        case r.SetTableRules():
            return _change_rules(state, request)
        case r.LinkTable():
            return _link(state, request)
        case r.AddTable():
            raise BookRefused(BookRefusal.TABLE_KNOWN, table=request.table)
        case _:
            assert_never(request)


def _opened(request: r.AddTable) -> Outcome[TableState]:
    opened = TableState(
        table=request.table,
        layout=request.layout,
        game=request.game,
        rules=request.rules,
        triggers=dict(request.triggers),
    )
    return Outcome(opened, {"table": request.table})


def _change_rules(state: TableState, request: r.SetTableRules) -> Outcome[TableState]:
    """Only between rounds; what wins a linked jackpot must not change."""
    if request.layout != state.layout:
        raise BookRefused(BookRefusal.TERMS_DIFFER, layout=request.layout)
    if state.open is not None:
        raise BookRefused(BookRefusal.ROUND_NOT_SETTLED, table=state.table, round=state.open.round)
    for wager, jackpot in state.links.items():
        if request.triggers.get(wager) != state.triggers[wager]:
            raise BookRefused(BookRefusal.JACKPOT_KEEPS_TERMS, table=state.table, wager=wager, jackpot=jackpot)
    changed = changed_record(state, rules=request.rules, triggers=dict(request.triggers))
    return Outcome(changed, {"rules": request.rules})


def _link(state: TableState, request: r.LinkTable) -> Outcome[TableState]:
    if request.wager not in state.triggers:
        raise BookRefused(BookRefusal.NO_SUCH_SENSOR, table=state.table, wager=request.wager)
    if request.wager in state.links:
        raise BookRefused(
            BookRefusal.LINKED, table=state.table, wager=request.wager, jackpot=state.links[request.wager]
        )
    linked = changed_record(state, links={**state.links, request.wager: request.jackpot})
    request_to_jackpot = AddLinkedTable(
        jackpot=request.jackpot, table=state.table, trigger=state.triggers[request.wager]
    )
    return Outcome(linked, {"linked": request.jackpot}, onward=(request_to_jackpot,))


def _move_chips(
    state: TableState,
    request: r.Fill | r.Credit | r.BuyIn | r.CashOut | r.Tip | r.PayTips,
    draft: Draft,
) -> Outcome[TableState]:
    """Moves chips and cash, other than wagers."""
    tray, cash, tips = (account(kind, state.table) for kind in (Kind.TRAY, Kind.CASH, Kind.TIPS))
    match request:
        case r.Fill():
            draft.move(Reason.FILL, request.amount, debit=tray, credit=cash)
        case r.Credit():
            draft.move(Reason.CREDIT, request.amount, debit=cash, credit=tray)
        case r.BuyIn():
            draft.move(Reason.BUY_IN, request.amount, debit=tray, credit=account(Kind.PLAYER, request.player))
        case r.CashOut():
            draft.move(Reason.CASH_OUT, request.amount, debit=account(Kind.PLAYER, request.player), credit=tray)
        case r.Tip():
            draft.move(Reason.TIP, request.amount, debit=account(Kind.PLAYER, request.player), credit=tips)
        case r.PayTips():
            draft.move(Reason.TIPS_PAID, request.amount, debit=tips, credit=cash)
        case _:
            assert_never(request)
    return draft.outcome(state, {"transfer": draft.transfers[0].id})


def _count(state: TableState, request: r.CountTray, draft: Draft) -> Outcome[TableState]:
    """A shortage lowers the house's win, a surplus raises it."""
    tray, win = account(Kind.TRAY, state.table), account(Kind.WIN, state.table)
    difference = request.counted - request.expected
    if difference and not request.why.strip():
        raise BookRefused(BookRefusal.TRAY_DIFFERS, counted=request.counted, expected=request.expected)
    if difference > 0:
        draft.move(Reason.COUNTED, difference, debit=tray, credit=win)
    elif difference:
        draft.move(Reason.COUNTED, -difference, debit=win, credit=tray)
    return draft.outcome(state, {"counted": request.counted, "difference": difference})


def _place(state: TableState, request: r.PlaceStake, moment: Moment) -> Outcome[TableState]:
    on_felt = state.open or OpenRound(round=state.rounds + 1, day=moment.day)
    if request.round != on_felt.round:
        raise BookRefused(BookRefusal.ROUND_NOT_NEXT, table=state.table, next=on_felt.round, round=request.round)
    if request.wager in state.triggers:
        if on_felt.locked:  # jackpot wagers are fixed at the deal
            raise BookRefused(BookRefusal.ROUND_LOCKED, round=request.round)
        if request.wager not in state.links:
            raise BookRefused(BookRefusal.NOT_LINKED, table=state.table, wager=request.wager)
        _check_jackpot_stake(state, on_felt, request)
    stake = Stake(spot=request.spot, player=request.player, wager=request.wager, amount=request.amount)
    transfer = Transfer(
        id=moment.command,
        debit=account(Kind.PLAYER, request.player),
        credit=account(Kind.STAKES, state.table),
        amount=Cents(request.amount),
        reason=Reason.STAKE,
        phase=Phase.PENDING,
    )
    on_felt = changed_record(on_felt, stakes={**on_felt.stakes, transfer.id: stake})
    placed = changed_record(state, open=on_felt)
    if request.wager not in state.triggers:
        return Outcome(placed, {"stake": transfer.id}, (transfer,))
    return Outcome(placed, {"stake": transfer.id}, (transfer,), onward=tell_of_stake(state, request, moment))


def _check_jackpot_stake(state: TableState, on_felt: OpenRound, request: r.PlaceStake) -> None:
    """A jackpot wager has one stake per spot, of an amount that its trigger allows."""
    if not state.triggers[request.wager].takes(request.amount):
        raise BookRefused(BookRefusal.NOT_THE_STAKE, table=state.table, wager=request.wager, amount=request.amount)
    if any((stake.spot, stake.wager) == (request.spot, request.wager) for stake in on_felt.stakes.values()):
        raise BookRefused(BookRefusal.STAKED_ALREADY, spot=request.spot, wager=request.wager)


def _clear(state: TableState, request: r.ClearStake, moment: Moment) -> Outcome[TableState]:
    on_felt = state.open
    if on_felt is None or request.stake not in on_felt.stakes:
        raise BookRefused(BookRefusal.NOT_PENDING, id=request.stake)
    stake = on_felt.stakes[request.stake]
    if on_felt.locked and stake.wager in state.triggers:
        raise BookRefused(BookRefusal.ROUND_LOCKED, round=on_felt.round)
    transfer = Transfer(
        id=moment.command,
        debit=account(Kind.PLAYER, stake.player),
        credit=account(Kind.STAKES, state.table),
        amount=Cents(stake.amount),
        reason=Reason.STAKE,
        phase=Phase.VOID,
        resolves=request.stake,
    )
    others = {key: other for key, other in on_felt.stakes.items() if key != request.stake}
    cleared = changed_record(state, open=changed_record(on_felt, stakes=others))
    if stake.wager not in state.triggers:
        return Outcome(cleared, {"returned": stake.amount}, (transfer,))
    onward = tell_of_return(state, on_felt.round, [stake], moment)
    return Outcome(cleared, {"returned": stake.amount}, (transfer,), onward=onward)


def _lock(state: TableState, request: r.LockRound, draft: Draft) -> Outcome[TableState]:
    on_felt = _round(state, request.round)
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


def _settle(state: TableState, request: r.SettleRound, draft: Draft) -> Outcome[TableState]:
    on_felt = _round(state, request.round)
    if not on_felt.locked:
        raise BookRefused(BookRefusal.ROUND_NOT_LOCKED, round=request.round)
    settled = on_felt.stakes if request.final else _named(on_felt, request.slips)
    _compare(settled, request.slips)
    claims = _claims(state, on_felt.claims, settled, request.slips)
    for key, stake in settled.items():
        _resolve(draft, state.table, key, stake, Phase.POST)
    for slip in request.slips:
        _pay(draft, state.table, slip)
    paid = sum(slip.paid for slip in request.slips)
    taken = sum(slip.stake - slip.returned for slip in request.slips)
    answer = {"paid": paid, "taken": taken}
    if request.final:
        return draft.outcome(_ended(state, request.round), answer, *_end_hands(state, request.round, claims, {}))
    remaining = {key: stake for key, stake in on_felt.stakes.items() if key not in settled}
    going_on = changed_record(on_felt, stakes=remaining, claims=claims)
    return draft.outcome(changed_record(state, open=going_on), answer)


def _named(on_felt: OpenRound, slips: tuple[r.SlipLine, ...]) -> dict[str, Stake]:
    """The stakes on the wagers that the slips name."""
    named = {(slip.spot, slip.wager, slip.player) for slip in slips}
    return {key: stake for key, stake in on_felt.stakes.items() if (stake.spot, stake.wager, stake.player) in named}


def _pay(draft: Draft, table: str, slip: r.SlipLine) -> None:
    stakes, win, player = account(Kind.STAKES, table), account(Kind.WIN, table), account(Kind.PLAYER, slip.player)
    draft.move(Reason.TAKEN, slip.stake - slip.returned, debit=stakes, credit=win)
    draft.move(Reason.RETURNED, slip.returned, debit=stakes, credit=player)
    draft.move(Reason.PAID, slip.paid - slip.promotion, debit=win, credit=player)
    draft.move(Reason.PROMOTION, slip.promotion, debit=win, credit=player)


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


def _claims(
    state: TableState,
    before: Mapping[str, tuple[JackpotClaim, ...]],
    settled: Mapping[str, Stake],
    slips: tuple[r.SlipLine, ...],
) -> dict[str, tuple[JackpotClaim, ...]]:
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


def _end_hands(
    state: TableState, number: int, claims: Mapping[str, tuple[JackpotClaim, ...]], returned: Mapping[str, Stake]
) -> list[EndHand]:
    """What each linked jackpot receives: the claims, and the spots whose stakes were returned."""
    return [
        EndHand(
            jackpot=jackpot,
            table=state.table,
            round=number,
            claims=claims.get(jackpot, ()),
            returned=tuple(sorted(stake.spot for stake in returned.values() if stake.wager == wager)),
        )
        for wager, jackpot in sorted(state.links.items(), key=lambda link: link[1])
    ]


def _void(state: TableState, request: r.ReturnStakes, draft: Draft) -> Outcome[TableState]:
    """Returns the stakes on the felt; what was settled before stays settled."""
    on_felt = _round(state, request.round)
    if request.reason.code in ("floor", "reset") and not request.reason.note.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    for key, stake in on_felt.stakes.items():
        _resolve(draft, state.table, key, stake, Phase.VOID)
    returned = sum(stake.amount for stake in on_felt.stakes.values())
    onward: Sequence[Record] = (
        _end_hands(state, request.round, on_felt.claims, on_felt.stakes)
        if on_felt.locked
        else tell_of_return(state, request.round, on_felt.stakes.values(), draft.moment)
    )
    return draft.outcome(_ended(state, request.round), {"returned": returned}, *onward)


def _round(state: TableState, number: int) -> OpenRound:
    if state.open is None or state.open.round != number:
        following = state.rounds + 1 if state.open is None else state.open.round
        raise BookRefused(BookRefusal.ROUND_NOT_NEXT, table=state.table, next=following, round=number)
    return state.open


def _ended(state: TableState, number: int) -> TableState:
    return changed_record(state, open=None, rounds=number)


def _resolve(draft: Draft, table: str, key: str, stake: Stake, phase: Phase) -> None:
    player, stakes = account(Kind.PLAYER, stake.player), account(Kind.STAKES, table)
    draft.resolve(key, phase, Reason.STAKE, stake.amount, player, stakes)
