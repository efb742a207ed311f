"""The dealer's hands by the marks of their cards, for wagers on them: what a running count tells about them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import factorial

from upcard.cards import suit_of, value_of_rank
from upcard.odds.composition import Mix
from upcard.odds.dealer import ACE_VALUE, TEN_VALUE, VALUES, falling
from upcard.odds.dealer_hands import UP_NAMES, DealerTerms, hands_of, highest_event
from upcard.problems import BadRequest
from upcard.wagers.deal_counts import Tally
from upcard.wagers.kind import DealerFeature, DealerHandKind

Ways = dict[Mix, int]
Copies = tuple[tuple[tuple[int, int], ...], ...]  # by value: marks, and how many cards of each


def tally_marked_dealer(
    kind: DealerHandKind, listed: Sequence[str], decks: int, marks: Sequence[int], terms: DealerTerms
) -> dict[str, dict[Mix, Tally]]:
    """A full shoe's hands by up card and by the marks of their cards; `marks` has one for each of the 52 cards.

    The number of deals follows from two cards, the up card and the hole card: they decide whether the wager is offered.
    """
    if kind.reads_player_blackjack:
        raise BadRequest(f"{kind.title} depends on the player's blackjack too, so it is not priced by count")
    every_suit = _copies(decks, marks, range(4))
    suits = Counter(_copies(decks, marks, (suit,)) for suit in range(4))
    events: dict[tuple[int, Mix], dict[str, int]] = defaultdict(lambda: dict.fromkeys(listed, 0))
    for ending in hands_of(kind, terms):
        suited: Ways = defaultdict(int)
        for copies, times in suits.items():
            for mix, ways in _hand(copies, ending.drawn).items():
                suited[mix] += times * ways
        for mix, ways in _hand(every_suit, ending.drawn).items():
            for up, orders in ending.orders:
                for is_suited, count in ((True, suited.get(mix, 0)), (False, ways - suited.get(mix, 0))):
                    feature = DealerFeature(
                        up_rank=up,
                        cards=ending.cards,
                        total=ending.total,
                        suited=is_suited,
                        three_eights=ending.three_eights,
                    )
                    event = highest_event(kind, listed, feature)
                    if event is not None and count:
                        events[up, mix][event] += orders * count
    deals: dict[tuple[int, Mix], int] = defaultdict(int)
    for up, hole in product(range(VALUES), repeat=2):
        if not (terms.after_peek and {up, hole} == {ACE_VALUE, TEN_VALUE}):
            for mix, ways in _hand(every_suit, tuple(Counter((up, hole)).items())).items():
                deals[up, mix] += ways
    tallies: dict[str, dict[Mix, Tally]] = {name: {} for name in UP_NAMES}
    for up, mix in events.keys() | deals.keys():
        by_event = events.get((up, mix)) or dict.fromkeys(listed, 0)
        tallies[UP_NAMES[up]][mix] = Tally(deals.get((up, mix), 0), by_event)
    return tallies


def _copies(decks: int, marks: Sequence[int], suits: Sequence[int]) -> Copies:
    by_value: list[Counter[int]] = [Counter() for _ in range(VALUES)]
    for card, mark in enumerate(marks):
        if suit_of(card) in suits:
            by_value[value_of_rank(card >> 2) - 1][mark] += decks
    return tuple(tuple(sorted(copies.items())) for copies in by_value)


@lru_cache(maxsize=100_000)
def _hand(copies: Copies, drawn: tuple[tuple[int, int], ...]) -> Mapping[Mix, int]:
    """By marks: the ways to take these values in one given order; each value and how many of it."""
    if not drawn:
        return {(): 1}
    value, count = drawn[-1]
    ways: Ways = defaultdict(int)
    for mix, ways_before in _hand(copies, drawn[:-1]).items():
        for more, ways_more in _of_value(copies[value], count).items():
            ways[tuple(sorted((*mix, *more)))] += ways_before * ways_more
    return {mix: number for mix, number in ways.items() if number}


@lru_cache(maxsize=4096)
def _of_value(copies: tuple[tuple[int, int], ...], count: int) -> Mapping[Mix, int]:
    """By marks: the ways to take so many cards of one value in order."""
    if not copies:
        return {} if count else {(): 1}
    (mark, cards), *others = copies
    ways: Ways = defaultdict(int)
    for taken in range(count + 1):
        orders = factorial(count) // (factorial(taken) * factorial(count - taken))
        for mix, rest in _of_value(tuple(others), count - taken).items():
            ways[tuple(sorted((mark,) * taken + mix))] += orders * falling(cards, taken) * rest
    return ways
