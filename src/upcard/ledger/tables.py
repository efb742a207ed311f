"""The money of one table: its tray, its chips, and corrections. Pure.

The stakes of its round are in `stakes`, and what a settlement does with them in `round_settlement`.
"""

from typing import assert_never

from upcard.ledger import requests as r
from upcard.ledger import round_settlement, stakes
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.chip_counts import check_chips
from upcard.ledger.hand_dealt_chips import tray_of, with_chips
from upcard.ledger.jackpots.requests import AddLinkedTable
from upcard.ledger.outcome import Draft, FindTransfer, Moment, Outcome, account
from upcard.ledger.record import changed_record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.table_corrections import correct
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import Reason


def apply(state: TableState | None, request: r.TableRequest, moment: Moment, find: FindTransfer) -> Outcome[TableState]:
    """What a request does to a table; raises BookRefused."""
    if state is None:
        if isinstance(request, r.AddTable):
            return _opened(request)
        raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=request.table)
    outcome = _apply(state, request, moment, find)
    return with_chips(state, outcome, moment) if state.by_hand else outcome


def _apply(state: TableState, request: r.TableRequest, moment: Moment, find: FindTransfer) -> Outcome[TableState]:
    match request:  # the most frequent first
        case r.PlaceStakes() | r.PlaceStake():
            return stakes.place(state, request, moment)
        case r.ClearStake():
            return stakes.clear(state, request, moment)
        case r.LockRound():
            return stakes.lock(state, request, Draft(moment))
        case r.SettleRound():
            return round_settlement.settle(state, request, Draft(moment))
        case r.ReverseSlips():
            return round_settlement.reverse(state, request, Draft(moment))
        case r.ReturnStakes():
            return round_settlement.void(state, request, Draft(moment))
        case r.Fill() | r.Credit() | r.BuyIn() | r.CashOut() | r.Tip() | r.PayTips():
            return _move_chips(state, request, Draft(moment))
        case r.OpenTray():
            return _open_tray(state, request, Draft(moment))
        case r.SetDealing():
            return _set_dealing(state, request, Draft(moment))
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


def _open_tray(state: TableState, request: r.OpenTray, draft: Draft) -> Outcome[TableState]:
    check_chips(request.chips, request.amount)
    draft.move(Reason.OPENER, request.amount, debit=tray_of(state), credit=account(Kind.CASH, state.table))
    return draft.outcome(state, {"transfer": draft.transfers[0].id})


def _set_dealing(state: TableState, request: r.SetDealing, draft: Draft) -> Outcome[TableState]:
    """Moves the tray to the account of tables that are dealt so."""
    changed = changed_record(state, by_hand=request.by_hand)
    before, now = tray_of(state), tray_of(changed)
    if before != now and request.tray > 0:
        draft.move(Reason.DEALING, request.tray, debit=now, credit=before)
    elif before != now:
        draft.move(Reason.DEALING, -request.tray, debit=before, credit=now)
    return draft.outcome(changed, {"by_hand": int(request.by_hand)})


def _move_chips(
    state: TableState,
    request: r.Fill | r.Credit | r.BuyIn | r.CashOut | r.Tip | r.PayTips,
    draft: Draft,
) -> Outcome[TableState]:
    """Moves chips and cash, other than wagers; each gets the next slip of the table, except before format 3."""
    check_chips(request.chips, request.amount)
    tray, cash, tips = tray_of(state), account(Kind.CASH, state.table), account(Kind.TIPS, state.table)
    match request:
        case r.Fill():
            draft.move(Reason.FILL, request.amount, debit=tray, credit=cash)
        case r.Credit():
            draft.move(Reason.CREDIT, request.amount, debit=cash, credit=tray)
        case r.BuyIn():
            till, player = _till(state, at_cage=request.at_cage), account(Kind.PLAYER, request.player)
            draft.move(Reason.BUY_IN, request.amount, debit=till, credit=player)
        case r.CashOut():
            till, player = _till(state, at_cage=request.at_cage), account(Kind.PLAYER, request.player)
            draft.move(Reason.CASH_OUT, request.amount, debit=player, credit=till)
        case r.Tip():
            draft.move(Reason.TIP, request.amount, debit=account(Kind.PLAYER, request.player), credit=tips)
        case r.PayTips():
            draft.move(Reason.TIPS_PAID, request.amount, debit=tips, credit=cash)
        case _:
            assert_never(request)
    answer: dict[str, str | int] = {"transfer": draft.transfers[0].id}
    if draft.moment.format < 3:
        return draft.outcome(state, answer)
    numbered = changed_record(state, slips=state.slips + 1)
    return draft.outcome(numbered, {**answer, "slip": numbered.slips})


def _till(state: TableState, *, at_cage: bool) -> Account:
    """Where the cash is that players pay for chips, or get for them."""
    if at_cage:
        return account(Kind.CASH, state.table)
    return account(Kind.DROP if state.by_hand else Kind.TRAY, state.table)


def _count(state: TableState, request: r.CountTray, draft: Draft) -> Outcome[TableState]:
    """A difference is over or short; in formats before 3 it was the house's win."""
    check_chips(request.chips, request.counted)
    tray, over_short = tray_of(state), Kind.WIN if draft.moment.format < 3 else Kind.OVER_SHORT
    other = account(over_short, state.table)
    difference = request.counted - request.expected
    if difference and not request.why.strip():
        raise BookRefused(BookRefusal.TRAY_DIFFERS)
    if difference > 0:
        draft.move(Reason.COUNTED, difference, debit=tray, credit=other)
    elif difference:
        draft.move(Reason.COUNTED, -difference, debit=other, credit=tray)
    return draft.outcome(state, {"counted": request.counted, "difference": difference})
