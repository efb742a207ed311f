"""Break Bonus and Bust Bonus where they are lost with the player's hand (R6, "lost"): what that takes from the wager.

The wager goes when its spot has no hand left against the dealer: bust, surrendered, or a blackjack; after a split,
with the last of the hands (decision 014). Only rounds in which the dealer busts count, for others lose it anyhow.

Every card order is as likely as any other, and a player by a chart looks at his own cards and the up card. So the
chance of a lost hand and a dealer's ending together is the number of orders of each, times falling factorials of the
shoe; a dealer's blackjack is no bust, so the peek takes no part in it. Two hands that both bust are a sum over the
cards of both, exact too. With three or four, any two of them hang on each other exactly as two do, and a third adds
nothing of its own to that (`_together`): sums over all their cards would be too long.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
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

_MOST = 100  # more cards than all hands of a round can have

Orders = Mapping[int, int]  # cards, as the key of a hand, and in how many orders they come


@dataclass(frozen=True, slots=True, kw_only=True)
class LostReturn:
    """What a unit staked would have brought back and does not, a round, by how the spot came to have no hand."""

    bust: float
    split: float  # every hand of a split has bust
    surrender: float
    blackjack: float

    @property
    def total(self) -> float:
        """All together."""
        return sum(self.parts.values())

    @property
    def parts(self) -> dict[str, float]:
        """Each by its name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}


def lost_return(table: Paytable, shoe: Sequence[int], rules: MainRules) -> LostReturn:
    """Of all rounds from a shoe given as copies of each of the 52 cards, played by the best chart of these rules."""
    ranks = [0] * 13
    for one, copies in enumerate(shoe):
        ranks[rank_of(one)] += copies
    played = solve(RankShoe(tuple(ranks)), rules).best_chart
    if played.splits[TEN].any() and rules.split == "rank":
        raise BadRequest("the best chart splits tens here, and which tens make a pair is not followed (R6)")
    ends = list(bust_returns(table, shoe, rules.soft17))
    sums = dict.fromkeys((part.name for part in fields(LostReturn)), 0.0)
    for up in np.flatnonzero(played.position.shoe.values).tolist():
        own = [(counts, 0, [back[up] * (one == up) for one in range(VALUES)]) for counts, back in ends if back[up]]
        if own:
            for why, brought in _against(played, up, _BonusReturn(played.position.shoe.values, up, tree_of(own))):
                sums[why] += brought
    return LostReturn(**sums)


@dataclass(frozen=True)
class _BonusReturn:
    """What the wager brings back against one up card, by which cards are gone."""

    shoe: Ints
    up: int
    tree: DealerTree  # the dealer's busts, each weighed by what it brings back

    @cached_property
    def ways(self) -> Floats:
        """[value, cards] in how many ways so many cards of a value come."""
        return np.array(
            [[falling(count, drawn) for drawn in range(_MOST)] for count in self.shoe.tolist()], dtype=float
        )

    @cached_property
    def every(self) -> Floats:
        """[cards] in how many ways so many cards come."""
        return np.array([falling(int(self.shoe.sum()), drawn) for drawn in range(_MOST)], dtype=float)

    def of(self, gone: Orders, more: int = 0) -> float:
        """The mean return in rounds that begin with these cards of the player and `more` like them, all else a loss."""
        if not gone:
            return 0.0
        keys = np.fromiter(gone.keys(), dtype=np.int64, count=len(gone))
        return float(self.each(keys, more) @ np.fromiter(gone.values(), dtype=np.float64, count=len(gone)))

    def each(self, keys: Ints, more: int = 0) -> Floats:
        """[key] the same for cards in one order."""
        held = counts_of(keys + more)
        found = np.zeros(len(keys))
        left = self.shoe - held
        possible = np.flatnonzero((left >= 0).all(axis=1) & (left[:, self.up] > 0))
        held = held[possible]
        chances = kernel.dealer_chances(self.shoe, held, self.tree)[:, self.up, 0]
        drawn = self.ways[np.arange(VALUES), held].prod(axis=1)
        drawn *= left[possible, self.up] / self.every[held.sum(axis=1) + 1]
        found[possible] = drawn * chances
        return found


def _against(played: ChartPlay, up: int, back: _BonusReturn) -> Iterator[tuple[str, float]]:
    """Every way to have no hand left against an up card, and what it takes."""
    at, table = played.position, hands()
    surrendered, splits = _surrendered(played)[:, up], played.splits[:, up] > 0
    actions = played.play.actions[:, up].copy()
    pairs = at.two[PAIRS]
    actions[pairs] = letter_acts(played.pairs, at.may_double[pairs])[:, up]
    first = {int(hand): 2 - int(place in PAIRS) for place, hand in enumerate(at.two)}  # a pair comes in one order
    natural = int(at.two[NATURAL])
    yield "blackjack", back.of({int(table.keys[natural]): first.pop(natural)})
    given_up = [hand for hand, gives_up in zip(at.two.tolist(), surrendered, strict=True) if gives_up]
    yield "surrender", back.of({int(table.keys[hand]): first.pop(hand) for hand in given_up if hand in first})
    for value in np.flatnonzero(splits).tolist():
        if first.pop(int(pairs[value]), None):
            most = at.rules.hands if value != ACE or at.rules.resplit_aces else 2
            acted = played.play.split_actions if value != ACE else played.play.aces_actions
            yield "split", _split(value, acted[:, up].tolist(), most, back)
    yield "bust", back.of(_busts(first, actions.tolist()))


