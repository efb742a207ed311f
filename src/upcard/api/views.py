"""A live table as its guests see it: what lies on the felt, and what one of them may do. No hole card, no shoe."""

from collections.abc import Mapping
from typing import Any

from upcard.cards import card_text
from upcard.cards.hand import total
from upcard.engine import commands as c
from upcard.engine import legal
from upcard.engine.amounts import Range
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers, awaiting
from upcard.engine.legal import Choice
from upcard.engine.round import Round, Spot
from upcard.engine.terms import Terms, WagerTerms
from upcard.pit.terms import derive
from upcard.service.live_table import LiveTable
from upcard.service.manual_dealing import cards_entered
from upcard.service.stored_events import slip_json
from upcard.settlement import Slip, settle

Json = dict[str, Any]

_ORDERS: Mapping[type, str] = {
    c.PlaceWager: "bet",
    c.ClearWagers: "clear",
    c.Insure: "insure",
    c.DeclineInsurance: "decline-insurance",
    c.TakeEvenMoney: "even-money",
    c.Hit: "hit",
    c.Stay: "stay",
    c.Double: "double",
    c.Split: "split",
    c.Surrender: "surrender",
}


def table_view(live: LiveTable) -> Json:
    """What everybody at the table sees."""
    table, state, terms = live.table, live.table.round, live.table.terms
    told: Json = {
        "table": live.name,
        "layout": live.layout,
        "game": table.layout.game,
        "rules": live.rules.hash,
        "number": live.version,
        "at": live.at,
        "open": live.opened and not table.closed,
        "closing": table.closing,
        "seats": {str(spot): player for spot, player in sorted(table.seats.items())},
        "absent": sorted(live.absent),
        "ready": sorted(live.ready),
        "spots": table.layout.spots,
        "posted_minimum": table.posted_minimum,
        "wagers": {name: wager_view(one) for name, one in (terms or derive(table)).wagers.items()},
        "shoe": {
            "number": live.shoe,
            "cards": table.shoe_cards,
            "begun": not table.shoe_over if table.dealt_by_hand else live.shuffle is not None,
            "last_round": not table.shoe_over and table.cut_card < 0,
        },
        "timers": dict(live.timers),
        "round": None if state is None or terms is None else round_view(live.round, state, terms),
    }
    if table.dealt_by_hand:
        told["by_hand"] = True
        if state is not None and terms is not None:
            told["round"] |= by_hand_view(live, state, terms)
    return told


def by_hand_view(live: LiveTable, state: Round, terms: Terms) -> Json:
    """What a dealer has entered, and what he pays and takes so far."""
    entered = [
        {"number": number, "card": card_text(card), "place": entry.awaited}
        for number, (_, card, entry) in enumerate(cards_entered(live), start=1)
    ]
    return {"entered": entered, "pays": [pay_view(slip) for slip in settle(state, terms)]}


def pay_view(slip: Slip) -> Json:
    """A slip, for the dealer to pay and take by."""
    return {name: value for name, value in slip_json(slip).items() if name != "event"}


def wager_view(one: WagerTerms) -> Json:
    """A circle and its limits."""
    told: Json = {"role": one.role, "least": one.least, "most": one.most, "step": one.step, "late": one.late}
    if one.amounts:
        told["amounts"] = list(one.amounts)
    if one.equals:
        told["equals"] = one.equals
    if one.off:
        told["off"] = one.off
    return told


def round_view(number: int, state: Round, terms: Terms) -> Json:
    """The round on the felt."""
    waits = awaiting(state, terms)
    told: Json = {
        "round": number,
        "phase": state.phase.value,
        "awaits": waits.coded,
        "dealer": dealer_view(state),
        "spots": [spot_view(spot) for spot in state.spots],
    }
    if isinstance(waits, PlayerDecision):
        told["turn"] = {"spot": waits.spot, "hand": waits.hand}
    if isinstance(waits, InsuranceAnswers):
        told["insurance"] = list(waits.spots)
    return told


def dealer_view(state: Round) -> Json:
    """The dealer's cards; one that lies face down is a question mark."""
    if state.hole_down:
        return {"cards": [card_text(state.dealer[0]), "?"], "total": total(state.dealer[:1])[0]}
    return {"cards": [card_text(one) for one in state.dealer], "total": total(state.dealer)[0] if state.dealer else 0}


def spot_view(spot: Spot) -> Json:
    """A spot in play."""
    hands = []
    for hand in spot.hands:
        points, soft = total(hand.cards)
        told: Json = {"cards": [card_text(one) for one in hand.cards], "total": points, "soft": soft}
        told |= {"stakes": dict(hand.stakes), "doubled": dict(hand.doubled), "done": hand.done}
        told["result"] = None if hand.result is None else hand.result.value
        hands.append(told)
    return {
        "spot": spot.number,
        "player": spot.player,
        "wagers": dict(spot.wagers),
        "insurance": dict(spot.insurance),
        "hands": hands,
    }


def choices_of(live: LiveTable, player: str) -> list[Json]:
    """What a player may do now."""
    state, terms = live.table.round, live.table.terms
    if state is None or terms is None:
        return []
    own = {spot for spot, owner in live.table.seats.items() if owner == player}
    if not own:
        return []
    waits = awaiting(state, terms)
    if isinstance(waits, PlayerDecision) and waits.spot not in own:
        return []
    found = [choice_view(one) for one in legal(state, terms) if one.spot in own and one.order in _ORDERS]
    if isinstance(waits, Wagers) and state.spots and player not in live.ready:
        found.append({"do": "ready"})
    return found


def choice_view(choice: Choice) -> Json:
    """One thing that may be done, with the amounts it may carry."""
    told: Json = {"do": _ORDERS[choice.order], "spot": choice.spot}
    if choice.wager:
        told["wager"] = choice.wager
    if choice.amounts:
        told["amounts"] = {name: range_view(allowed) for name, allowed in choice.amounts}
    return told


def range_view(allowed: Range) -> Json:
    """Amounts in cents."""
    told: Json = {"least": allowed.least, "most": allowed.most, "step": allowed.step}
    if allowed.only:
        told["only"] = list(allowed.only)
    return told
