"""Mutations: a rule is switched off or changed, to see that a test fails.

A mutation is a context manager that yields a catalog. Inside it, a rule of a game's file, a line of a paytable or one
place of the code is different. `mutations` lists the mutation of each clause.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any
from unittest import mock

from procedures.catalogs import (
    Catalog,
    offering,
    with_game,
    with_jackpot,
    with_layout,
    with_paytable,
    with_wager,
)
from procedures.reached import watched, watching_values

from upcard.cards import TEN, rank_of, shoe
from upcard.cards import hand as hands
from upcard.catalog import layout_checks, shipped
from upcard.catalog.pays import Fixed
from upcard.engine import commands as c
from upcard.engine import events as e
from upcard.engine.awaiting import Awaiting, DealerCard, PlayerCard
from upcard.engine.command_rules import DetailedRefusal, Refusal
from upcard.engine.round import Hand, Result, Round, Spot
from upcard.engine.terms import Terms, WagerTerms
from upcard.pit.table import Table
from upcard.reports import controls_text
from upcard.units import Basis, Cents
from upcard.wagers import DealerHandKind

# `upcard.engine` exports functions of the same names, which hide these modules.
apply_module, evolve_module, refusal_module, awaiting_module = (
    import_module(f"upcard.engine.{name}") for name in ("apply", "evolve", "command_rules", "awaiting")
)
pit = import_module("upcard.pit.table")

Mutation = Callable[[Catalog], AbstractContextManager[Catalog]]
Event = str | None


# Ways to change a rule.


def in_catalog(change: Callable[..., Catalog], *names: str, **changes: Any) -> Mutation:
    """Changes a value of a game, a wager, a jackpot plan, a layout or a paytable."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        changed = change(catalog, *names, **changes)
        with watching_values(catalog, changed):
            yield changed

    return mutation


def code(place: object, name: str, replacement: object) -> Mutation:
    """Replaces a function, property or constant in one place of the code."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        original = inspect.getattr_static(place, name)
        with mock.patch.object(place, name, watched(name, original, replacement)):
            yield catalog

    return mutation


def all_of(*mutations: Mutation) -> Mutation:
    """Several changes, all of which are needed to switch a rule off."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        if not mutations:
            yield catalog
            return
        with mutations[0](catalog) as changed, all_of(*mutations[1:])(changed) as final:
            yield final

    return mutation