def _surrendered(played: ChartPlay) -> Bools:
    """[55, up card] the first two cards that are given up, pairs by their own row."""
    at = played.position
    letters = played.totals[cells(at.hands)[at.two]]
    wishes: Bools = _SURRENDERS[letters]
    wishes[PAIRS] = played.surrenders_pair > 0
    return wishes & np.isfinite(at.surrender)


def _busts(start: Mapping[int, int], actions: Sequence[int]) -> Orders:
    """All cards of every bust hand, from hands of two cards and their orders."""
    keys, after = _plain_hands()
    reached: dict[int, int] = defaultdict(int, start)
    lost: dict[int, int] = defaultdict(int)
    for hand, key in enumerate(keys):
        orders = reached.get(hand, 0)
        if not orders or actions[hand] not in (HIT, DOUBLE):
            continue
        for value, then in enumerate(after[hand]):
            if then < 0:
                lost[key + key_of(value)] += orders
            elif actions[hand] == HIT:
                reached[then] += orders
    return lost


def _split(value: int, actions: Sequence[int], most: int, back: _BonusReturn) -> float:
    """What a split pair takes whose every hand busts."""
    second, card = hands().pair[value].tolist(), key_of(value)
    other = _busts({hand: 1 for rank, hand in enumerate(second) if rank != value}, actions)
    pair = _busts({second[value]: 1}, actions)
    bags = {True: other, False: {key: other.get(key, 0) + pair.get(key, 0) for key in {*other, *pair}}}
    if not bags[False]:
        return 0.0
    keys, orders = _two_hands(bags)
    sums = 0.0
    for count in range(2, most + 1):
        none = back.of({count * card: 1})
        alone = {closed: back.of(bag, (count - 1) * card) for closed, bag in bags.items()}
        if none:
            each = back.each(keys, (count - 2) * card)
            two = {sorts: float(each @ ways) for sorts, ways in orders.items()}
            sums += sum(ways * _together(count, closed, none, alone, two) for closed, ways in _split_ends(most)[count])
    return sums


def _together(
    count: int, closed: int, none: float, alone: Mapping[bool, float], two: Mapping[tuple[bool, bool], float]
) -> float:
    """What so many hands take that all bust, `closed` of them having drawn a second card of another rank.

    `none` is brought back whatever the hands do, `alone` where one of them busts and `two` where two do. With two
    hands the answer is exact. With more, each hand counts as alone, and every two of them as much more or less as
    they do together.
    """
    sorts = [True] * closed + [False] * (count - closed)
    if not all(alone[sort] for sort in sorts):
        return 0.0
    result = none
    for sort in sorts:
        result *= alone[sort] / none
    for one, other in combinations(sorts, 2):
        result *= two[one, other] * none / (alone[one] * alone[other])
    return result


def _two_hands(bags: Mapping[bool, Orders]) -> tuple[Ints, dict[tuple[bool, bool], Floats]]:
    """The cards of any two bust hands together, and in how many orders they come, by whether each drew another rank."""
    single = np.array(list(bags[False]), dtype=np.int64)
    orders = {sort: np.array([bag.get(int(key), 0) for key in single], dtype=np.float64) for sort, bag in bags.items()}
    keys, place = np.unique(np.add.outer(single, single).ravel(), return_inverse=True)
    return keys, {
        (one, other): np.bincount(place, np.outer(orders[one], orders[other]).ravel()).astype(np.float64)
        for one, other in ((True, True), (True, False), (False, False))
    }


@cache
def _split_ends(most: int) -> Mapping[int, Sequence[tuple[int, int]]]:
    """By number of hands: how many had been closed by another rank before the last pair card came, in how many ways."""
    ways: dict[tuple[int, int], int] = defaultdict(int, {(2, 0): 1})
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for count in range(2, most + 1):
        for closed in range(count + 1):
            here = ways[count, closed]
            if count == most or closed == count:
                found[count].append((closed, here))
            else:
                ways[count + 1, closed] += here
                ways[count, closed + 1] += here
    return found


@cache
def _plain_hands() -> tuple[list[int], list[list[int]]]:
    """Keys and successors of all hands, as plain numbers."""
    return hands().keys.tolist(), hands().after.tolist()


_SURRENDERS = np.array([letter.surrenders for letter in LETTERS])
