"""Views of a table for guests: what is on the felt, and what a player may do. Never the hole card or the shoe."""

from collections.abc import Iterable, Mapping
from typing import cast

from upcard.cards import card_text
from upcard.cards.hand import total
from upcard.cards.shoe import CARDS_PER_DECK
from upcard.codes import Coded
from upcard.engine import legal
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers, awaiting, may_still_insure
from upcard.engine.cards_on_table import cards_on_table
from upcard.engine.offered_choices import Choice
from upcard.engine.round import Phase, Round, Spot
from upcard.engine.stake_ranges import stake_range
from upcard.engine.terms import Terms
from upcard.engine.view import dealer_cards_shown
from upcard.pit.terms import derive
from upcard.service import wire_models as w
from upcard.service.commands import NAMES
from upcard.service.live_table import LiveTable
from upcard.service.manual_dealing import cards_entered
from upcard.service.stored_events import slip_json
from upcard.settlement import settle
from upcard.units import Cents

# --- for everybody ------------------------------------------------------------------------------------------------


def table_view(live: LiveTable) -> w.State:
    """A table with everything that is public."""
    table, state, terms = live.table, live.table.round, live.table.terms
    view: w.State = {
        "table": live.name,
        "layout": table.layout.slug,
        "game": table.layout.game,
        "rules": live.rules.hash,
        "number": live.version,
        "at": live.at,
        "open": live.opened and not table.closed,
        "closing": table.closing,
        "seats": seats_view(live),
        "absent": sorted(live.absent),
        "ready": sorted(live.ready),
        "spots": table.layout.spots,
        "posted_minimum": table.posted_minimum,
        "shuffled": table.shuffler,
        "shuffler": table.next_shuffler,
        "wagers": _circles(terms or derive(table)),
        "shoe": {
            "number": live.shoe,
            "cards": table.shoe_cards,
            "discards": _discards(live),
            "begun": not table.shoe_over if table.dealt_by_hand else live.shuffle is not None,
            "last_round": not table.shoe_over and table.cut_card < 0,
        },
        "timers": dict(live.timers),
        "round": None if state is None or terms is None else _round(live, state, terms),
    }
    if live.calls:
        view["notices"] = list(live.notices)
    if table.dealt_by_hand:
        view["by_hand"] = True
        view["dealer"] = live.dealer
    if table.flat_bettors:
        view["flat"] = sorted(table.flat_bettors)
    return view


def _discards(live: LiveTable) -> int:
    """The cards of the shoe that were dealt and lie on the table no more."""
    table, state, terms = live.table, live.table.round, live.table.terms
    if table.shoe_over:
        return 0
    dealt = table.layout.decks * CARDS_PER_DECK - table.shoe_cards
    if state is None or terms is None:
        return dealt
    of_players = len(list(cards_on_table(state, terms))) - len(state.dealer)
    return dealt - of_players - len(dealer_cards_shown(state))


def seats_view(live: LiveTable) -> dict[str, str]:
    """Players by spot."""
    return {str(spot): player for spot, player in sorted(live.table.seats.items())}


def _circles(terms: Terms) -> dict[str, w.Circle]:
    circles: dict[str, w.Circle] = {}
    for name, wager in terms.wagers.items():
        view = circles[name] = {
            "role": wager.role,
            "least": wager.least,
            "most": wager.most,
            "step": wager.step,
            "late": wager.late,
        }
        if wager.amounts:
            view["amounts"] = list(wager.amounts)
        if wager.equals:
            view["equals"] = wager.equals
        if wager.off:
            view["off"] = wager.off
        if name in terms.aggregate_limits:
            view["aggregate_limit"] = terms.aggregate_limits[name]
    return circles


def _round(live: LiveTable, state: Round, terms: Terms) -> w.RoundState:
    waits = awaiting(state, terms)
    cards = dealer_cards_shown(state)
    open_cards = [card for card in cards if card is not None]
    view: w.RoundState = {
        "round": live.round,
        "phase": state.phase.value,
        "awaits": waits.coded,
        "dealer": {
            "cards": ["?" if card is None else card_text(card) for card in cards],
            "total": total(open_cards)[0] if open_cards else 0,
        },
        "spots": [_spot(spot) for spot in state.spots],
    }
    if isinstance(waits, PlayerDecision):
        view["turn"] = {"spot": waits.spot, "hand": waits.hand}
    if isinstance(waits, InsuranceAnswers):
        view["insurance"] = list(waits.spots)
        if declined := may_still_insure(state, terms):
            view["declined"] = sorted(declined)
    if live.slips:
        view["slips"] = [_slip(slip) for slip in live.slips]
    if live.table.dealt_by_hand:
        view["entered"] = [
            {"number": number, "card": card_text(card), "place": entry.awaited}
            for number, (_, card, entry) in enumerate(cards_entered(live), start=1)
        ]
        view["pays"] = [_slip(slip_json(slip)) for slip in settle(state, terms)]
    return view


