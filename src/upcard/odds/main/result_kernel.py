"""The loops of the distribution of results, compiled: single hands, and two hands of a split together.

A result is -2 to 2 initial wagers per hand, kept at the index `result + EVEN`. Two hands of a split draw from one shoe
and meet one dealer. The chance that they end with certain cards depends only on all their cards together, their
*union*: the orders of both, times falling factorials of the shoe. So the dealer's chances are computed once per union.
"""

import numpy as np

from upcard.odds.main.hand_tables import DealerTree, Floats, Hands, Ints
from upcard.odds.main.jit import compiled
from upcard.odds.main.kernel import ALL_LOST, DOUBLE, HIT, LANES, OUTCOMES, PEEK, STAND, Felt, _leave, draw_chances

RESULTS, EVEN = 5, 2
BUST_TOTAL = 22
_BITS, _MASK = 6, 63  # of a value's count in a key


@compiled
def add_standing(total: int, stake: int, chances: Floats, hole: int, weight: float, results: Floats) -> None:
    """Adds to `results` what standing on a total brings, times a weight."""
    if hole == PEEK:
        weight = weight / (1.0 - chances[6]) if chances[6] < 1.0 else 0.0
    results[EVEN + stake] += weight * chances[5]
    for end in range(5):
        if total > 17 + end:
            results[EVEN + stake] += weight * chances[end]
        elif total < 17 + end:
            results[EVEN - stake] += weight * chances[end]
        else:
            results[EVEN] += weight * chances[end]
    if hole == ALL_LOST:
        results[EVEN - stake] += weight * chances[6]


@compiled
def first_results(felt: Felt, action: Ints, two: Ints) -> Floats:
    """[two cards, up, first action, result] the chances of each result; after a hit the hand follows `action`."""
    shoe, hole, table = felt.shoe, felt.hole, felt.hands
    hands = table.counts.shape[0]
    place_of = np.full(hands, -1)
    place_of[two] = np.arange(two.shape[0])
    first = np.zeros((two.shape[0], 10, 3, RESULTS))
    results, options = np.zeros((hands, RESULTS)), np.zeros((3, RESULTS))
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    for up in range(10):
        for hand in range(hands - 1, -1, -1):
            results[hand] = 0.0
            if not _leave(shoe, up, table.counts[hand], 0, 0, left):
                continue
            options[:] = 0.0
            chances = felt.chances[felt.removals.of_hand[hand], up]
            add_standing(table.total[hand], 1, chances, hole, 1.0, options[STAND])
            draw_chances(left, up, hole, draws)
            for rank in range(10):
                then = table.after[hand, rank]
                if then < 0:
                    options[HIT, EVEN - 1] += draws[rank]
                    options[DOUBLE, EVEN - 2] += draws[rank]
                elif draws[rank] > 0.0:
                    chances = felt.chances[felt.removals.of_hand[then], up]
                    options[HIT] += draws[rank] * results[then]
                    if place_of[hand] >= 0:
                        add_standing(table.total[then], 2, chances, hole, draws[rank], options[DOUBLE])
            results[hand] = options[action[hand, up]]
            if place_of[hand] >= 0:
                first[place_of[hand], up] = options
    return first


@compiled
def split_finals(shoe: Ints, table: Hands, up: int, value: int, action: Ints) -> tuple[Ints, Floats]:
    """How one hand of a split can end, hits that bust left out: [final, key, total and stake], and its orders.

    [final, 0] are the orders from one pair card, [final, 1] from two pair cards that are not split again.
    """
    members = table.holding[value, : table.holders[value]]
    orders = np.zeros((table.counts.shape[0], 2))
    for rank in range(10):
        orders[table.pair[value, rank], 0] = 1.0
    orders[table.pair[value, value], 1] = 1.0
    finals = np.zeros((members.shape[0] * 11, 3), dtype=np.int64)
    final_orders = np.zeros((members.shape[0] * 11, 2))
    found = 0
    for hand in members:
        possible = orders[hand, 0] > 0.0
        for rank in range(10):
            gone = (rank == up) + (rank == value)  # the other hand holds a pair card too
            possible = possible and table.counts[hand, rank] <= shoe[rank] - gone
        if not possible:
            continue
        if action[hand, up] == STAND:
            finals[found] = (table.keys[hand], table.total[hand], 1)
            final_orders[found] = orders[hand]
            found += 1
            continue
        for rank in range(10):
            then = table.after[hand, rank]
            if action[hand, up] == DOUBLE:
                total = BUST_TOTAL if then < 0 else table.total[then]
                finals[found] = (table.keys[hand] + (1 << (_BITS * rank)), total, 2)
                final_orders[found] = orders[hand]
                found += 1
            elif then >= 0:
                orders[then] += orders[hand]
    return finals[:found], final_orders[:found]


