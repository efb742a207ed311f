"""The money of one table: its tray, its chips, and corrections. Pure.

The stakes of its round are in `stakes`, and what a settlement does with them in `round_settlement`.
"""

from typing import assert_never

from upcard.ledger import requests as r
from upcard.ledger import round_settlement, stakes
from upcard.ledger.accounts import Kind
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
