"""The results of a split pair: exact chances with two hands, exact squares with any number.

Second cards may be thought of as dealt before any hand is played on, which changes no chance. Each is a pair card,
which makes a hand more, or another card, which closes a hand. That some cards are *not* pair cards is counted by
inclusion and exclusion: the chance without the condition, less the chance that one of them is a pair card, and so on.
So everything follows from one and from two hands of which a number of pair cards are known to be gone. The square of
a sum needs no more than two hands at a time; the chances of the results of three or four hands would.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from upcard.odds.main import kernel, result_kernel
from upcard.odds.main.hand_tables import Floats, up_tree
from upcard.odds.main.play import Play
from upcard.odds.main.position import ACE, Position
from upcard.odds.main.result_kernel import EVEN, RESULTS

MOST_LOST = 8  # initial wagers: four hands, doubled
SUMS = 2 * MOST_LOST + 1
_VALUES = np.arange(-EVEN, EVEN + 1)  # of the results
_LOST = EVEN - 1  # the index of a bust without a double
_RARE = 1e-12  # an outcome of the dealer below this is a rounding error


@dataclass(frozen=True, slots=True)
class Pattern:
    """A way for a split to end: so many hands, of which some received another card before the last pair card."""

    hands: int
    closed: int
    orders: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitResults:
    """Of one pair against one up card."""

    square: float  # the mean square of the result, exact
    chances: Floats  # [result + MOST_LOST]
    approximate: float  # the chance of three or four hands, whose results are not exact


def patterns(most_hands: int) -> tuple[Pattern, ...]:
    """Every way a split can end, with the number of orders in which its second cards can come."""
    ways = {(2, 0): 1}
    ended = []
    for hands in range(2, most_hands + 1):
        for closed in range(hands + 1):
            orders = ways.get((hands, closed), 0)
            if orders and (hands == most_hands or closed == hands):
                ended.append(Pattern(hands, closed, orders))
            elif orders:
                for then in ((hands + 1, closed), (hands, closed + 1)):
                    ways[then] = ways.get(then, 0) + orders
    return tuple(ended)


@dataclass(frozen=True)
class SplitHands:
    """One hand, and two hands, of a pair split against one up card."""

    position: Position
    up: int
    value: int
    singles: Floats  # [others, second is a pair card, result, dealer's outcome]
    pairs: Floats  # [second cards that are pair cards, result, result] with no other hand
    products: Floats  # [others, second cards that are pair cards] the mean product of two hands

    def results(self) -> SplitResults:
        """The averages over the ranks a pair of this value can have."""
        square, approximate, chances = 0.0, 0.0, np.zeros(SUMS)
        for share, of_rank, _ in self.position.pair_ranks(self.value, self.up):
            chain = pair_chain(self.position, self.value, self.up, of_rank)
            for pattern in patterns(self.position.most_hands(self.value)):
                square += share * self._square(pattern, chain)
                sums, bound = self._sums(pattern, chain)
                chances += share * sums
                approximate += share * bound
        return SplitResults(square=square, chances=chances, approximate=approximate)

    def _square(self, pattern: Pattern, chain: list[float]) -> float:
        """The mean square of the sum of all hands, where the split ends so."""
        closed, opened = pattern.closed, pattern.hands - pattern.closed
        squares: list[list[float]] = (self.singles.sum(axis=3) @ (_VALUES**2)).tolist()
        square = _every_hand(pattern, squares, chain)
        square += closed * (closed - 1) * self._product(pattern, chain, closed=2)
        square += 2 * closed * opened * self._product(pattern, chain, closed=1)
        square += opened * (opened - 1) * self._product(pattern, chain, closed=0)
        return pattern.orders * square

    def _product(self, pattern: Pattern, chain: list[float], *, closed: int) -> float:
        """The mean product of two hands."""
        if pattern.closed < closed or pattern.hands - pattern.closed < 2 - closed:
            return 0.0
        products: list[list[float]] = self.products.tolist()
        return sum(
            _signed(sign, closed, paired) * chain[gone + paired] * products[gone][paired]
            for sign, gone in _not_pairs(pattern, closed)
            for paired in range(closed + 1)
        )

    def _sums(self, pattern: Pattern, chain: list[float]) -> tuple[Floats, float]:
        """[result] the chances where the split ends so; and how much of them is an approximation."""
        chances = np.zeros(SUMS)
        if pattern.hands == 2:
            for paired in range(pattern.closed + 1):
                weight = _signed(1, pattern.closed, paired) * chain[paired]
                for one in range(RESULTS):
                    low = MOST_LOST + one - 2 * EVEN
                    chances[low : low + RESULTS] += weight * self.pairs[paired, one]
            return chances, 0.0
        often = pattern.orders * sum(sign * chain[gone] for sign, gone in _not_pairs(pattern, 0))
        if often <= 0.0:
            return chances, 0.0
        chances += often * self._independent(pattern, chain)
        return chances, often

    def _independent(self, pattern: Pattern, chain: list[float]) -> Floats:
        """[result] as if the hands were independent of one another once the dealer's end is known."""
        gone = pattern.hands - 2
        opened = self.singles[gone, 0]
        again = chain[gone + 1] / chain[gone]
        closed = (opened - again * self.singles[gone, 1]) / (1 - again) if again < 1 else opened
        chances = np.zeros(SUMS)
        for end in range(kernel.OUTCOMES):
            often = float(opened[:, end].sum())
            if often < _RARE:
                continue
            sums = np.ones(1)
            for hand in range(pattern.hands):
                by_end = np.maximum((closed if hand < pattern.closed else opened)[:, end], 0.0)
                sums = np.convolve(sums, by_end / by_end.sum() if by_end.sum() > _RARE else opened[:, end] / often)
            low = MOST_LOST - EVEN * pattern.hands
            chances[low : low + len(sums)] += often * sums
        return np.asarray(chances / chances.sum())


