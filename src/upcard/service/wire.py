"""Events as they are kept and sent: one JSON object each, with the cards in letters and the hole card left out.

What lies face down is in no record: the shoe's sealed key tells it again when a table is resumed.
"""

from dataclasses import fields
from functools import cache
from typing import Any

from upcard.cards import card_text
from upcard.engine import events as e
from upcard.engine.round import HandDecision, InsuranceDecision, WagerDecision
from upcard.ledger.journal import canonical
from upcard.pit import orders as o
from upcard.settlement.slips import Slip

Json = dict[str, Any]


def event_json(event: e.Event | o.Said) -> Json:
    """An event of the round or the table, for everybody to see."""
    kind: type = type(event)
    told: Json = {"event": event_name(kind)}
    if isinstance(event, e.HoleCardDealt):
        return told
    if isinstance(event, e.Decided):
        return told | _decision(event.decision)
    for name in _fields(kind):
        value = getattr(event, name)
        if name == "card":
            value = card_text(value)
        elif name == "amounts":
            value = dict(value)
        elif isinstance(value, tuple):
            value = list(value)  # as it is read back: the first answer and a repeated one are equal
        told[name] = value
    return told


def slip_json(slip: Slip) -> Json:
    """A slip with its reason, for everybody at the table to see."""
    told: Json = {"event": "slip", "spot": slip.spot, "player": slip.player, "wager": slip.wager}
    told |= {"hand": slip.hand, "stake": slip.stake, "paid": slip.paid, "returned": slip.returned}
    told |= {"won": slip.event, "reason": slip.reason}
    if slip.promotion:
        told["promotion"] = slip.promotion
    if slip.claim is not None:
        told["claim"] = {"jackpot": slip.claim.jackpot, "share": str(slip.claim.share), "event": slip.claim.event}
    return told


def text(value: object) -> str:
    """The one JSON text of what is kept."""
    return canonical(value)


def _decision(decision: WagerDecision | HandDecision | InsuranceDecision) -> Json:
    match decision:
        case WagerDecision(spot, wager, event):
            return {"spot": spot, "wager": wager, "won": event}
        case HandDecision(spot, hand, result):
            return {"spot": spot, "hand": hand, "result": result.value}
        case InsuranceDecision(spot, won):
            return {"spot": spot, "insurance": won}


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def event_name(kind: type) -> str:
    """An event's name on the wire: `CardDealt` is told as `card-dealt`."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]