def _spot(spot: Spot) -> w.Spot:
    hands: list[w.Hand] = []
    for hand in spot.hands:
        points, soft = total(hand.cards)
        hands.append(
            {
                "cards": [card_text(card) for card in hand.cards],
                "total": points,
                "soft": soft,
                "stakes": dict(hand.stakes),
                "doubled": dict(hand.doubled),
                "done": hand.done,
                "result": None if hand.result is None else hand.result.value,
            }
        )
    return {
        "spot": spot.number,
        "player": spot.player,
        "wagers": dict(spot.wagers),
        "insurance": dict(spot.insurance),
        "hands": hands,
    }


def _slip(slip: w.EventSent) -> w.SlipSent:
    """A slip without the name of its event."""
    return cast(w.SlipSent, {name: value for name, value in slip.items() if name != "event"})


# --- in one line --------------------------------------------------------------------------------------------------


def table_line(live: LiveTable, notice: Coded | None) -> w.TableLine:
    """A table's line for the floor, with the notice about its rules."""
    table, state = live.table, live.table.round
    line: w.TableLine = {
        "table": live.name,
        "number": live.version,
        "layout": live.layout,
        "rules": live.rules.hash,
        "game": table.layout.game,
        "open": live.opened and not table.closed,
        "counted": not live.opened,
        "closing": table.closing,
        "by_hand": table.dealt_by_hand,
        "shuffled": table.shuffler,
        "shuffler": table.next_shuffler,
        "posted_minimum": table.posted_minimum,
        "spots": table.layout.spots,
        "seats": seats_view(live),
        "absent": sorted(live.absent),
        "flat": sorted(table.flat_bettors),
        "round": live.round,
        "phase": "" if state is None else state.phase.value,
        "staked": 0 if state is None else sum(sum(spot.wagers.values()) for spot in state.spots),
        "shoe": live.shoe,
        "shoe_cards": 0 if table.shoe_over else table.shoe_cards,
        "last_round": not table.shoe_over and table.cut_card < 0,
        "rules_notice": notice,
    }
    if notices := live.notices:
        line["notices"] = list(notices)
    return line


def felt_short(live: LiveTable) -> w.FeltShort:
    """What lies on a table's felt, for the pit map."""
    state, terms = live.table.round, live.table.terms
    if state is None:
        return {"dealer": [], "spots": {}}
    felt: w.FeltShort = {
        "dealer": ["?" if card is None else card_text(card) for card in dealer_cards_shown(state)],
        "spots": {
            str(spot.number): {
                "staked": sum(spot.wagers.values()),
                "hands": [[card_text(card) for card in hand.cards] for hand in spot.hands],
            }
            for spot in state.spots
        },
    }
    waits = None if terms is None else awaiting(state, terms)
    if isinstance(waits, PlayerDecision):
        felt["turn"] = waits.spot
    return felt


# --- for one player -----------------------------------------------------------------------------------------------


def player_view(live: LiveTable, player: str, bankroll: Cents | None) -> w.Mine:
    """What only one player gets: their choices, and their bankroll if it may have changed."""
    view: w.Mine = {"choices": []}
    state, terms = live.table.round, live.table.terms
    own_spots = {spot for spot, owner in live.table.seats.items() if owner == player}
    if own_spots and state is not None and terms is not None:
        waits = awaiting(state, terms)
        if not isinstance(waits, PlayerDecision) or waits.spot in own_spots:
            may = legal(state, terms, own_spots)
            sent = [choice for choice in may if choice.spot in own_spots and choice.order in NAMES]
            declined = may_still_insure(state, terms) if isinstance(waits, InsuranceAnswers) else frozenset()
            view["choices"] = _choices(choice for choice in sent if choice.spot not in declined)
            if declined & own_spots:
                view["may_still_take"] = _choices(choice for choice in sent if choice.spot in declined)
        if isinstance(waits, Wagers) and state.spots and player not in live.ready:
            view["choices"].append({"do": "ready"})
    if bankroll is not None:
        view["bankroll"] = bankroll
    return view


def _choices(choices: Iterable[Choice]) -> list[w.Choice]:
    views: list[w.Choice] = []
    for choice in choices:
        view: w.Choice = {"do": NAMES[choice.order], "spot": choice.spot}
        if choice.wager:
            view["wager"] = choice.wager
        if choice.amounts:
            view["amounts"] = {}
        for name, allowed in choice.amounts:
            amounts: w.Range = {"least": allowed.least, "most": allowed.most, "step": allowed.step}
            if allowed.only:
                amounts["only"] = list(allowed.only)
            view["amounts"][name] = amounts
        if choice.equal:
            view["equal"] = True
        views.append(view)
    return views


def chips_fit(live: LiveTable, player: str, spot: int, stakes: Mapping[str, int]) -> bool:
    """Whether a player may show these chips at a spot now: their own circles, within the limits.

    A stack that is still growing may be below the minimum."""
    state = live.table.round
    if live.table.seats.get(spot) != player or (state is not None and state.phase is not Phase.BETTING):
        return False
    terms = live.table.terms or derive(live.table)
    placed = {name: Cents(amount) for name, amount in stakes.items()}
    if not all(name in terms.wagers and (terms.wagers[name].equals or name) in placed for name in placed):
        return False
    ranges = {name: stake_range(terms, terms.wagers[name], placed) for name in placed}
    return all(stake in ranges[name].only or 0 < stake <= ranges[name].most for name, stake in placed.items())
