"""Break Bonus and Bust Bonus where they are lost with the player's hand (R6, "lost"): what that costs the wager.

The wager is lost when its spot has no hand left against the dealer: bust, surrendered or blackjack; after a split, when
the last hand is gone (decision 014). Only rounds in which the dealer busts count: the wager loses the others anyway.

Every order of the cards is equally likely, and a chart looks at the player's own cards and the up card. So the
chance of a lost hand and a dealer's ending together is the number of orders of each, times falling factorials of the
shoe; a dealer blackjack is not a bust, so the peek does not matter. Two hands that both bust are a sum over the
cards of both, exact too. With three or four, each two of them depend on each other exactly as two hands do, and
higher-order effects are left out (`_together`): sums over all their cards would take too long.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from itertools import combinations

import numpy as np

from upcard.cards import rank_of
from upcard.catalog.paytable import Paytable
from upcard.odds.dealer import VALUES, falling
from upcard.odds.dealer_hands import bust_returns
from upcard.odds.main import kernel
from upcard.odds.main.chart_play import LETTERS, ChartPlay, cells, letter_acts
from upcard.odds.main.hand_tables import DealerTree, Floats, Ints, counts_of, hands, key_of, tree_of
from upcard.odds.main.kernel import DOUBLE, HIT
from upcard.odds.main.position import ACE, NATURAL, PAIRS, TEN, Bools
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import MainRules
from upcard.odds.main.solve import solve
from upcard.problems import BadRequest
from upcard.wagers import DealerHandKind

_MOST = 100  # more cards than all hands of a round can have

Busts = tuple[tuple[tuple[int, ...], tuple[float, ...]], ...]  # cards by value, and the return for each up card
Orders = Mapping[int, int]  # cards, as the key of a hand, and in how many orders they come


@dataclass(frozen=True, slots=True, kw_only=True)
class LostReturn:
    """What a unit staked no longer returns per round, by how the spot lost its last hand."""

    bust: float
    split: float  # every hand of a split has bust
    surrender: float
    blackjack: float

    @property
    def total(self) -> float:
        return sum(self.parts.values())

    @property
    def parts(self) -> dict[str, float]:
        return {part.name: getattr(self, part.name) for part in fields(self)}


def lost_return(table: Paytable, shoe: Sequence[int], rules: MainRules, power: int = 1) -> LostReturn:
    """Of all rounds from a shoe given as copies of each of the 52 cards, played by the best chart of these rules.

    `power` 2 sums the squares of the returns."""
    kind = table.kind
    if isinstance(kind, DealerHandKind) and (not kind.only_busts or kind.reads_player_blackjack):
        raise BadRequest(
            f"{table.name} can win without a bust of the dealer, or depends on the player's blackjack: such a wager is "
            "not priced as lost with the hand (R6); simulate it"
        )
    ranks = [0] * 13
    for card, copies in enumerate(shoe):
        ranks[rank_of(card)] += copies
    busts = tuple((counts, tuple(returns)) for counts, returns in bust_returns(table, shoe, rules.soft17, power))
    return _lost_return(busts, tuple(ranks), rules)


@lru_cache(maxsize=32)  # the same wager is priced beside the game, beside its paytable and in reports
def _lost_return(busts: Busts, ranks: tuple[int, ...], rules: MainRules) -> LostReturn:
    chart_play = solve(RankShoe(ranks), rules).best_chart
    if chart_play.splits[TEN].any() and rules.split == "rank":
        raise BadRequest(
            "R6 cannot be priced here: the best chart splits tens, and the rules pair tens by printed rank"
        )
    sums = dict.fromkeys((part.name for part in fields(LostReturn)), 0.0)
    for up in np.flatnonzero(chart_play.position.shoe.values).tolist():
        endings = [
            (counts, 0, [back[up] * (value == up) for value in range(VALUES)]) for counts, back in busts if back[up]
        ]
        if endings:
            for cause, amount in _against(
                chart_play, up, _BonusReturn(chart_play.position.shoe.values, up, tree_of(endings))
            ):
                sums[cause] += amount
    return LostReturn(**sums)


@dataclass(frozen=True)
class _BonusReturn:
    """What the wager returns against one up card, by the cards gone from the shoe."""

    shoe: Ints
    up: int
    tree: DealerTree  # the dealer's busts, each weighted by what it returns

    @cached_property
    def ways(self) -> Floats:
        """[value, cards] in how many ways so many cards of a value come."""
        return np.array(
            [[falling(count, cards) for cards in range(_MOST)] for count in self.shoe.tolist()], dtype=float
        )

    @cached_property
    def every(self) -> Floats:
        """[cards] in how many ways so many cards come."""
        return np.array([falling(int(self.shoe.sum()), cards) for cards in range(_MOST)], dtype=float)

    def of(self, player_cards: Orders, more: int = 0) -> float:
        """The mean return in rounds that begin with these cards of the player and `more` like them, all else a loss."""
        if not player_cards:
            return 0.0
        keys = np.fromiter(player_cards.keys(), dtype=np.int64, count=len(player_cards))
        return float(
            self.each(keys, more) @ np.fromiter(player_cards.values(), dtype=np.float64, count=len(player_cards))
        )

    def each(self, keys: Ints, more: int = 0) -> Floats:
        """[key] the same for cards in one order."""
        counts = counts_of(keys + more)
        returns = np.zeros(len(keys))
        left = self.shoe - counts
        possible = np.flatnonzero((left >= 0).all(axis=1) & (left[:, self.up] > 0))
        counts = counts[possible]
        chances = kernel.dealer_chances(self.shoe, counts, self.tree)[:, self.up, 0]
        ways = self.ways[np.arange(VALUES), counts].prod(axis=1)
        ways *= left[possible, self.up] / self.every[counts.sum(axis=1) + 1]
        returns[possible] = ways * chances
        return returns


def _against(chart_play: ChartPlay, up: int, back: _BonusReturn) -> Iterator[tuple[str, float]]:
    """Every way to have no hand left against an up card, and the return lost by it."""
    position, table = chart_play.position, hands()
    surrendered, splits = _surrendered(chart_play)[:, up], chart_play.splits[:, up] > 0
    actions = chart_play.play.actions[:, up].copy()
    pairs = position.two[PAIRS]
    actions[pairs] = letter_acts(chart_play.pairs, position.may_double[pairs])[:, up]
    first = {int(hand): 2 - int(place in PAIRS) for place, hand in enumerate(position.two)}  # a pair comes in one order
    natural = int(position.two[NATURAL])
    yield "blackjack", back.of({int(table.keys[natural]): first.pop(natural)})
    surrendered_hands = [hand for hand, gives_up in zip(position.two.tolist(), surrendered, strict=True) if gives_up]
    yield "surrender", back.of({int(table.keys[hand]): first.pop(hand) for hand in surrendered_hands if hand in first})
    for value in np.flatnonzero(splits).tolist():
        if first.pop(int(pairs[value]), None):
            most_hands = position.rules.hands if value != ACE or position.rules.resplit_aces else 2
            acted = chart_play.play.split_actions if value != ACE else chart_play.play.aces_actions
            yield "split", _split(value, acted[:, up].tolist(), most_hands, back)
    yield "bust", back.of(_busts(first, actions.tolist()))


def _surrendered(chart_play: ChartPlay) -> Bools:
    """[55, up card] the two-card hands that surrender, pairs by their own row."""
    position = chart_play.position
    letters = chart_play.totals[cells(position.hands)[position.two]]
    surrenders: Bools = _SURRENDERS[letters]
    surrenders[PAIRS] = chart_play.surrenders_pair > 0
    return surrenders & np.isfinite(position.surrender)


def _busts(start: Mapping[int, int], actions: Sequence[int]) -> Orders:
    """All cards of every bust hand, from hands of two cards and their orders."""
    keys, after = _plain_hands()
    reached: dict[int, int] = defaultdict(int, start)
    busts: dict[int, int] = defaultdict(int)
    for hand, key in enumerate(keys):
        orders = reached.get(hand, 0)
        if not orders or actions[hand] not in (HIT, DOUBLE):
            continue
        for value, then in enumerate(after[hand]):
            if then < 0:
                busts[key + key_of(value)] += orders
            elif actions[hand] == HIT:
                reached[then] += orders
    return busts


def _split(value: int, actions: Sequence[int], most_hands: int, back: _BonusReturn) -> float:
    """The return lost by a split pair whose hands all bust."""
    second, card = hands().pair[value].tolist(), key_of(value)
    other_rank = _busts({hand: 1 for rank, hand in enumerate(second) if rank != value}, actions)
    pair = _busts({second[value]: 1}, actions)
    bags = {True: other_rank, False: {key: other_rank.get(key, 0) + pair.get(key, 0) for key in {*other_rank, *pair}}}
    if not bags[False]:
        return 0.0
    keys, orders = _two_hands(bags)
    sums = 0.0
    for count in range(2, most_hands + 1):
        certain = back.of({count * card: 1})
        one_busts = {closed: back.of(bag, (count - 1) * card) for closed, bag in bags.items()}
        if certain:
            returns = back.each(keys, (count - 2) * card)
            both_bust = {sorts: float(returns @ ways) for sorts, ways in orders.items()}
            sums += sum(
                ways * _together(count, closed, certain, one_busts, both_bust)
                for closed, ways in _split_ends(most_hands)[count]
            )
    return sums


def _together(
    count: int,
    closed: int,
    certain: float,
    one_busts: Mapping[bool, float],
    both_bust: Mapping[tuple[bool, bool], float],
) -> float:
    """The return lost when so many hands all bust, `closed` of them having drawn a second card of another rank.

    `certain` is the return whatever the hands do, `one_busts` where a given hand busts and `both_bust` where two do.
    Exact for two hands. With more, each hand counts as independent, corrected pair by pair for how two go together.
    """
    sorts = [True] * closed + [False] * (count - closed)
    if not all(one_busts[is_closed] for is_closed in sorts):
        return 0.0
    result = certain
    for is_closed in sorts:
        result *= one_busts[is_closed] / certain
    for first, second in combinations(sorts, 2):
        result *= both_bust[first, second] * certain / (one_busts[first] * one_busts[second])
    return result


def _two_hands(bags: Mapping[bool, Orders]) -> tuple[Ints, dict[tuple[bool, bool], Floats]]:
    """The cards of any two bust hands together, and in how many orders they come, by whether each drew another rank."""
    single = np.array(list(bags[False]), dtype=np.int64)
    orders = {
        is_closed: np.array([bag.get(int(key), 0) for key in single], dtype=np.float64)
        for is_closed, bag in bags.items()
    }
    keys, place = np.unique(np.add.outer(single, single).ravel(), return_inverse=True)
    return keys, {
        (first, second): np.bincount(place, np.outer(orders[first], orders[second]).ravel()).astype(np.float64)
        for first, second in ((True, True), (True, False), (False, False))
    }


@cache
def _split_ends(most_hands: int) -> Mapping[int, Sequence[tuple[int, int]]]:
    """By number of hands: how many had been closed by another rank before the last pair card came, in how many ways."""
    ways: dict[tuple[int, int], int] = defaultdict(int, {(2, 0): 1})
    ends: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for count in range(2, most_hands + 1):
        for closed in range(count + 1):
            count_ways = ways[count, closed]
            if count == most_hands or closed == count:
                ends[count].append((closed, count_ways))
            else:
                ways[count + 1, closed] += count_ways
                ways[count, closed + 1] += count_ways
    return ends


@cache
def _plain_hands() -> tuple[list[int], list[list[int]]]:
    """Keys and successors of all hands, as plain numbers."""
    return hands().keys.tolist(), hands().after.tolist()


_SURRENDERS = np.array([letter.surrenders for letter in LETTERS])
