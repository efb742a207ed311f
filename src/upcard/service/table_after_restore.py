"""A table of a book that was restored: players may have seen cards that its shoes have not dealt yet."""

from upcard.ledger import requests as r
from upcard.pit import orders as o
from upcard.service import commands as s
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles
from upcard.service.table_shoes import commit_to_next_shoe, reveal_shoe, verify_decks, withdraw_promise

BOOK_RESTORED = table_event("book-restored")


@handles(s.RenewShoe)
def renew_shoe(draft: TableDraft, _command: s.RenewShoe) -> None:
    """Voids the round, and replaces the shoe in play, the one committed to and the one promised: in the records that
    are gone, all three may have been dealt and revealed. A closed table has at most a promise."""
    draft.add_event(BOOK_RESTORED)
    if draft.live.table.round is not None:
        draft.void(r.VoidReason(code="restored"))
    had_shoe = draft.live.opened and not draft.live.table.closed
    if had_shoe and not draft.live.table.shoe_over:
        draft.say(o.EndShoe())
    if had_shoe:
        reveal_shoe(draft)
    withdraw_promise(draft)
    if not draft.live.opened or draft.live.table.closed:
        return
    verify_decks(draft)
    if not draft.live.table.dealt_by_hand:
        commit_to_next_shoe(draft)
