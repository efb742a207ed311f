"""How a rule is switched off, or turned into another, to see who notices.

A mutation gives a catalog to play with and changes, while it lasts, a rule in the game's file, a line of a paytable, or
one place of the code. Which clause is mutated how stands in `mutations`.
"""

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

from upcard.cards import TEN, rank_of, shoe
from upcard.cards import hand as hands
from upcard.catalog import shipped
from upcard.catalog.pays import Fixed
from upcard.engine import commands as c
from upcard.engine import events as e
from upcard.engine.awaiting import Awaiting, DealerCard, PlayerCard
from upcard.engine.refusal import DetailedRefusal, Refusal
from upcard.engine.round import Hand, Result, Round, Spot
from upcard.engine.terms import Terms, WagerTerms
from upcard.pit.table import Table
from upcard.units import Basis, Cents
from upcard.wagers import DealerHandKind

# The package's own names hide its modules of the same name.
applying, folding, judging, waiting = (
    import_module(f"upcard.engine.{name}") for name in ("apply", "evolve", "refusal", "awaiting")
)
pit = import_module("upcard.pit.table")

Mutation = Callable[[Catalog], AbstractContextManager[Catalog]]
Event = str | None


# What may be changed.


def file(change: Callable[..., Catalog], *names: str, **changes: Any) -> Mutation:
    """Another value in a game, a wager, a jackpot plan, a layout or a paytable."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        yield change(catalog, *names, **changes)

    return mutation


def code(place: object, name: str, other: object) -> Mutation:
    """Another function, property or constant in one place of the code."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        with mock.patch.object(place, name, other):
            yield catalog

    return mutation


def both(*mutations: Mutation) -> Mutation:
    """Several changes that only together switch a rule off."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        if not mutations:
            yield catalog
            return
        with mutations[0](catalog) as changed, both(*mutations[1:])(changed) as last:
            yield last

    return mutation


def allowing(*reasons: Refusal) -> Mutation:
    """The judge forgets some reasons to refuse."""
    reasons_of = judging._reasons

    def lenient(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
        return (one for one in reasons_of(state, terms, command) if one.reason not in reasons)

    return code(judging, "_reasons", lenient)


def forbidding(order: type) -> Mutation:
    """The judge refuses a whole kind of command."""
    reasons_of = judging._reasons

    def strict(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
        yield from reasons_of(state, terms, command)
        if isinstance(command, order):
            yield DetailedRefusal(Refusal.NOT_NOW, {"awaited": {"code": "forbidden by a mutation"}})

    return code(judging, "_reasons", strict)


def calling(wager: str, other: Callable[[Event], Event]) -> Mutation:
    """A side wager's cards are taken for another event."""
    event_of = applying._event

    def mistaken(state: Round, terms: Terms, wagered: WagerTerms, spot: Spot) -> Event:
        event = event_of(state, terms, wagered, spot)
        return other(event) if wagered.name == wager else event

    return code(applying, "_event", mistaken)


def never_wins(wager: str) -> Mutation:
    return calling(wager, lambda _: None)


def never_loses(wager: str, event: str) -> Mutation:
    return calling(wager, lambda found: found or event)


def taken_for(wager: str, event: str, other: Event) -> Mutation:
    return calling(wager, lambda found: other if found == event else found)


def settled_as(result: Result, other: Result) -> Mutation:
    """A hand's end against the dealer is taken for another."""
    against = applying._against

    def mistaken(hand: Hand, dealer: int, state: Round) -> Result:
        found = against(hand, dealer, state)
        return other if found is result else found

    return code(applying, "_against", mistaken)


def folded(event: type, fold: Callable[[Round, Any], Round]) -> Mutation:
    """An event has another effect."""
    return code(folding, "_FOLDS", {**folding._FOLDS, event: fold})


def under_terms(**changes: Any) -> Mutation:
    """The round's terms say something else."""
    derive = pit.derive
    return code(pit, "derive", lambda table: replace(derive(table), **changes))


def game(number: str, **changes: Any) -> Mutation:
    return file(with_game, number, **changes)


def rules(number: str, **changes: Any) -> Mutation:
    return game(number, rules=changes)


def conduct(number: str, **changes: Any) -> Mutation:
    return game(number, conduct=changes)


def wager(number: str, name: str, **changes: Any) -> Mutation:
    return file(with_wager, number, name, **changes)


def jackpot(number: str, plan: str, **changes: Any) -> Mutation:
    return file(with_jackpot, number, plan, **changes)


def layout(slug: str, **changes: Any) -> Mutation:
    return file(with_layout, slug, **changes)