@compiled
def dealer_ends(shoe: Ints, keys: Ints, up: int, tree: DealerTree) -> Floats:
    """[key, outcome] how the dealer ends against one up card when the cards of a key are gone."""
    sets = keys.shape[0]
    chances = np.zeros((sets, OUTCOMES))
    most_cards = tree.cards.max()
    ways = np.ones((10, tree.most_of_one + 1, LANES))
    share = np.zeros((most_cards + 1, LANES))
    product = np.ones((tree.parent.shape[0], LANES))
    sums = np.zeros((6, LANES))
    cards = shoe.sum()
    for first in range(0, sets, LANES):
        batch = min(LANES, sets - first)
        for lane in range(batch):
            left = cards
            for rank in range(10):
                gone = (keys[first + lane] >> (_BITS * rank)) & _MASK
                left -= gone
                for drawn in range(tree.most_of_one):
                    ways[rank, drawn + 1, lane] = ways[rank, drawn, lane] * max(shoe[rank] - gone - drawn, 0)
            draw_share = 1.0
            for drawn in range(most_cards):
                draw_share /= max(left - drawn, 1)
                share[drawn + 1, lane] = draw_share
        for place in range(1, tree.parent.shape[0]):
            above, rank, drawn = tree.parent[place], tree.value[place], tree.drawn[place]
            for lane in range(LANES):
                product[place, lane] = product[above, lane] * ways[rank, drawn, lane]
        sums[:] = 0.0
        for ending in range(tree.node.shape[0]):
            place, drawn, end, times = (
                tree.node[ending],
                tree.cards[ending],
                tree.outcome[ending],
                tree.orders[ending, up],
            )
            for lane in range(LANES):
                sums[end, lane] += times * product[place, lane] * share[drawn, lane]
        for lane in range(batch):
            first_card = ways[up, 1, lane] * share[1, lane]  # the chance of the up card
            if first_card > 0.0:
                bust = 1.0
                for end in range(6):
                    chance = sums[end, lane] / first_card
                    chances[first + lane, end if end < 5 else 6] = chance
                    bust -= chance
                chances[first + lane, 5] = bust
    return chances


@compiled
def _no_blackjack(left: Ints, up: int, hole: int) -> float:
    """The chance that the hole card makes no blackjack; one where nothing is given about it."""
    if hole != PEEK or (up != 0 and up != 9):
        return 1.0
    barred = left[9] if up == 0 else left[0]
    chance: float = 1.0 - barred / max(left.sum(), 1)
    return chance


@compiled
def drawn_chance(felt: Felt, up: int, value: int, key: int, gone: int, held: int) -> float:
    """The chance to draw the cards of a key in one given order, over the chance of no blackjack where that is given.

    `gone` pair cards are out of the shoe before the first draw, `held` of them are among the key's.
    """
    left = felt.shoe.copy()
    left[up] -= 1
    left[value] -= gone
    cards, chance = left.sum(), 1.0
    given = _no_blackjack(left, up, felt.hole)
    if given <= 0.0:
        return 0.0
    drawn = 0
    for rank in range(10):
        copies = ((key >> (_BITS * rank)) & _MASK) - (held if rank == value else 0)
        if copies < 0:
            return 0.0
        for copy in range(copies):
            chance *= max(left[rank] - copy, 0) / max(cards - drawn, 1)
            drawn += 1
    return chance / given


