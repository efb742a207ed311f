"""One command carried out at a table: what the table becomes, what happened, and what the book is asked for it."""

from typing import get_args

from upcard.frozen import replace
from upcard.ledger.requests import VoidReason
from upcard.service import commands as s
from upcard.service import table_betting, table_entries, table_openings, table_seats, table_timeouts  # noqa: F401 - loaded for the commands they handle
from upcard.service.live_table import LiveTable, at_rest, can_rest, timers_of
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.table_closing import close
from upcard.service.table_draft import HANDLERS, TableDraft, handles
from upcard.service.table_shoes import change_shoe


def carry_out(draft: TableDraft, command: s.TableCommand) -> None:
    """Does it; raises what engine, pit or service have against it."""
    before, kind = draft.live, type(command)
    if kind not in SET_UP and not before.opened:
        raise ServiceRefused(ServiceRefusal.TABLE_NOT_OPEN, table=before.name)
    if draft.moment.role == "player":
        _check_own(before, command, draft.moment.actor)
    HANDLERS[kind](draft, command)
    if draft.live.table.shoe_over and kind not in SET_UP:
        change_shoe(draft, before)
    at = max(draft.moment.text, before.at)  # as texts they are in the order of time
    live = replace(draft.live, version=before.version + 1, at=at)
    if live.table.shoe_over and can_rest(live):
        live = at_rest(live)
    draft.live = replace(live, timers=timers_of(before, live))


def _check_own(live: LiveTable, command: s.TableCommand, actor: str) -> None:
    """A player speaks for themselves, and for spots of their own."""
    if isinstance(command, s.OfPlayer) and command.player != actor:
        raise ServiceRefused(ServiceRefusal.NOT_YOU, player=command.player)
    if isinstance(command, s.OfSpot) and live.table.seats.get(command.spot) != actor:
        raise ServiceRefused(ServiceRefusal.NOT_YOURS, player=actor, spot=command.spot)


@handles(s.Deal)
def _deal(draft: TableDraft, _command: s.Deal) -> None:
    close(draft)


@handles(s.Void)
def _void(draft: TableDraft, command: s.Void) -> None:
    draft.void(VoidReason(code="floor", note=command.why))


@handles(*get_args(s.Chips))
def _move_chips(draft: TableDraft, command: s.Chips) -> None:
    draft.requests.append(command)


SET_UP = frozenset({s.OpenTable, s.Reset, s.ChangeRules})  # make a table what it is, before or between games
_SAID_AS_THEY_ARE = (
    s.PostMinimum
    | s.NotifyFlatBet
    | s.AskToRelinquish
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
HANDLERS.update(dict.fromkeys(get_args(_SAID_AS_THEY_ARE), TableDraft.say))