def paying(table: str, event: str, units: int) -> Mutation:
    """One line of a paytable pays something else."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        found = catalog.paytables[table]
        lines = {name: found.lines.get(name) for name in found.kind.events if name in found.lines or name == event}
        yield with_paytable(catalog, table, lines={**lines, event: Fixed(Fraction(units))})

    return mutation


def on_basis(table: str, basis: Basis) -> Mutation:
    return file(with_paytable, table, basis=basis)


def with_decks(table: str, *decks: int) -> Mutation:
    return file(with_paytable, table, decks=decks)


def amount(slug: str, name: str, cents: int) -> Mutation:
    """A jackpot wager of another fixed amount."""

    @contextmanager
    def mutation(catalog: Catalog) -> Iterator[Catalog]:
        yield with_layout(catalog, slug, wager=offering(catalog.layout(slug), name, amount=Cents(cents)))

    return mutation


# Rules that are written in code, turned over.


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
    after: Round = folding._card(state, event)
    spots = []
    for spot in after.spots:
        hands = tuple(replace(hand, done=hand.done and not hand.doubled) for hand in spot.hands)
        spots.append(replace(spot, hands=hands))
    return replace(after, spots=tuple(spots))


def _one_spot_a_player(table: Table) -> Terms:
    terms: Terms = _DERIVE(table)
    first = {player: spot for spot, player in reversed(list(table.seats.items()))}
    return replace(terms, owners={spot: player for player, spot in first.items()})


def _tie_with_a_bust(hand: Hand, dealer: int, state: Round) -> Result:
    return Result.PUSH if dealer > 21 else _AGAINST(hand, dealer, state)


def _additions_are_free(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
    for one in _REASONS(state, terms, command):
        held = terms.holds.get(command.spot, {}) if isinstance(command, c.PlaceWager) else {}
        added = isinstance(command, c.PlaceWager) and command.wager not in held
        if not (added and one.reason is Refusal.FLAT_BET):
            yield one


def fares_alone(name: str) -> Mutation:
    """A Bet Bigger wager no longer plays with the hand."""
    return code(WagerTerms, "is_main", property(lambda one: one.role in ("main", "bigger") and one.name != name))


_AGAINST: Callable[[Hand, int, Round], Result] = applying._against
_REASONS: Callable[[Round, Terms, c.Command], Iterator[DetailedRefusal]] = judging._reasons
_CLASSIFY = DealerHandKind.classify
_DERIVE = pit.derive
_END_SHOE = pit._end_shoe


def _nothing_happens(state: Round, _event: object) -> Round:
    return state


DEAL_TO_THE_RIGHT = code(waiting, "_next_in_deal", _to_the_right)
HOLE_CARD_UP = code(waiting, "_next_in_deal", _both_cards_up)
TURNS_FROM_THE_RIGHT = code(Round, "active", property(_last_spot_first))
RIGHT_HAND_FIRST = code(Round, "active", property(_last_hand_first))
STAYING_ENDS_NOTHING = folded(e.HandStayed, _nothing_happens)
A_HIT_BRINGS_NOTHING = folded(e.HandHit, _nothing_happens)
DOUBLED_HANDS_GO_ON = folded(e.CardDealt, _doubled_hand_goes_on)
NOBODY_BUSTS = code(Hand, "points", property(lambda hand: min(hands.total(hand.cards)[0], 21)))
THE_HIGHER_TOTAL_LOSES = settled_as(Result.WIN, Result.LOSE)
ALL_TIE_WITH_A_BLACKJACK = settled_as(Result.DEALER_BLACKJACK, Result.PUSH)
NO_TIE_WITH_A_BLACKJACK = settled_as(Result.PUSH, Result.DEALER_BLACKJACK)
DEALER_BUST_WINS_NOTHING = code(applying, "_against", _tie_with_a_bust)
DECKS_ARE_NOT_VERIFIED = code(shoe, "missing_cards", lambda _deck: [])
NO_PEEK_UNDER_A_TEN = code(Round, "peek_needed", property(lambda state: state.ace_up))
NO_PEEK_UNDER_AN_ACE = code(
    Round, "peek_needed", property(lambda state: bool(state.dealer) and rank_of(state.dealer[0]) >= TEN)
)
NO_INSURANCE = code(Round, "ace_up", property(lambda _: False))
NO_BLACKJACK = code(Hand, "is_natural", property(lambda _: False))
DEALER_NEVER_DRAWS = both(
    code(applying, "dealer_must_draw", lambda *_: False), code(waiting, "dealer_must_draw", lambda *_: False)
)
DEALER_DRAWS_FOR_HANDS_ONLY = both(
    *(
        code(place, "dealer_is_needed", lambda state, _: any(h.is_live for one in state.spots for h in one.hands))
        for place in (applying, waiting)
    )
)
ACES_COUNT_ONE = code(hands, "ACE", -1)
FACES_COUNT_MORE = code(hands, "value_of_rank", lambda rank: rank + 1)
EVERY_TABLE_GIVES_SPOTS_UP = code(pit, "derive", _one_spot_a_player)
SHOES_NEVER_END = code(pit, "_end_shoe", lambda table: (table, []))
CLOSING_IS_FORGOTTEN = code(pit, "_end_shoe", lambda table: _END_SHOE(replace(table, closing=False)))
NO_LIMITS = allowing(Refusal.BELOW_MINIMUM, Refusal.ABOVE_MAXIMUM, Refusal.NOT_IN_CHIPS)
NO_MAXIMUM = allowing(Refusal.ABOVE_MAXIMUM, Refusal.NOT_IN_CHIPS)
HELD_PLAYERS_ADD_WAGERS = code(judging, "_reasons", _additions_are_free)
WAGERS_AFTER_THE_DEAL = allowing(Refusal.NOT_NOW)


def _hole_card_stays_down(state: Round, event: e.HoleRevealed) -> Round:
    revealed: Round = folding._revealed(state, event)
    return replace(revealed, dealer=state.dealer[:1])


THE_HOLE_CARD_STAYS_DOWN = folded(e.HoleRevealed, _hole_card_stays_down)
THIRTY_LOSES_NOTHING = code(
    DealerHandKind, "classify", lambda kind, dealer, _totals, listed: _CLASSIFY(kind, dealer, (), listed)
)
EVERY_LUCKY_LADIES_WAGER = shipped().layout("lucky-ladies").wager
EVERY_DOUBLE_ACTION_WAGER = shipped().layout("double-action").wager
