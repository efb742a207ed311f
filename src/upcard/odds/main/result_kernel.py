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
MOST_CARDS = 48  # more than two hands can hold


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
def draw_tables(felt: Felt, up: int, value: int, gone: int, ways: Floats, share: Floats) -> None:
    """Fills [value, copies] the ways to draw cards with `gone` pair cards out; [cards] one over the ways to draw any.

    Where it is given that the dealer has no blackjack, that chance divides them.
    """
    left = felt.shoe.copy()
    left[up] -= 1
    left[value] -= gone
    cards = left.sum()
    given = _no_blackjack(left, up, felt.hole)
    share[0] = 1.0 / given if given > 0.0 else 0.0
    for drawn in range(share.shape[0] - 1):
        share[drawn + 1] = share[drawn] / max(cards - drawn, 1)
    for rank in range(10):
        ways[rank, 0] = 1.0
        for copies in range(ways.shape[1] - 1):
            ways[rank, copies + 1] = ways[rank, copies] * max(left[rank] - copies, 0)


@compiled
def drawn_chance(key: int, value: int, held: int, ways: Floats, share: Floats) -> float:
    """The chance to draw the cards of a key in one given order, `held` pair cards of which were there before."""
    chance: float = 1.0
    drawn = 0
    for rank in range(10):
        copies = ((key >> (_BITS * rank)) & _MASK) - (held if rank == value else 0)
        if copies < 0:
            return 0.0
        chance *= ways[rank, copies]
        drawn += copies
    chance *= share[drawn]
    return chance


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
    ways, share = np.zeros((2, 10, MOST_CARDS)), np.zeros((2, MOST_CARDS))
    for other in range(others):
        for paired in range(2):
            draw_tables(felt, up, value, 2 + other + paired, ways[paired], share[paired])
        ends = dealer_ends(felt.shoe, finals[:, 0] + ((1 + other) << (_BITS * value)), up, tree)
        for final in range(finals.shape[0]):
            outcome_results(finals[final, 1], finals[final, 2], felt.hole, results_at)
            for paired in range(2):
                if orders[final, paired] == 0.0:
                    continue
                chance = orders[final, paired] * drawn_chance(
                    finals[final, 0], value, 1 + paired, ways[paired], share[paired]
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
) -> tuple[Floats, Floats]:
    """Two hands of a split, busting hits out: [second cards that are pair cards, result of one hand, of the other].

    Of the second cards none, the first hand's, or both are pair cards. Then, for each number of other pair cards gone,
    [others, second cards that are pair cards] the mean product of both results raised by one: zero for a busting hit.
    `union_of` numbers the pairs of finals with the second not below the first, row by row.
    """
    results, products = np.zeros((3, RESULTS, RESULTS)), np.zeros((others, 3))
    count = finals.shape[0]
    last = 7 if felt.hole == ALL_LOST else 6
    results_at = np.zeros((count, OUTCOMES), dtype=np.int64)
    raised = np.zeros((count, OUTCOMES))
    for final in range(count):
        outcome_results(finals[final, 1], finals[final, 2], felt.hole, results_at[final])
        for end in range(last):
            raised[final, end] = results_at[final, end] - EVEN + 1
    chances = np.zeros((unions.shape[0], 3))
    ways, share = np.zeros((3, 10, MOST_CARDS)), np.zeros((3, MOST_CARDS))
    for other in range(others):
        for paired in range(3):
            draw_tables(felt, up, value, 2 + other + paired, ways[paired], share[paired])
        ends = dealer_ends(felt.shoe, unions + (other << (_BITS * value)), up, tree)
        for union in range(unions.shape[0]):
            for paired in range(3):
                chances[union, paired] = drawn_chance(unions[union], value, 2 + paired, ways[paired], share[paired])
        place = -1
        for one in range(count):
            for two in range(one, count):
                place += 1
                union = union_of[place]
                if chances[union, 0] == 0.0:
                    continue
                product = 0.0
                for end in range(last):
                    product += ends[union, end] * raised[one, end] * raised[two, end]
                turns = 1.0 if one == two else 2.0
                product *= turns
                mixed = (orders[one, 1] * orders[two, 0] + orders[two, 1] * orders[one, 0]) / 2
                products[other, 0] += product * chances[union, 0] * orders[one, 0] * orders[two, 0]
                products[other, 1] += product * chances[union, 1] * mixed
                products[other, 2] += product * chances[union, 2] * orders[one, 1] * orders[two, 1]
                if other == 0:
                    _add_pair(
                        results, results_at[one], results_at[two], ends[union], chances[union], orders[one], orders[two]
                    )
                    if one != two:
                        _add_pair(
                            results,
                            results_at[two],
                            results_at[one],
                            ends[union],
                            chances[union],
                            orders[two],
                            orders[one],
                        )
    return results, products


@compiled
def _add_pair(
    results: Floats, one_at: Ints, two_at: Ints, ends: Floats, chances: Floats, one: Floats, two: Floats
) -> None:
    """Adds the chances of the results of two hands, one of which is dealt first."""
    for paired in range(3):
        weight = chances[paired] * (one[0] if paired == 0 else one[1]) * (two[1] if paired == 2 else two[0])
        if weight > 0.0:
            for end in range(OUTCOMES):
                if one_at[end] >= 0:
                    results[paired, one_at[end], two_at[end]] += weight * ends[end]
