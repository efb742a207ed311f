"""What a request of the book does to one table: it hands stakes, settlements, the tray and corrections on. Pure.

The stakes of its round are in `stakes`, what a settlement does with them in `round_settlement`, its tray in `trays`.
"""

from typing import assert_never

from upcard.ledger import requests as r
from upcard.ledger import round_settlement, stakes, trays
from upcard.ledger.hand_dealt_chips import with_chips
from upcard.ledger.jackpots.requests import AddLinkedTable
from upcard.ledger.outcome import Draft, FindTransfer, Moment, Outcome
from upcard.ledger.record import changed_record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.table_corrections import correct
from upcard.ledger.table_state import TableState


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
            return trays.move_chips(state, request, Draft(moment))
        case r.OpenTray():
            return trays.open_tray(state, request, Draft(moment))
        case r.SetDealing():
            return trays.set_dealing(state, request, Draft(moment))
        case r.CountTray():
            return trays.count(state, request, Draft(moment))
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
