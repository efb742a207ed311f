"""Effects of timers: the deal, declined insurance, a hand that stays, a freed seat."""

from typing import assert_never

from upcard.engine import commands as c
from upcard.ledger import requests as r
from upcard.ledger.journal import instant_of
from upcard.pit.table import spots_of
from upcard.service import commands as s
from upcard.service.betting_closing import close, end_empty_betting, return_stopped_wagers, unfinished_spots
from upcard.service.live_table import ends_betting
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles
from upcard.service.table_seats import leave_spots

TIMER_EXPIRED = table_event("timer-expired", timer="text")


@handles(s.Timeout)
def time_out(draft: TableDraft, command: s.Timeout) -> None:
    """Applies the effect of a timer that is due."""
    key = command.key
    due = draft.live.timers.get(key)
    if due is None:
        raise ServiceRefused(ServiceRefusal.TIMER_STALE, key=key)
    if draft.moment.at < instant_of(due):
        raise ServiceRefused(ServiceRefusal.TIMER_EARLY, key=key, due=due)
    kind, _, detail = key.removesuffix("/away").partition("/")  # sooner, if nobody is there to decide
    draft.add_event(TIMER_EXPIRED, timer=key)
    if command.void is not None:
        draft.void(r.VoidReason(code="timer", refusal=command.void))
    elif kind in ("away", "out"):
        player = detail.rpartition("/")[0]
        leave_spots(draft, player, sorted(spots_of(draft.live.table, player)))
    elif ends_betting(key):
        _deal_in_time(draft)
    elif detail in ("insurance", "late"):
        _close_insurance(draft)
    else:
        _decide(draft, int(detail.partition(".")[0]))


def _close_insurance(draft: TableDraft) -> None:
    match draft.live.rules.behaviour.undecided_insurance_at_timeout:
        case "declined":
            close(draft)
        case _:
            assert_never(draft.live.rules.behaviour.undecided_insurance_at_timeout)


def _decide(draft: TableDraft, spot: int) -> None:
    match draft.live.rules.behaviour.undecided_hand_at_timeout:
        case "stays":
            draft.say(c.Stay(spot))
        case _:
            assert_never(draft.live.rules.behaviour.undecided_hand_at_timeout)


def _deal_in_time(draft: TableDraft) -> None:
    """Deals; returns unfinished wagers that would prevent the deal."""
    return_stopped_wagers(draft)
    match draft.live.rules.behaviour.unfinished_wagers_at_the_deal:
        case "returned":
            for spot in unfinished_spots(draft.live):
                draft.say(c.ClearWagers(spot))
        case _:
            assert_never(draft.live.rules.behaviour.unfinished_wagers_at_the_deal)
    end_empty_betting(draft)
    if draft.live.table.round is not None:
        close(draft)