def allowing(*reasons: Refusal) -> Mutation:
    """Some commands are no longer refused for these reasons."""
    reasons_of = refusal_module.reasons

    def lenient(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
        return (refused for refused in reasons_of(state, terms, command) if refused.reason not in reasons)

    return code(refusal_module, "reasons", lenient)


def forbidding(order: type) -> Mutation:
    """Every command of one kind is refused."""
    reasons_of = refusal_module.reasons

    def strict(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
        yield from reasons_of(state, terms, command)
        if isinstance(command, order):
            yield DetailedRefusal(Refusal.NOT_NOW, {"awaited": {"code": "forbidden by a mutation"}})

    return code(refusal_module, "reasons", strict)


def event_counted_as(wager: str, event_instead: Callable[[Event], Event]) -> Mutation:
    """A side wager's cards count as another event."""
    event_of = apply_module._event

    def mistaken(state: Round, wagered: WagerTerms, spot: Spot) -> Event:
        event = event_of(state, wagered, spot)
        return event_instead(event) if wagered.name == wager else event

    return code(apply_module, "_event", mistaken)


def never_wins(wager: str) -> Mutation:
    return event_counted_as(wager, lambda _: None)


def never_loses(wager: str, event: str) -> Mutation:
    return event_counted_as(wager, lambda actual: actual or event)


def mistaken_for(wager: str, event: str, other: Event) -> Mutation:
    return event_counted_as(wager, lambda actual: other if actual == event else actual)


def settled_as(result: Result, other: Result) -> Mutation:
    """A hand's result against the dealer counts as another result."""
    against = apply_module._against

    def mistaken(hand: Hand, dealer: int, state: Round) -> Result:
        actual = against(hand, dealer, state)
        return other if actual is result else actual

    return code(apply_module, "_against", mistaken)


def without_layout_rule(rule: object) -> Mutation:
    """Layouts are no longer checked for one rule."""
    kept = tuple(entry for entry in layout_checks._RULES if entry[1] is not rule)
    assert len(kept) == len(layout_checks._RULES) - 1
    return code(layout_checks, "_RULES", kept)


def with_effect(event: type, fold: Callable[[Round, Any], Round]) -> Mutation:
    """An event has another effect."""
    return code(evolve_module, "EFFECTS", {**evolve_module.EFFECTS, event: fold})


def with_terms(**changes: Any) -> Mutation:
    """The round's terms are different."""
    derive = pit.derive
    return code(pit, "derive", lambda table: replace(derive(table), **changes))


def game(number: str, **changes: Any) -> Mutation:
    return in_catalog(with_game, number, **changes)


def rules(number: str, **changes: Any) -> Mutation:
    return game(number, rules=changes)


def conduct(number: str, **changes: Any) -> Mutation:
    return game(number, conduct=changes)


def wager(number: str, name: str, **changes: Any) -> Mutation:
    return in_catalog(with_wager, number, name, **changes)


def jackpot(number: str, plan: str, **changes: Any) -> Mutation:
    return in_catalog(with_jackpot, number, plan, **changes)


def layout(slug: str, **changes: Any) -> Mutation:
    return in_catalog(with_layout, slug, **changes)


def reading(number: str, **options: str) -> Mutation:
    """A game follows another reading."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        changed = with_game(catalog, number, readings={**catalog.game(number).readings, **options})
        with watching_values(catalog, changed):
            yield changed

    return mutation


def meter_settings(slug: str, **changes: Any) -> Mutation:
    """The operator sets something else for every jackpot of a layout."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        jackpots = tuple(settings.model_copy(update=changes) for settings in catalog.layout(slug).jackpot)
        changed = with_layout(catalog, slug, jackpot=jackpots)
        with watching_values(catalog, changed):
            yield changed

    return mutation


def paying(table: str, event: str, units: int) -> Mutation:
    """One line of a paytable pays something else."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        original = catalog.paytables[table]
        lines = {
            name: original.lines.get(name) for name in original.kind.events if name in original.lines or name == event
        }
        changed = with_paytable(catalog, table, lines={**lines, event: Fixed(Fraction(units))})
        with watching_values(catalog, changed):
            yield changed

    return mutation


def on_basis(table: str, basis: Basis) -> Mutation:
    return in_catalog(with_paytable, table, basis=basis)


def with_decks(table: str, *decks: int) -> Mutation:
    return in_catalog(with_paytable, table, decks=decks)


def amount(slug: str, name: str, cents: int) -> Mutation:
    """A jackpot wager of another fixed amount."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        changed = with_layout(catalog, slug, wager=offering(catalog.layout(slug), name, amount=Cents(cents)))
        with watching_values(catalog, changed):
            yield changed

    return mutation


# Changes of rules that are written in code.


def _to_the_right(state: Round) -> Awaiting:
    turn, place = divmod(state.cards_dealt, len(state.spots) + 1)
    if place < len(state.spots):
        return PlayerCard(state.spots[-1 - place].number, 0)
    return DealerCard("up" if turn == 0 else "hole")


def _both_cards_up(state: Round) -> Awaiting:
    place = state.cards_dealt % (len(state.spots) + 1)
    return PlayerCard(state.spots[place].number, 0) if place < len(state.spots) else DealerCard("up")


def _last_spot_first(state: Round) -> tuple[int, int] | None:
    return max(_waiting_hands(state), key=lambda waits: (waits[0], -waits[1]), default=None)


def _last_hand_first(state: Round) -> tuple[int, int] | None:
    return min(_waiting_hands(state), key=lambda waits: (waits[0], -waits[1]), default=None)


def _waiting_hands(state: Round) -> list[tuple[int, int]]:
    places = enumerate(state.spots)
    return [(place, number) for place, spot in places for number, hand in enumerate(spot.hands) if not hand.done]


def _doubled_hand_goes_on(state: Round, event: e.CardDealt) -> Round:
    after: Round = evolve_module._card(state, event)
    spots = []
    for spot in after.spots:
        hands = tuple(replace(hand, done=hand.done and not hand.doubled) for hand in spot.hands)
        spots.append(replace(spot, hands=hands))
    return replace(after, spots=tuple(spots))


def _one_spot_per_player(table: Table) -> Terms:
    terms: Terms = _DERIVE(table)
    first_spot = {player: spot for spot, player in reversed(list(table.seats.items()))}
    return replace(terms, owners={spot: player for player, spot in first_spot.items()})


def _tie_with_a_bust(hand: Hand, dealer: int, state: Round) -> Result:
    return Result.PUSH if dealer > 21 else _AGAINST(hand, dealer, state)


def _additions_are_free(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
    for refused in _REASONS(state, terms, command):
        hold = terms.holds.get(command.spot, {}) if isinstance(command, c.PlaceWager) else {}
        added = isinstance(command, c.PlaceWager) and command.wager not in hold
        if not (added and refused.reason is Refusal.FLAT_BET):
            yield refused


def not_a_main_wager(name: str) -> Mutation:
    """A Bet Bigger wager no longer plays with the hand."""
    return code(WagerTerms, "is_main", property(lambda wager: wager.role in ("main", "bigger") and wager.name != name))


_AGAINST: Callable[[Hand, int, Round], Result] = apply_module._against
_REASONS: Callable[[Round, Terms, c.Command], Iterator[DetailedRefusal]] = refusal_module.reasons
_CLASSIFY = DealerHandKind.classify
_DERIVE = pit.derive
_END_SHOE = pit._end_shoe


def _nothing_happens(state: Round, _event: object) -> Round:
    return state


DEAL_TO_THE_RIGHT = code(awaiting_module, "_next_in_deal", _to_the_right)
HOLE_CARD_UP = code(awaiting_module, "_next_in_deal", _both_cards_up)
TURNS_FROM_THE_RIGHT = code(Round, "active", property(_last_spot_first))
RIGHT_HAND_FIRST = code(Round, "active", property(_last_hand_first))
STAYING_ENDS_NOTHING = with_effect(e.HandStayed, _nothing_happens)
A_HIT_BRINGS_NOTHING = with_effect(e.HandHit, _nothing_happens)
DOUBLED_HANDS_GO_ON = with_effect(e.CardDealt, _doubled_hand_goes_on)
NOBODY_BUSTS = code(Hand, "points", property(lambda hand: min(hands.total(hand.cards)[0], 21)))
THE_HIGHER_TOTAL_LOSES = settled_as(Result.WIN, Result.LOSE)
ALL_TIE_WITH_A_BLACKJACK = settled_as(Result.DEALER_BLACKJACK, Result.PUSH)
NO_TIE_WITH_A_BLACKJACK = settled_as(Result.PUSH, Result.DEALER_BLACKJACK)
DEALER_BUST_WINS_NOTHING = code(apply_module, "_against", _tie_with_a_bust)
DECKS_ARE_NOT_VERIFIED = code(shoe, "missing_cards", lambda _deck: [])
NO_PEEK_UNDER_A_TEN = code(Round, "peek_needed", property(lambda state: state.ace_up))
NO_PEEK_UNDER_AN_ACE = code(
    Round, "peek_needed", property(lambda state: bool(state.dealer) and rank_of(state.dealer[0]) >= TEN)
)
NO_INSURANCE = code(Round, "ace_up", property(lambda _: False))
NO_BLACKJACK = code(Hand, "is_natural", property(lambda _: False))
DEALER_NEVER_DRAWS = all_of(
    code(apply_module, "dealer_must_draw", lambda *_: False),
    code(awaiting_module, "dealer_must_draw", lambda *_: False),
)
DEALER_DRAWS_FOR_HANDS_ONLY = all_of(
    *(
        code(
            place, "dealer_is_needed", lambda state, _: any(hand.is_live for spot in state.spots for hand in spot.hands)
        )
        for place in (apply_module, awaiting_module)
    )
)
ACES_COUNT_ONE = code(hands, "ACE", -1)
FACES_COUNT_MORE = code(hands, "value_of_rank", lambda rank: rank + 1)
EVERY_TABLE_GIVES_SPOTS_UP = code(pit, "derive", _one_spot_per_player)
SHOES_NEVER_END = code(pit, "_end_shoe", lambda table: (table, []))
CLOSING_IS_FORGOTTEN = code(pit, "_end_shoe", lambda table: _END_SHOE(replace(table, closing=False)))
NO_LIMITS = allowing(Refusal.BELOW_MINIMUM, Refusal.ABOVE_MAXIMUM, Refusal.NOT_IN_CHIPS)
NO_MAXIMUM = allowing(Refusal.ABOVE_MAXIMUM, Refusal.NOT_IN_CHIPS)
HELD_PLAYERS_ADD_WAGERS = code(refusal_module, "reasons", _additions_are_free)
WAGERS_AFTER_THE_DEAL = allowing(Refusal.NOT_NOW)


def _hole_card_stays_down(state: Round, event: e.HoleRevealed) -> Round:
    revealed: Round = evolve_module._revealed(state, event)
    return replace(revealed, dealer=state.dealer[:1])


THE_HOLE_CARD_STAYS_DOWN = with_effect(e.HoleRevealed, _hole_card_stays_down)
THIRTY_LOSES_NOTHING = code(
    DealerHandKind,
    "classify",
    lambda kind, dealer, _totals, listed, **spot: _CLASSIFY(kind, dealer, (), listed, **spot),
)
NO_JACKPOT_ON_THE_CONTROLS_SHEET = code(controls_text, "jackpot_sections", lambda *_: iter(()))
EVERY_LUCKY_LADIES_WAGER = shipped().layout("lucky-ladies").wager
EVERY_DOUBLE_ACTION_WAGER = shipped().layout("double-action").wager
