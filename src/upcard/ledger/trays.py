"""A table's tray: what it opens with, fills, credits, chips sold and bought, tips, and counts. Pure."""

from typing import assert_never

from upcard.ledger import requests as r
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.denominations import check_chips
from upcard.ledger.outcome import Draft, Outcome, account
from upcard.ledger.record import changed_record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import Reason


def tray_of(state: TableState) -> Account:
    """The account of a table's tray."""
    return account(Kind.HAND_TRAY if state.by_hand else Kind.TRAY, state.table)


def open_tray(state: TableState, request: r.OpenTray, draft: Draft) -> Outcome[TableState]:
    check_chips(request.chips, request.amount)
    draft.move(Reason.OPENER, request.amount, debit=tray_of(state), credit=account(Kind.CASH, state.table))
    return draft.outcome(state, {"transfer": draft.transfers[0].id})


def set_dealing(state: TableState, request: r.SetDealing, draft: Draft) -> Outcome[TableState]:
    """Moves the tray to the account of tables that are dealt so."""
    changed = changed_record(state, by_hand=request.by_hand)
    before, now = tray_of(state), tray_of(changed)
    if before != now and request.tray > 0:
        draft.move(Reason.DEALING, request.tray, debit=now, credit=before)
    elif before != now:
        draft.move(Reason.DEALING, -request.tray, debit=before, credit=now)
    return draft.outcome(changed, {"by_hand": int(request.by_hand)})


def move_chips(
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


def count(state: TableState, request: r.CountTray, draft: Draft) -> Outcome[TableState]:
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
