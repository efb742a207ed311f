"""The main game as automata over ranks. The engine says what is allowed, the chart what to do."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from upcard.cards import ACE, Card, card, value_of_rank
from upcard.cards.hand import total
from upcard.engine import commands as c
from upcard.engine.awaiting import dealer_must_draw
from upcard.engine.command_rules import Refusal, refusal
from upcard.engine.round import Hand, Phase, Round, Spot
from upcard.engine.terms import Terms
from upcard.sim import kernel as k
from upcard.sim.kernel import Bytes, GameArrays
from upcard.strategy.chart import Chart, Letter
from upcard.units import Cents

RANKS = 13
STATES = 64
BUSTED = 22  # any bust of the dealer
SOFT = 32  # soft totals follow the hard ones
LITERAL = 42  # then those of a dealer who hits until the hand is hard (R1)
MOST_POINTS = 31  # of a hand, aces counted one: a ten on twenty-one
WANTED = {
    Letter.HIT: (k.HIT,),
    Letter.STAND: (k.STAND,),
    Letter.DOUBLE_OR_HIT: (k.DOUBLE, k.HIT),
    Letter.DOUBLE_OR_STAND: (k.DOUBLE,),
    Letter.SPLIT: (k.SPLIT,),
    Letter.SURRENDER_OR_HIT: (k.SURRENDER, k.HIT),
    Letter.SURRENDER_OR_STAND: (k.SURRENDER,),
    Letter.SURRENDER_OR_SPLIT: (k.SURRENDER, k.SPLIT),
}


def game_arrays(terms: Terms, chart: Chart, *, spots: int, cut: int, fresh: bool, forfeit: int | None) -> GameArrays:
    """The arrays of a game under a chart; `forfeit` is the total that loses a wager on the dealer's hand."""
    return GameArrays(
        seats=tuple(range(spots)),
        hands=terms.rules.hands,
        cut=0 if fresh else cut,
        ahead=2 * spots if fresh else 8 + 4 * spots,
        most_cards=_most_cards(spots * terms.rules.hands + 1, terms.decks),
        tables=_tables(terms, chart, forfeit),
    )


