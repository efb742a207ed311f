"""The events of a table's records: their names and fields, as they are stored and sent.

Names and fields are written out, never derived, because books contain them. Events of the round and the pit are named
here, those of the service in the module that makes them. Changing an event needs a new format. Events hold codes,
numbers and names; sentences are made where they are shown. Face-down cards are in no record: they follow from the
shoe's encrypted key when a table is resumed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from upcard.cards import card_text
from upcard.engine import events as e
from upcard.engine.round import HandDecision, InsuranceDecision, WagerDecision
from upcard.pit import events as t
from upcard.service.wire_models import EventSent
from upcard.settlement.slips import Slip, SlipReason
from upcard.units import Basis

# What a field holds: int, bool, text (a name or a code), card ("Qh"), amounts (cents by wager), texts, ints, coded (a
# code with its parameters); a question mark: or null.
Kinds = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """The name of an event and its fields."""

    name: str
    fields: Kinds


def _stored(name: str, **fields: str) -> StoredEvent:
    return StoredEvent(name, fields)


OF_THE_ROUND: Mapping[type, StoredEvent] = {
    e.WagerPlaced: _stored("wager-placed", spot="int", player="text", wager="text", amount="int"),
    e.WagersCleared: _stored("wagers-cleared", spot="int", wagers="texts"),
    e.BettingClosed: _stored("betting-closed", main_wagers="texts"),
    e.CardDealt: _stored("card-dealt", spot="int", hand="int", card="card"),
    e.DealerCardDealt: _stored("dealer-card-dealt", card="card"),
    e.HoleCardDealt: _stored("hole-card-dealt"),  # the card itself is secret
    e.DealCompleted: _stored("deal-completed"),
    e.InsuranceOffered: _stored("insurance-offered"),
    e.Insured: _stored("insured", spot="int", amounts="amounts"),
    e.InsuranceDeclined: _stored("insurance-declined", spot="int"),
    e.InsuranceClosed: _stored("insurance-closed"),
    e.DealerPeeked: _stored("dealer-peeked", blackjack="bool"),
    e.LateWagersOpened: _stored("late-wagers-opened"),
    e.LateWagersClosed: _stored("late-wagers-closed"),
    e.LateWagersClosedBeforePeek: _stored("late-wagers-closed-before-peek"),
    e.HandHit: _stored("hand-hit", spot="int", hand="int"),
    e.HandStayed: _stored("hand-stayed", spot="int", hand="int"),
    e.HandDoubled: _stored("hand-doubled", spot="int", hand="int", amounts="amounts"),
    e.HandSplit: _stored("hand-split", spot="int", hand="int"),
    e.HoleRevealed: _stored("hole-revealed", card="card"),
    e.SoftSeventeenReached: _stored("soft-seventeen-reached"),
    e.PlayBegan: _stored("play-began"),
    e.DealersTurn: _stored("dealer-turn-began"),
    e.RoundFinished: _stored("round-finished"),
    t.SpotTaken: _stored("spot-taken", player="text", spot="int"),
    t.SpotLeft: _stored("spot-left", player="text", spot="int"),
    t.AskedToRelinquish: _stored("asked-to-relinquish", player="text", spots="ints"),
    t.MinimumPosted: _stored("minimum-posted", amount="int"),
    t.FlatBetNotified: _stored("flat-bet-notified", player="text"),
    t.ClosingAnnounced: _stored("closing-announced"),
    t.ShufflerSet: _stored("shuffler-set", shuffler="text"),
    t.LastRoundAnnounced: _stored("last-round-announced"),
    t.CutCardOut: _stored("cut-card-out"),
    t.ShoeEnded: _stored("shoe-ended"),
    t.GameEnded: _stored("game-ended"),
    t.DiscardsReturned: _stored("discards-returned", cards="int"),
}
NOT_STORED = (t.ShoeShuffled, t.BettingOpened, t.RoundVoided)  # shoe-begun, round-begun and round-over replace them
DECIDED = "decided"  # a wager, a hand or an insurance: its fields depend on which
SLIP = "slip"
OF_THE_TABLE: dict[str, Kinds] = {}  # events of the service itself


def table_event(name: str, **fields: str) -> str:
    """Registers an event of the service and its fields; called in the module that makes it."""
    OF_THE_TABLE[name] = fields
    return name


def event_names() -> frozenset[str]:
    """The names of all events that a record can hold."""
    return frozenset({DECIDED, SLIP, *(event.name for event in OF_THE_ROUND.values()), *OF_THE_TABLE})


_TO_JSON: Mapping[str, Callable[[Any], Any]] = {"card": card_text, "amounts": dict, "texts": list, "ints": list}

_FORMS = {  # by type: the name, all fields, and the fields that JSON has another form for
    kind: (
        event.name,
        tuple(event.fields),
        tuple((field, _TO_JSON[form]) for field, form in event.fields.items() if form in _TO_JSON),
    )
    for kind, event in OF_THE_ROUND.items()
}


def event_json(event: e.Event | t.TableEvent) -> EventSent | None:
    """The public form of an event; None if another event replaces it."""
    if isinstance(event, e.Decided):
        return _decision(event.decision)
    stored = _FORMS.get(type(event))
    if stored is None:
        return None
    name, plain, changed = stored
    written: dict[str, Any] = {"event": name}
    for field in plain:
        written[field] = getattr(event, field)
    for field, change in changed:
        written[field] = change(written[field])
    return cast(EventSent, written)  # its fields are the stored ones


def slip_json(slip: Slip) -> EventSent:
    """The public form of a slip; fields that do not apply are left out."""
    written: EventSent = {
        "event": SLIP,
        "spot": slip.spot,
        "player": slip.player,
        "wager": slip.wager,
        "stake": slip.stake,
        "paid": slip.paid,
        "returned": slip.returned,
        "reason": slip.reason.value,
    }
    if slip.hand is not None:
        written["hand"] = slip.hand
    if slip.reason in (SlipReason.EVENT_PAID, SlipReason.JACKPOT):
        written["won"] = slip.event
    if slip.points is not None:
        written["points"] = slip.points
    if slip.odds is not None:
        written["pays"] = str(slip.odds.pays)
        if slip.odds.basis is Basis.FOR_ONE:
            written["for_one"] = True
    if slip.reason is SlipReason.SURRENDER:
        written["kept"] = str(slip.kept)
    if slip.promotion:
        written["promotion"] = slip.promotion
    if slip.cap is not None:
        written["cap"] = slip.cap
    if slip.limit is not None:
        written["limit"] = slip.limit
    if slip.claim is not None:
        written["claim"] = {"jackpot": slip.claim.jackpot, "share": str(slip.claim.share)}
    return written


def _decision(decision: WagerDecision | HandDecision | InsuranceDecision) -> EventSent:
    match decision:
        case WagerDecision(spot, wager, event):
            return {"event": DECIDED, "spot": spot, "wager": wager, "won": event}
        case HandDecision(spot, hand, result):
            return {"event": DECIDED, "spot": spot, "hand": hand, "result": result.value}
        case InsuranceDecision(spot, won):
            return {"event": DECIDED, "spot": spot, "insurance": won}