@compiled
def outcome_results(total: int, stake: int, hole: int, results: Ints) -> None:
    """[dealer's outcome] the index of the result; -1 for a blackjack where it is known that there is none."""
    for end in range(5):
        results[end] = EVEN + (stake if total > 17 + end else (-stake if total < 17 + end else 0))
    results[5] = EVEN + stake
    results[6] = EVEN - stake if hole == ALL_LOST else -1
    if total == BUST_TOTAL:
        results[:6] = EVEN - stake


@compiled
def unseen_ends(felt: Felt, up: int, value: int, tree: DealerTree, others: int) -> Floats:
    """[others, 0 or 1: second card is a pair card, outcome] how the dealer ends before a hand of a split draws."""
    ends = np.zeros((others, 2, OUTCOMES))
    keys = (np.arange(others + 1) + 2) << (_BITS * value)
    by_key = dealer_ends(felt.shoe, keys, up, tree)
    for other in range(others):
        for paired in range(2):
            chances = by_key[other + paired]
            given = 1.0 - chances[6] if felt.hole == PEEK else 1.0
            if given > 0.0:
                ends[other, paired] = chances / given
            if felt.hole == PEEK:
                ends[other, paired, 6] = 0.0
    return ends


@compiled
def single_results(
    felt: Felt, up: int, value: int, finals: Ints, orders: Floats, tree: DealerTree, others: int
) -> Floats:
    """[others, 0 or 1: second card is a pair card, result, outcome] of one hand of a split, busting hits out."""
    results = np.zeros((others, 2, RESULTS, OUTCOMES))
    results_at = np.zeros(OUTCOMES, dtype=np.int64)
    for other in range(others):
        ends = dealer_ends(felt.shoe, finals[:, 0] + ((1 + other) << (_BITS * value)), up, tree)
        for final in range(finals.shape[0]):
            outcome_results(finals[final, 1], finals[final, 2], felt.hole, results_at)
            for paired in range(2):
                if orders[final, paired] == 0.0:
                    continue
                chance = orders[final, paired] * drawn_chance(
                    felt, up, value, finals[final, 0], 2 + other + paired, 1 + paired
                )
                for end in range(OUTCOMES):
                    if results_at[end] >= 0:
                        results[other, paired, results_at[end], end] += chance * ends[final, end]
    return results


@compiled
def pair_results(
    felt: Felt,
    up: int,
    value: int,
    finals: Ints,
    orders: Floats,
    unions: Ints,
    union_of: Ints,
    tree: DealerTree,
    others: int,
) -> Floats:
    """[others, second cards that are pair cards, result of one hand, of the other] of two hands, busting hits out.

    Of the second cards none, the first hand's, or both are pair cards. `union_of` numbers the pairs of finals with the
    second not below the first, row by row.
    """
    results = np.zeros((others, 3, RESULTS, RESULTS))
    count = finals.shape[0]
    results_at = np.zeros((count, OUTCOMES), dtype=np.int64)
    for final in range(count):
        outcome_results(finals[final, 1], finals[final, 2], felt.hole, results_at[final])
    chances = np.zeros((unions.shape[0], 3))
    weights = np.zeros(3)
    last = 7 if felt.hole == ALL_LOST else 6
    for other in range(others):
        ends = dealer_ends(felt.shoe, unions + (other << (_BITS * value)), up, tree)
        for union in range(unions.shape[0]):
            for paired in range(3):
                chances[union, paired] = drawn_chance(felt, up, value, unions[union], 2 + other + paired, 2 + paired)
        place = -1
        for first in range(count):
            for second in range(first, count):
                place += 1
                union = union_of[place]
                if chances[union, 0] == 0.0:
                    continue
                for turn in range(1 if first == second else 2):
                    one, two = (first, second) if turn == 0 else (second, first)
                    weights[0] = chances[union, 0] * orders[one, 0] * orders[two, 0]
                    weights[1] = chances[union, 1] * orders[one, 1] * orders[two, 0]
                    weights[2] = chances[union, 2] * orders[one, 1] * orders[two, 1]
                    for paired in range(3):
                        if weights[paired] > 0.0:
                            for end in range(last):
                                results[other, paired, results_at[one, end], results_at[two, end]] += (
                                    weights[paired] * ends[union, end]
                                )
    return results