def _most_cards(hands: int, decks: int) -> int:
    """More cards than so many hands can take together, even of the smallest cards in the shoe."""
    points, cards = hands * MOST_POINTS, 0
    for rank in range(RANKS):
        drawn = min(4 * decks, points // value_of_rank(rank))
        points -= drawn * value_of_rank(rank)
        cards += drawn
    return cards + 1


def _tables(terms: Terms, chart: Chart, forfeit: int | None) -> Bytes:
    states = range(STATES)
    special = _bytes(_unsplit(terms, chart))
    tables = np.zeros(k.TABLE_BYTES, dtype=np.uint8)
    for place, values in (
        (k.VALUE, _bytes(value_of_rank(rank) - 1 for rank in range(RANKS))),
        (k.INSURABLE, _bytes(Round(dealer=(card(rank, 0),)).ace_up for rank in range(RANKS))),
        (k.TWO, _bytes(_state(*total(pair)) for pair in _pairs())),
        (k.FIRST, np.minimum(special, k.DOUBLE)),
        (k.SPECIAL, special),
        (k.SPLIT_ACT, _bytes(_after_split(terms, chart))),
        (k.POINTS, _bytes(_points(state) for state in states)),
        (k.FORFEITS, _bytes(state == forfeit for state in states)),
        (k.DEALER_TWO, _bytes(_dealer_two(terms))),
        (k.DEALER_STEP, _dealer_steps(terms)),
        (k.DEALER_POINTS, _bytes(1 if state == BUSTED else _dealer_points(state) for state in states)),
        (k.OUTCOME, _outcomes()),
        (k.STEP, _steps(chart)),
    ):
        tables[place : place + len(values)] = values
    return tables


def _outcomes() -> Bytes:
    """[end, dealer's points] the result of a spot that was not split."""
    results = np.zeros((2 * STATES, 32), dtype=np.uint8)
    for state, score in product(_live_states(), range(32)):
        points = _points(state)
        results[state, score] = k.LOSE + (points >= score) + (points > score)
        results[state | k.DOUBLED, score] = results[state, score]
    results[k.DOUBLED :] += k.TWICE
    results[k.END_PAID_NATURAL] = k.PAID_NATURAL
    results[k.END_PUSHED_NATURAL] = k.PUSHED_NATURAL
    results[k.END_DEALER_NATURAL] = k.DEALER_NATURAL
    results[k.END_SURRENDERED] = k.SURRENDERED
    results[k.END_SPLIT] = k.SPLITS
    return results.ravel()


def _bytes(values: Iterator[int] | Iterator[bool] | Sequence[int]) -> Bytes:
    return np.array(list(values), dtype=np.uint8)


def _pairs() -> Iterator[tuple[Card, Card]]:
    for first, second in product(range(RANKS), repeat=2):
        yield card(first, 0), card(second, 1)


def _state(points: int, soft: bool) -> int:
    return SOFT + points - 12 if soft else points


def _cards(state: int) -> list[Card]:
    """Example cards for a player's state."""
    if state >= SOFT:
        return [card(ACE, 0), card(state - SOFT, 0)]
    parts, rest = [], state
    while rest > 10:
        parts.append(min(10, rest - 2))
        rest -= parts[-1]
    return [card(value - 1, 0) for value in (*parts, rest)]


def _live_states() -> Iterator[int]:
    yield from range(2, 22)
    yield from range(SOFT, LITERAL)


def _points(state: int) -> int:
    if state in set(_live_states()):
        return total(_cards(state))[0]
    return 0


def _steps(chart: Chart) -> Bytes:
    """[up, state, rank]."""
    steps = np.zeros((k.UPS, STATES, k.WIDTH), dtype=np.uint8)
    for state, rank in product(_live_states(), range(RANKS)):
        points, soft = total([*_cards(state), card(rank, 0)])
        for up in range(k.UPS):
            hits = points <= 21 and not chart.look_up(points, soft=soft, up_value=up + 1).stands
            steps[up, state, rank] = _state(points, soft) | (k.AGAIN if hits else 0)
    return steps.ravel()


def _unsplit(terms: Terms, chart: Chart) -> Iterator[int]:
    """[rank, rank, up]."""
    for pair in _pairs():
        hand = Hand(cards=pair, stakes={terms.main.name: terms.main.step})
        yield from _acts(terms, chart, hand, hands=1)


def _after_split(terms: Terms, chart: Chart) -> Iterator[int]:
    """[more hands may be made, rank, rank, up]."""
    for hands in (terms.rules.hands, 2):
        for pair in _pairs():
            hand = Hand(cards=pair, stakes={terms.main.name: terms.main.step}, split=True)
            yield from _acts(terms, chart, hand, hands=hands)


def _acts(terms: Terms, chart: Chart, hand: Hand, *, hands: int) -> Iterator[int]:
    """The chart's action with two cards against each up card."""
    if hand.is_natural:
        yield from [k.NATURAL] * k.UPS
        return
    reasons = {act: _refused(terms, hand, hands, act) for act in (k.HIT, k.DOUBLE, k.SPLIT, k.SURRENDER)}
    allowed = {act for act, reason in reasons.items() if reason is None}
    if reasons[k.HIT] is Refusal.SPLIT_ACES_GET_ONE_CARD and k.SPLIT not in allowed:
        yield from [k.ALONE] * k.UPS
        return
    points, soft = total(hand.cards)
    pair = value_of_rank(hand.cards[0] >> 2) if k.SPLIT in allowed else None
    for up in range(k.UPS):
        letter = chart.look_up(points, soft=soft, up_value=up + 1, pair_value=pair)
        yield next((act for act in WANTED[letter] if act in allowed), k.STAND)


def _refused(terms: Terms, hand: Hand, hands: int, act: int) -> Refusal | None:
    """Why the engine refuses an action on the first of so many hands; None if it is allowed."""
    other_hands = tuple(Hand(cards=hand.cards, stakes=hand.stakes, split=True, done=True) for _ in range(hands - 1))
    spot = Spot(number=1, player="", wagers=hand.stakes, hands=(hand, *other_hands), first_cards=hand.cards)
    state = Round(phase=Phase.PLAY, main_wagers=tuple(hand.stakes), spots=(spot,), dealer=(card(1, 2), card(1, 3)))
    stakes = tuple((name, Cents(amount)) for name, amount in hand.stakes.items())
    orders: dict[int, c.Command] = {
        k.HIT: c.Hit(1),
        k.DOUBLE: c.Double(1, stakes),
        k.SPLIT: c.Split(1),
        k.SURRENDER: c.Surrender(1),
    }
    refused = refusal(state, terms, orders[act])
    return None if refused is None else refused.reason


def _dealer_two(terms: Terms) -> Iterator[int]:
    """[up, hole]."""
    for pair in _pairs():
        if Round(dealer=pair).dealer_natural:
            yield _state(*total(pair)) | k.BLACKJACK
        else:
            yield _dealer_state(terms, list(pair), literal=False)


def _dealer_steps(terms: Terms) -> Bytes:
    """[state, rank]."""
    steps = np.zeros((STATES, k.WIDTH), dtype=np.uint8)
    for state, rank in product((*_live_states(), *range(LITERAL, LITERAL + 10)), range(RANKS)):
        cards = _cards(state - 10 if state >= LITERAL else state)
        steps[state, rank] = _dealer_state(terms, [*cards, card(rank, 0)], literal=state >= LITERAL)
    return steps.ravel()


def _dealer_state(terms: Terms, cards: list[Card], *, literal: bool) -> int:
    points, soft = total(cards)
    if points > 21:
        return BUSTED
    literal = literal or (terms.rules.soft17 == "until_hard" and (points, soft) == (17, True))
    draws = dealer_must_draw(Round(dealer=tuple(cards), hits_until_hard=literal), terms)
    state = _state(points, soft) + (10 if literal and soft else 0)
    return state | (k.AGAIN if draws else 0)


def _dealer_points(state: int) -> int:
    return _points(state - 10 if LITERAL <= state < LITERAL + 10 else state)
