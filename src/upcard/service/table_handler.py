"""Carries out one command at a table: the new state, its events, and its requests to the ledger."""

from typing import get_args

from upcard.frozen import replace
from upcard.ledger.requests import VoidReason
from upcard.service import commands as s
from upcard.service import table_after_restore, table_betting, table_openings, table_seats  # noqa: F401 - loaded for the commands they handle
from upcard.service import table_timeouts as table_timeouts
from upcard.service.betting_closing import close
from upcard.service.live_table import is_between_shoes, timers_of, without_shoe
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.table_dealers import check_logged_on
from upcard.service.table_draft import HANDLERS, TableDraft, handles
from upcard.service.table_shoes import change_shoe


def carry_out(draft: TableDraft, command: s.TableCommand) -> None:
    """Carries out a command; raises the refusal of engine, pit or service."""
    before, kind = draft.live, type(command)
    if kind not in SET_UP and not before.opened:
        raise ServiceRefused(ServiceRefusal.TABLE_NOT_OPEN, table=before.name)
    if draft.moment.role == "player":  # players may act only for themselves and for their own spots
        actor = draft.moment.actor
        if isinstance(command, s.OfPlayer) and command.player != actor:
            raise ServiceRefused(ServiceRefusal.NOT_YOU, player=command.player)
        if isinstance(command, s.OfSpot) and before.table.seats.get(command.spot) != actor:
            raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=actor, spot=command.spot)
    elif draft.moment.role == "dealer" and kind is not s.LogOn:
        check_logged_on(draft)
    HANDLERS[kind](draft, command)
    if draft.live.table.shoe_over and kind not in SET_UP:
        change_shoe(draft, before)
    at = max(draft.moment.text, before.at)  # the texts sort by time
    live = replace(draft.live, version=before.version + 1, at=at)
    if live.table.shoe_over and is_between_shoes(live):
        live = without_shoe(live)
    draft.live = replace(live, timers=timers_of(before, live))


@handles(s.Deal)
def _deal(draft: TableDraft, _command: s.Deal) -> None:
    close(draft)


@handles(s.Void)
def _void(draft: TableDraft, command: s.Void) -> None:
    draft.void(VoidReason(code="floor", note=command.why))


@handles(*get_args(s.Chips))
def _move_chips(draft: TableDraft, command: s.Chips) -> None:
    draft.requests.append(command)


SET_UP = frozenset({s.OpenTable, s.Reset, s.ChangeRules, s.RenewShoe})  # they set up a table, before or between games
_PASSED_TO_DEALER = (
    s.PostMinimum
    | s.AnnounceClosing
    | s.SetShuffler
    | s.Shuffle
    | s.DeclineInsurance
    | s.TakeEvenMoney
    | s.Hit
    | s.Stay
    | s.Split
    | s.Surrender
)
HANDLERS.update(dict.fromkeys(get_args(_PASSED_TO_DEALER), TableDraft.say))
