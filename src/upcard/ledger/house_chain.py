"""The house's own chain: its hours, its catalog's revisions, the daily close, acknowledged alerts. Pure."""

from typing import assert_never

from upcard.ledger.daily_close import WholeBook, close
from upcard.ledger.house_state import HouseState
from upcard.ledger.outcome import Draft, Moment, Outcome
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import AcknowledgeAlert, CloseDay, HouseRequest, PublishCatalog, SetHours


def apply(state: HouseState, request: HouseRequest, moment: Moment, book: WholeBook | None) -> Outcome[HouseState]:
    """What a request does to the house; raises BookRefused."""
    match request:
        case SetHours():
            return _set_hours(state, request, moment)
        case CloseDay():
            if book is None:
                raise ValueError("closing a day needs the whole book")
            return close(state, request, moment, book)
        case PublishCatalog():
            return _publish(state, request, moment)
        case AcknowledgeAlert():  # nothing but the record, which has who and when
            return Draft(moment).outcome(state, {})
        case _:
            assert_never(request)


def _set_hours(state: HouseState, request: SetHours, moment: Moment) -> Outcome[HouseState]:
    """New hours can begin only on a later day: past days keep theirs."""
    if state.hours and request.hours.since <= max(moment.day, state.hours[-1].since):
        raise BookRefused(BookRefusal.HOURS_IN_THE_PAST, day=moment.day.isoformat())
    changed = state.model_copy(update={"hours": (*state.hours, request.hours)})
    return Draft(moment).outcome(changed, {"since": request.hours.since.isoformat()})


def _publish(state: HouseState, request: PublishCatalog, moment: Moment) -> Outcome[HouseState]:
    """Revisions are numbered without a gap, so that nobody overwrites one that they have not seen."""
    if request.revision != state.revision + 1:
        raise BookRefused(BookRefusal.REVISION_NOT_NEXT, current=state.revision, revision=request.revision)
    if request.content == state.content:
        raise BookRefused(BookRefusal.REVISION_UNCHANGED, current=state.revision)
    if request.restores and request.restores >= state.revision:
        raise BookRefused(BookRefusal.REVISION_UNKNOWN, revision=request.restores)
    changed = state.model_copy(update={"revision": request.revision, "content": request.content})
    return Draft(moment).outcome(changed, {"revision": request.revision})
