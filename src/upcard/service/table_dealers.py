"""Who deals at a table dealt by hand: a dealer logs on, and only they act there until another relieves them."""

from upcard.frozen import replace
from upcard.service import commands as s
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_dealt_by_hand import check_dealt_by_hand
from upcard.service.table_draft import TableDraft, handles

DEALER_LOGGED_ON = table_event("dealer-logged-on", dealer="text", relieved="text?")
DEALER_LOGGED_OFF = table_event("dealer-logged-off", dealer="text")


def check_logged_on(draft: TableDraft) -> None:
    """Refuses dealers who are not logged on to a table dealt by hand. Formats before 3 knew no such dealer."""
    live, moment = draft.live, draft.moment
    if live.table.dealt_by_hand and live.dealer != moment.actor and moment.format >= 3:
        raise ServiceRefused(ServiceRefusal.NOT_LOGGED_ON, table=live.name)


@handles(s.LogOn)
def log_on(draft: TableDraft, _command: s.LogOn) -> None:
    """Takes over from the dealer who is logged on, if there is one."""
    check_dealt_by_hand(draft)
    dealer, before = draft.moment.actor, draft.live.dealer
    if dealer == before:
        raise ServiceRefused(ServiceRefusal.LOGGED_ON_ALREADY, table=draft.live.name)
    draft.add_event(DEALER_LOGGED_ON, dealer=dealer, relieved=before or None)
    draft.live = replace(draft.live, dealer=dealer)


@handles(s.LogOff)
def log_off(draft: TableDraft, _command: s.LogOff) -> None:
    check_dealt_by_hand(draft)
    check_logged_on(draft)
    draft.add_event(DEALER_LOGGED_OFF, dealer=draft.live.dealer)
    draft.live = replace(draft.live, dealer="")
