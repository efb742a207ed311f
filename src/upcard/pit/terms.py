"""Deriving a round's terms from the table: limits of filing and operator, posted minimum, holds, equipment."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import TYPE_CHECKING, assert_never

from upcard.cards import SUIT_NAMES
from upcard.cards.shoe import CARDS_PER_DECK, Margins
from upcard.catalog.game import Game, Wager
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.readings_in_force import Chosen, chosen_readings, paytable_in_force, rules_in_force
from upcard.catalog.ruleset import Behaviour
from upcard.catalog.wager_limit import WagerLimit, wager_limit
from upcard.codes import phrases
from upcard.engine.round import Stakes
from upcard.engine.terms import Terms, WagerTerms
from upcard.frozen import replace
from upcard.units import Cents, Rounding
from upcard.wagers import DealerHandKind

if TYPE_CHECKING:
    from upcard.pit.table import Table


SHUFFLED_BY_HAND = "off/shuffled-by-hand"
phrases({SHUFFLED_BY_HAND: "the shoe is shuffled by hand"})

_CACHE: dict[tuple[int, int, int, Cents | None, str, bool], tuple[Catalog, Layout, Behaviour, Terms]] = {}
_CACHE_SIZE = 4096


def derive(table: "Table") -> Terms:
    """The frozen terms of the next round."""
    places = id(table.catalog), id(table.layout), id(table.behaviour)
    key = (*places, table.floor_minimum, table.shuffler, table.dealt_by_hand)
    cached = _CACHE.get(key)
    if cached is None:
        if len(_CACHE) >= _CACHE_SIZE:
            _CACHE.clear()
        # The cache holds catalog, layout and behaviour, so no other object can get their ids.
        cached = _CACHE[key] = (table.catalog, table.layout, table.behaviour, _terms_without_players(table))
    terms = cached[3]
    holds = _holds(table, terms.wagers) if table.flat_bettors else {}
    # Its cached properties follow from the wagers alone, so the copy may keep them.
    return replace(terms, owners=dict(sorted(table.seats.items())), holds=holds)


def _terms_without_players(table: "Table") -> Terms:
    """What depends on the layout, the posted minimum, the shuffler and who deals alone."""
    game, layout = table.catalog.game(table.layout.game), table.layout
    readings = readings_at(table)
    limit = wager_limit_at(table)
    decline_is_final = _decline_is_final(table)
    return Terms(
        game=game.slug,
        layout=layout.slug,
        decks=layout.decks,
        rules=rules_in_force(table.catalog, layout, table.behaviour.readings_in_force),
        chip=Cents(layout.chip),
        rounding=Rounding(layout.rounding),
        wagers={offered.name: _wager(table, game, offered, readings) for offered in layout.wager},
        owners={},
        adjacent_spots=game.conduct.adjacent_spots,
        holds={},
        decline_is_final=decline_is_final,
        dealer_closes_insurance=table.dealt_by_hand and not decline_is_final,
        doubles_alike=readings.get("R30") == "same-proportion",
        most_wagers=limit.most if limit is not None else None,
        small_stake=_small_stake(table, limit),
        aggregate_limits={limit.wager: Cents(limit.amount) for limit in layout.aggregate_limit},
    )


def readings_at(table: "Table") -> Chosen:
    """The readings this table plays by."""
    return chosen_readings(table.catalog, table.layout, table.behaviour.readings_in_force)


def wager_limit_at(table: "Table") -> WagerLimit | None:
    """How many wagers a spot may make; None if all that the layout offers."""
    match table.behaviour.small_wager:
        case "one-of-the-players-four":
            return wager_limit(table.catalog.games_of(table.layout), table.layout)
        case "the-one-the-layout-names":  # and only the limit of the layout's own game
            return wager_limit([table.catalog.game(table.layout.game)], table.layout)
        case _:
            assert_never(table.behaviour.small_wager)


def _decline_is_final(table: "Table") -> bool:
    match table.behaviour.insurance_answers:
        case "final":
            return True
        case "until-insurance-closes":  # 000 C&E: until the dealer waves their hand over the table
            return False
        case _:
            assert_never(table.behaviour.insurance_answers)


def _small_stake(table: "Table", limit: WagerLimit | None) -> Cents | None:
    return limit.small if limit is not None and table.behaviour.small_wager == "one-of-the-players-four" else None


def _wager(table: "Table", game: Game, offered: Offered, readings: Chosen) -> WagerTerms:
    layout = table.layout
    wager = table.catalog.wager(game, offered)
    least, most = _limits(table, wager, offered)
    amounts = (offered.amount,) if offered.amount is not None else wager.amounts
    late = wager.placed == "after the peek"
    kind = table.catalog.kinds[wager.kind] if wager.kind else None
    paytable = table.catalog.paytables[offered.paytable] if offered.paytable else None
    return WagerTerms(
        name=wager.name,
        role=wager.role,
        kind=kind,
        paytable=None if paytable is None else paytable_in_force(paytable, readings),
        suit=SUIT_NAMES.index(layout.suit_for(wager.name)),
        least=least,
        most=most,
        step=Cents(layout.chip),
        amounts=tuple(Cents(amount) for amount in amounts),
        equals=wager.equals,
        requires_any=wager.requires_any,
        late=late,
        before_peek=late and readings.get("R9") == "before-peek",
        lost_with_hand=isinstance(kind, DealerHandKind) and readings.get("R6") == "lost",
        right_to_left=wager.pay_order == "right to left",
        payout_cap=None if wager.payout_cap is None else Cents(wager.payout_cap),
        keeps_cards=wager.keep_cards,
        off=_off(table, wager, readings),
        promotions={
            promotion.event: Cents(promotion.award) for promotion in layout.promotion if promotion.wager == wager.name
        },
    )


def _limits(table: "Table", wager: Wager, offered: Offered) -> tuple[Cents, Cents]:
    """The filing's bounds, narrowed by the operator's; the small wager of a crowded layout by its own limit."""
    posted = table.posted_minimum
    least = max(offered.min or 0, wager.min.at(posted) if wager.min else 0)
    bounds = [bound for bound in (offered.max, wager.max.at(posted) if wager.max else None) if bound is not None]
    limit = wager_limit_at(table)
    if limit is not None and limit.small is not None and wager.name == table.layout.small_wager:
        bounds.append(limit.small)
    return Cents(max(least, 1)), Cents(min(bounds, default=0))


def _off(table: "Table", wager: Wager, readings: Chosen) -> str:
    """The code for why a wager is off now (R25); empty if it is on."""
    by_machine = "automatic shuffler" in wager.equipment
    if by_machine and table.shuffler == "hand" and readings.get("R25") != "offered":
        return SHUFFLED_BY_HAND
    return ""


def _holds(table: "Table", wagers: Mapping[str, WagerTerms]) -> Mapping[int, Stakes]:
    """Flat betting: a held player may make exactly the wagers of their first hand of the shoe that are on."""
    holds: dict[int, Stakes] = {}
    for player in sorted(table.flat_bettors & table.first_wagers.keys()):
        spots = [spot for spot, owner in table.seats.items() if owner == player]
        first = table.first_wagers[player]
        left_behind = [first[spot] for spot in sorted(first) if spot not in spots]
        for spot in spots:  # the wagers of a spot they left follow them to the next; further spots get none
            holds[spot] = first[spot] if spot in first else left_behind.pop(0) if left_behind else {}
    match table.behaviour.flat_bet_on_a_wager_that_is_off:
        case "stops-the-player":
            return holds
        case "played-without-it":
            off = {name for name, wager in wagers.items() if wager.off}
            return {spot: without_wagers(held, off, wagers) for spot, held in holds.items()}
        case _:
            assert_never(table.behaviour.flat_bet_on_a_wager_that_is_off)


def without_wagers(held: Stakes, off: Collection[str], wagers: Mapping[str, WagerTerms]) -> Stakes:
    """What a flat bettor repeats when some wagers are off: neither these nor those that need one of them."""
    on = {name: amount for name, amount in held.items() if name not in off}
    return {
        name: amount
        for name, amount in on.items()
        if not wagers[name].requires_any or any(needed in on for needed in wagers[name].requires_any)
    }


def margins(game: Game, decks: int) -> Margins:
    """Where the filing lets a player cut, and where the cut card goes; one-deck games have their own margin."""
    shuffle = game.shuffle
    from_end = shuffle.cut_from_either_end if decks > 1 else shuffle.one_deck_margin
    from_back = shuffle.cut_card_from_end if decks > 1 else shuffle.one_deck_margin
    tolerance = shuffle.tolerance if decks > 1 else 0
    cards = decks * CARDS_PER_DECK
    margin = int((from_end - tolerance) * CARDS_PER_DECK)
    return Margins(least=margin, most=cards - margin, cut_card=cards - int(from_back * CARDS_PER_DECK))


def promotions_on(layout: Layout, day: date) -> Layout:
    """The layout with the promotions of a day only."""
    promotions = tuple(promotion for promotion in layout.promotion if promotion.since <= day <= promotion.until)
    return layout.model_copy(update={"promotion": promotions})
