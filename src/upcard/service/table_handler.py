"""One command carried out at a table: what the table becomes, what happened, and what the book is asked for it."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from upcard.frozen import replace
from upcard.ledger.journal import instant_of, instant_text
from upcard.ledger.requests import VoidReason
from upcard.service import commands as s
from upcard.service.live_table import LiveTable, at_rest, can_rest, timers_of
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.table_betting import be_ready, bet, clear, double, insure
from upcard.service.table_closing import close
from upcard.service.table_draft import TableDraft
from upcard.service.table_entries import correct_card, enter, place_shoe, settle_round, take_back
from upcard.service.table_openings import change_rules, close_table, open_table, reset_table
from upcard.service.table_seats import be_absent, be_back, leave, seat
from upcard.service.table_shoes import change_shoe, cut_next_shoe
from upcard.service.table_timeouts import time_out


def carry_out(draft: TableDraft, command: s.TableCommand) -> None:
    """Does it; raises what engine, pit or service have against it."""
    before, kind = draft.live, type(command)
    if kind not in SET_UP and not before.opened:
        raise ServiceRefused(ServiceRefusal.TABLE_NOT_OPEN, table=before.name)
    if draft.moment.role == "player":
        _check_own(before, command, draft.moment.actor)
    _HANDLERS[kind](draft, command)
    if draft.live.table.shoe_over and kind not in SET_UP:
        change_shoe(draft, before)
    at = max(draft.moment.at, instant_of(before.at)) if before.at else draft.moment.at
    live = replace(draft.live, version=before.version + 1, at=instant_text(at))
    if can_rest(live):
        live = at_rest(live)
    draft.live = replace(live, timers=timers_of(before, live))


def _check_own(live: LiveTable, command: s.TableCommand, actor: str) -> None:
    """A player speaks for themselves, and for spots of their own."""
    if isinstance(command, s.OfPlayer) and command.player != actor:
        raise ServiceRefused(ServiceRefusal.NOT_YOU, player=command.player)
    if isinstance(command, s.OfSpot) and live.table.seats.get(command.spot) != actor:
        raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=actor, spot=command.spot)


def _deal(draft: TableDraft, _command: s.Deal) -> None:
    close(draft)


def _void(draft: TableDraft, command: s.Void) -> None:
    draft.void(VoidReason(code="floor", note=command.why))


def _move_chips(draft: TableDraft, command: s.Chips) -> None:
    draft.requests.append(command)


SET_UP = frozenset({s.OpenTable, s.Reset, s.ChangeRules})  # make a table what it is, before or between games
_HANDLERS: Mapping[type, Callable[[TableDraft, Any], None]] = {
    **dict.fromkeys(get_args(s.Chips), _move_chips),
    s.OpenTable: open_table,
    s.CloseTable: close_table,
    s.Reset: reset_table,
    s.ChangeRules: change_rules,
    s.PostMinimum: TableDraft.say,
    s.NotifyFlatBet: TableDraft.say,
    s.AskToRelinquish: TableDraft.say,
    s.AnnounceClosing: TableDraft.say,
    s.SetShuffler: TableDraft.say,
    s.Shuffle: TableDraft.say,
    s.Deal: _deal,
    s.Void: _void,
    s.PlaceShoe: place_shoe,
    s.DealCard: enter,
    s.Peek: enter,
    s.CutCard: enter,
    s.CorrectCard: correct_card,
    s.TakeBack: take_back,
    s.Settle: settle_round,
    s.Seat: seat,
    s.Leave: leave,
    s.Away: be_absent,
    s.SitOut: be_absent,
    s.Back: be_back,
    s.Cut: cut_next_shoe,
    s.Bet: bet,
    s.ClearWagers: clear,
    s.Ready: be_ready,
    s.Insure: insure,
    s.DeclineInsurance: TableDraft.say,
    s.TakeEvenMoney: TableDraft.say,
    s.Hit: TableDraft.say,
    s.Stay: TableDraft.say,
    s.Double: double,
    s.Split: TableDraft.say,
    s.Surrender: TableDraft.say,
    s.Timeout: time_out,
}