def pair_chain(position: Position, value: int, up: int, of_rank: int, *, known: bool = True) -> list[float]:
    """[n] the chance that n given cards are all of the pair's rank, two of which are held.

    With `known`, given that the dealer has no blackjack where a peek says so.
    """
    chain = [1.0]
    for gone in range(2, 2 * position.most_hands(value)):
        chain.append(chain[-1] * position.pair_chance(value, up, of_rank, gone, known=known))
    return chain


def sum_of_hands(means: list[list[float]], chain: list[float], most_hands: int) -> float:
    """The mean of a sum over all hands of a split; `means` [others, second card is a pair card] are of one hand."""
    return sum(pattern.orders * _every_hand(pattern, means, chain) for pattern in patterns(most_hands))


def _every_hand(pattern: Pattern, means: list[list[float]], chain: list[float]) -> float:
    """The sum over all hands, where the split ends so."""
    return sum(
        hands * sign * (chain[gone] * means[gone][0] - (chain[gone + 1] * means[gone][1] if closed else 0.0))
        for closed, hands in ((1, pattern.closed), (0, pattern.hands - pattern.closed))
        if hands
        for sign, gone in _not_pairs(pattern, closed)
    )


def _not_pairs(pattern: Pattern, closed: int) -> Iterator[tuple[int, int]]:
    """Signs, and pair cards gone, that add up to "the other closed hands did not receive a pair card"."""
    cards = pattern.closed - closed
    for gone in range(cards + 1):
        yield _signed(1, cards, gone), pattern.hands - 2 + gone


def _signed(sign: int, cards: int, chosen: int) -> int:
    return (sign if chosen % 2 == 0 else -sign) * comb(cards, chosen)


def split_hands(play: Play, value: int, up: int) -> SplitHands:
    """Plays one hand and two hands of a pair in every way they can end."""
    position = play.position
    felt, tree = position.felt, up_tree(position.rules.soft17, up)
    most_hands = position.most_hands(value)
    others = 2 * most_hands - 3
    action = play.split_actions if value != ACE else play.aces_actions
    finals, orders = result_kernel.split_finals(felt.shoe, felt.hands, up, value, action)
    rows, columns = np.triu_indices(len(finals))
    unions, union_of = np.unique(finals[rows, 0] + finals[columns, 0], return_inverse=True)
    singles = result_kernel.single_results(felt, up, value, finals, orders, tree, others + 1)
    pairs, products = result_kernel.pair_results(felt, up, value, finals, orders, unions, union_of, tree, others)
    whole = _with_busts(pairs, singles.sum(axis=3))
    whole_products = _product_with_busts(products, singles.sum(axis=3) @ (_VALUES + 1))
    singles[:, :, _LOST] += result_kernel.unseen_ends(felt, up, value, tree, others + 1) - singles.sum(axis=2)
    return SplitHands(position, up, value, singles, whole, whole_products)


_SECONDS = ((0, 0), (1, 0), (1, 1))  # whether the second card of each of two hands is a pair card


def _with_busts(pairs: Floats, singles: Floats) -> Floats:
    """Adds hits that bust: what the other ways to end leave of the chances of one hand, and of certainty."""
    whole = pairs.copy()
    for paired, (first, second) in enumerate(_SECONDS):
        one, two, both = singles[second, first], singles[first, second], pairs[paired]
        whole[paired, :, _LOST] += one - both.sum(axis=1)
        whole[paired, _LOST, :] += two - both.sum(axis=0)
        whole[paired, _LOST, _LOST] += 1 - one.sum() - two.sum() + both.sum()
    return whole


def _product_with_busts(raised: Floats, singles: Floats) -> Floats:
    """The mean product of two results from that of both raised by one, and from each of them raised by one."""
    products = raised.copy()
    for others in range(len(raised)):
        for paired, (first, second) in enumerate(_SECONDS):
            products[others, paired] += 1 - singles[others + second, first] - singles[others + first, second]
    return products
