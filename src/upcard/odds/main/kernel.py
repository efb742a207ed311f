"""The loops of the main game, compiled: the dealer's chances, the play of a hand, the weights of a split.

Hands, removals and the dealer's tree are the arrays of `table`. Chances are floating point: every sum is of positive
terms or nearly so, and the results agree with exact fractions to 1e-12. Rules arrive as plain numbers:

    hole     PEEK: everything is given that the dealer has no blackjack; ALL_LOST: no hole card, and a dealer's
             blackjack takes every wager
    action   STAND, HIT or DOUBLE for a hand against an up card
"""

from typing import NamedTuple

import numpy as np

from upcard.odds.main.hand_tables import DealerTree, Floats, Hands, Ints, Removals
from upcard.odds.main.jit import compiled

STAND, HIT, DOUBLE, SURRENDER = 0, 1, 2, 3
PEEK, ALL_LOST = 0, 1
OUTCOMES = 7  # 17, 18, 19, 20, 21, bust, blackjack
LANES = 64  # removals worked out side by side
LETTERS = 6  # of a chart's total: S, H, D, Ds, Rs, Rh


class Felt(NamedTuple):
    """What every hand is played with."""

    shoe: Ints
    hole: int
    hands: Hands
    removals: Removals
    chances: Floats  # [removal, up card, outcome] the dealer's


@compiled
def dealer_chances(shoe: Ints, removed: Ints, tree: DealerTree) -> Floats:
    """[removal, up card, outcome] how the dealer ends when these cards and the up card are gone from the shoe."""
    sets = removed.shape[0]
    chances = np.zeros((sets, 10, OUTCOMES))
    most_cards = tree.cards.max()
    ways = np.ones((10, tree.most_of_one + 1, LANES))
    share = np.zeros((most_cards + 1, LANES))
    product = np.ones((tree.parent.shape[0], LANES))
    sums = np.zeros((10, 6, LANES))
    weight = np.zeros(LANES)
    decks = shoe.sum()
    for first in range(0, sets, LANES):
        batch = min(LANES, sets - first)
        for lane in range(batch):
            left = decks
            for rank in range(10):
                copies = shoe[rank] - removed[first + lane, rank]
                left -= removed[first + lane, rank]
                for drawn_copies in range(tree.most_of_one):
                    ways[rank, drawn_copies + 1, lane] = ways[rank, drawn_copies, lane] * max(copies - drawn_copies, 0)
            draw_share = 1.0
            for drawn in range(most_cards):
                draw_share /= max(left - drawn, 1)
                share[drawn + 1, lane] = draw_share
        for place in range(1, tree.parent.shape[0]):
            above, rank, drawn_copies = tree.parent[place], tree.value[place], tree.drawn[place]
            for lane in range(LANES):
                product[place, lane] = product[above, lane] * ways[rank, drawn_copies, lane]
        sums[:] = 0.0
        for ending in range(tree.node.shape[0]):
            place, drawn, end = tree.node[ending], tree.cards[ending], tree.outcome[ending]
            for lane in range(LANES):
                weight[lane] = product[place, lane] * share[drawn, lane]
            for up in range(10):
                times = tree.orders[ending, up]
                if times > 0.0:
                    for lane in range(LANES):
                        sums[up, end, lane] += times * weight[lane]
        for lane in range(batch):
            left = decks - removed[first + lane].sum()
            for up in range(10):
                copies = shoe[up] - removed[first + lane, up]
                if copies > 0:
                    bust = 1.0
                    for end in range(6):
                        chance = sums[up, end, lane] * left / copies
                        chances[first + lane, up, end if end < 5 else 6] = chance
                        bust -= chance
                    chances[first + lane, up, 5] = bust
    return chances


@compiled
def stand_value(total: int, chances: Floats, hole: int) -> float:
    """What standing on a total is worth against these chances of the dealer."""
    value: float = chances[5]
    for end in range(5):
        if total > 17 + end:
            value += chances[end]
        elif total < 17 + end:
            value -= chances[end]
    if hole == ALL_LOST:
        value -= chances[6]
    if hole == PEEK:
        value = value / (1.0 - chances[6]) if chances[6] < 1.0 else 0.0
    return value


@compiled
def draw_chances(left: Ints, up: int, hole: int, chances: Floats) -> None:
    """The chance of each value to be drawn next; `left` are the unseen cards, the hole card among them."""
    unseen = left.sum()
    barred = -1
    if hole == PEEK and up == 0:
        barred = 9
    elif hole == PEEK and up == 9:
        barred = 0
    if barred < 0:
        for rank in range(10):
            chances[rank] = left[rank] / unseen
        return
    other_ranks = unseen - left[barred]
    draw_scale = (other_ranks - 1.0) / (other_ranks * (unseen - 1.0)) if other_ranks > 0 else 0.0
    for rank in range(10):
        chances[rank] = left[rank] * draw_scale
    chances[barred] = left[barred] / (unseen - 1.0)


@compiled
def best_play(felt: Felt) -> tuple[Floats, Floats, Floats]:
    """[hand, up card] the worth of standing, of hitting and then playing best, and of doubling."""
    shoe, hole, table, chances = felt.shoe, felt.hole, felt.hands, felt.chances
    hands = table.counts.shape[0]
    stand, hit, double = np.zeros((hands, 10)), np.zeros((hands, 10)), np.zeros((hands, 10))
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    for hand in range(hands - 1, -1, -1):
        for up in range(10):
            if not _leave(shoe, up, table.counts[hand], 0, 0, left):
                continue
            stand[hand, up] = stand_value(table.total[hand], chances[felt.removals.of_hand[hand], up], hole)
            draw_chances(left, up, hole, draws)
            for rank in range(10):
                then = table.after[hand, rank]
                if then < 0:
                    hit[hand, up] -= draws[rank]
                    double[hand, up] -= 2.0 * draws[rank]
                else:
                    hit[hand, up] += draws[rank] * max(stand[then, up], hit[then, up])
                    double[hand, up] += 2.0 * draws[rank] * stand[then, up]
    return stand, hit, double


@compiled
def _leave(shoe: Ints, up: int, held: Ints, value: int, others: int, left: Ints) -> bool:
    """The unseen cards once the up card, a hand and so many other cards of a value are seen; False if impossible."""
    for rank in range(10):
        left[rank] = shoe[rank] - held[rank]
    left[up] -= 1
    left[value] -= others
    possible = True
    for rank in range(10):
        possible = possible and left[rank] >= 0
    return possible


@compiled
def play(
    felt: Felt,
    up: int,
    value: int,
    others: int,
    action: Ints,
    removal: Ints,
    members: Ints,
    aside: bool,
    worth: Floats,
    staked: Floats,
) -> None:
    """Fills the worth of every hand two cards can lead to, and the wager it ends with, played by these actions.

    With `aside` also of hands that one other action would lead to. `members` are the hands to think of, fewest points
    first: all of them, or with `others` above zero those that hold `value`, so many more of which are gone.
    """
    shoe, hole, table, chances = felt.shoe, felt.hole, felt.hands, felt.chances
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    reachable = np.zeros(table.counts.shape[0], dtype=np.int8)  # 2: these actions lead here; 1: one other action would
    for hand in members:
        if table.cards[hand] == 2 and removal[hand] >= 0:
            reachable[hand] = 2
        if reachable[hand] > 0 and (action[hand, up] == HIT or (aside and reachable[hand] == 2)):
            mark = reachable[hand] if action[hand, up] == HIT else 1
            for rank in range(10):
                if table.after[hand, rank] >= 0:
                    reachable[table.after[hand, rank]] = max(reachable[table.after[hand, rank]], mark)
    for hand in members[::-1]:
        worth[hand] = 0.0
        staked[hand] = 1.0
        if reachable[hand] == 0 or not _leave(shoe, up, table.counts[hand], value, others, left):
            continue
        if action[hand, up] == STAND:
            worth[hand] = stand_value(table.total[hand], chances[removal[hand], up], hole)
            continue
        draw_chances(left, up, hole, draws)
        if action[hand, up] == DOUBLE:
            staked[hand] = 2.0
        else:
            staked[hand] = 0.0
        for rank in range(10):
            then = table.after[hand, rank]
            if action[hand, up] == DOUBLE:
                if then < 0:
                    worth[hand] -= 2.0 * draws[rank]
                elif draws[rank] > 0.0:
                    worth[hand] += 2.0 * draws[rank] * stand_value(table.total[then], chances[removal[then], up], hole)
            else:
                worth[hand] += draws[rank] * (-1.0 if then < 0 else worth[then])
                staked[hand] += draws[rank] * (1.0 if then < 0 else staked[then])


@compiled
def weigh_cells(
    felt: Felt,
    up: int,
    value: int,
    others: int,
    action: Ints,
    may_double: Ints,
    surrender: Floats,
    removal: Ints,
    cell: Ints,
    members: Ints,
    worth: Floats,
    reached: Floats,
    gains: Floats,
    often: Floats,
) -> None:
    """Adds to each cell of a chart what every letter would be worth over the hands that reach it.

    `worth` is what `play` found for these actions, `reached` how often hands begin here; a hand that hits passes its
    share on. `surrender` is minus infinity for hands that may not.
    """
    shoe, hole, table, chances = felt.shoe, felt.hole, felt.hands, felt.chances
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    for hand in members:
        share = reached[hand]
        if share == 0.0 or removal[hand] < 0 or not _leave(shoe, up, table.counts[hand], value, others, left):
            continue
        draw_chances(left, up, hole, draws)
        stand = stand_value(table.total[hand], chances[removal[hand], up], hole)
        hit, double = 0.0, 0.0
        for rank in range(10):
            then = table.after[hand, rank]
            if then < 0:
                hit -= draws[rank]
                double -= 2.0 * draws[rank]
            elif draws[rank] > 0.0:
                hit += draws[rank] * worth[then]
                if may_double[hand]:
                    double += 2.0 * draws[rank] * stand_value(table.total[then], chances[removal[then], up], hole)
                if action[hand, up] == HIT:
                    reached[then] += share * draws[rank]
        place = cell[hand]
        gains[up, place, 0] += share * stand
        gains[up, place, 1] += share * hit
        gains[up, place, 2] += share * (double if may_double[hand] else hit)
        gains[up, place, 3] += share * (double if may_double[hand] else stand)
        gives_up = surrender[hand, up] > -np.inf
        gains[up, place, 4] += share * (surrender[hand, up] if gives_up else stand)
        gains[up, place, 5] += share * (surrender[hand, up] if gives_up else hit)
        often[up, place] += share


@compiled
def follow(felt: Felt, action: Ints, two: Ints) -> tuple[Floats, Floats, Floats]:
    """[hand, up] the worth and the wager of every hand under these actions, and [two cards, up, option] of each option:

    the worth of standing, hitting and doubling with two cards and acting so afterwards, and the wager after a hit.
    """
    shoe, hole, table, chances = felt.shoe, felt.hole, felt.hands, felt.chances
    of_hand = felt.removals.of_hand
    hands = table.counts.shape[0]
    all_hands = np.arange(hands)
    worth, staked = np.zeros((hands, 10)), np.zeros((hands, 10))
    options = np.zeros((two.shape[0], 10, 4))
    up_worth, up_staked = np.zeros(hands), np.zeros(hands)
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    for up in range(10):
        play(felt, up, 0, 0, action, of_hand, all_hands, True, up_worth, up_staked)
        worth[:, up] = up_worth
        staked[:, up] = up_staked
        for place in range(two.shape[0]):
            hand = two[place]
            if not _leave(shoe, up, table.counts[hand], 0, 0, left):
                continue
            draw_chances(left, up, hole, draws)
            options[place, up, STAND] = stand_value(table.total[hand], chances[of_hand[hand], up], hole)
            for rank in range(10):
                then = table.after[hand, rank]
                if then < 0:
                    options[place, up, HIT] -= draws[rank]
                    options[place, up, DOUBLE] -= 2.0 * draws[rank]
                    options[place, up, 3] += draws[rank]
                elif draws[rank] > 0.0:
                    stand = stand_value(table.total[then], chances[of_hand[then], up], hole)
                    options[place, up, HIT] += draws[rank] * up_worth[then]
                    options[place, up, DOUBLE] += 2.0 * draws[rank] * stand
                    options[place, up, 3] += draws[rank] * up_staked[then]
    return worth, staked, options


@compiled
def weigh_chart(
    felt: Felt,
    action: Ints,
    split_action: Ints,
    aces_action: Ints,
    aces_drawn_to: bool,
    may_double: Ints,
    may_double_split: Ints,
    surrender: Floats,
    dealt: Floats,
    paired: Floats,
    split_share: Floats,
    weights: Floats,
    cell: Ints,
    cells: int,
) -> tuple[Floats, Floats]:
    """[up, cell, letter] what every letter is worth over all hands that reach its cell; [up, cell] how often.

    `dealt` [hand, up] is how often two cards come to be played by their total, `paired` [hand, up] pairs that are hit
    by their own row, `split_share` [value, up] pairs that are split, with the split's `weights`.
    """
    shoe, hole, table = felt.shoe, felt.hole, felt.hands
    of_hand, of_split = felt.removals.of_hand, felt.removals.of_split
    hands = table.counts.shape[0]
    all_hands = np.arange(hands)
    gains, often = np.zeros((10, cells, LETTERS)), np.zeros((10, cells))
    worth, staked, reached = np.zeros(hands), np.zeros(hands), np.zeros(hands)
    no_surrender = np.full((hands, 10), -np.inf)
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    one_card = np.zeros(10, dtype=np.int64)
    for up in range(10):
        play(felt, up, 0, 0, action, of_hand, all_hands, True, worth, staked)
        reached[:] = dealt[:, up]
        for hand in range(hands):
            if paired[hand, up] > 0.0 and _leave(shoe, up, table.counts[hand], 0, 0, left):
                draw_chances(left, up, hole, draws)
                for rank in range(10):
                    if table.after[hand, rank] >= 0:
                        reached[table.after[hand, rank]] += paired[hand, up] * draws[rank]
        weigh_cells(
            felt, up, 0, 0, action, may_double, surrender, of_hand, cell, all_hands, worth, reached, gains, often
        )
        for value in range(10):
            share = split_share[value, up]
            if share == 0.0:
                continue
            acted = split_action if value > 0 else aces_action
            members = table.holding[value, : table.holders[value]]
            one_card[:] = 0
            one_card[value] = 1
            for others in range(1, of_split.shape[1]):
                removal = of_split[value, others]
                if removal[table.pair[value, value]] < 0 or not _leave(shoe, up, one_card, value, others, left):
                    continue
                play(felt, up, value, others, acted, removal, members, True, worth, staked)
                draw_chances(left, up, hole, draws)
                reached[:] = 0.0
                for rank in range(10):
                    reached[table.pair[value, rank]] += share * weights[up, value, others, 0] * draws[rank]
                reached[table.pair[value, value]] += share * weights[up, value, others, 1]
                if value > 0 or aces_drawn_to:
                    weigh_cells(
                        felt, up, value, others, acted, may_double_split, no_surrender, removal, cell, members,
                        worth, reached, gains, often,
                    )  # fmt: skip
    return gains, often


@compiled
def split_hands(felt: Felt, action: Ints, aces_action: Ints) -> tuple[Floats, Floats]:
    """[up card, value, others, 0: any second card or 1: a pair card not split again] worth and wager of one hand."""
    table = felt.hands
    most = felt.removals.of_split.shape[1]
    worth, staked = np.zeros((10, 10, most, 2)), np.zeros((10, 10, most, 2))
    hand_worth, hand_staked = np.zeros(table.counts.shape[0]), np.zeros(table.counts.shape[0])
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    one_card = np.zeros(10, dtype=np.int64)
    for up in range(10):
        for value in range(10):
            members = table.holding[value, : table.holders[value]]
            one_card[:] = 0
            one_card[value] = 1
            for others in range(1, most):
                removal = felt.removals.of_split[value, others]
                if removal[table.pair[value, value]] < 0 or not _leave(felt.shoe, up, one_card, value, others, left):
                    continue
                acted = action if value > 0 else aces_action
                play(felt, up, value, others, acted, removal, members, False, hand_worth, hand_staked)
                draw_chances(left, up, felt.hole, draws)
                for rank in range(10):
                    worth[up, value, others, 0] += draws[rank] * hand_worth[table.pair[value, rank]]
                    staked[up, value, others, 0] += draws[rank] * hand_staked[table.pair[value, rank]]
                worth[up, value, others, 1] = hand_worth[table.pair[value, value]]
                staked[up, value, others, 1] = hand_staked[table.pair[value, value]]
    return worth, staked


@compiled
def pair_chance(own: int, unseen: int, barred: int, barred_holds_own: bool, seen: int) -> float:
    """The chance that a card is of the pair's rank, `seen` others being known not to be.

    `own` and `unseen` are what is left; `barred` how many cards the hole card cannot be, -1 where it may be any.
    """
    if own <= 0:
        return 0.0
    if barred < 0:
        return own / (unseen - seen)
    if barred_holds_own:  # the hole card is one more card known not to be of this rank
        return own / (unseen - seen - 1.0)
    rest = unseen - own
    hole_own = own * rest * 1.0
    hole_other = (rest - barred) * (rest - seen) * 1.0
    if hole_own + hole_other <= 0.0 or unseen - seen <= 1:
        return 0.0  # a dealer without blackjack cannot be: no card is left for the hole
    return own * ((own - 1.0) * rest + hole_other) / ((unseen - seen - 1.0) * (hole_own + hole_other))


@compiled
def split_weights(own: int, unseen: int, barred: int, barred_holds_own: bool, most_hands: int) -> tuple[Floats, Floats]:
    """[others, 0 or 1] with what weight each worth of `split_hands` enters the worth of the whole split.

    Also the chance of ending with each number of hands. `own` and `unseen` count the cards after the up card and
    before the pair. All second cards are thought of as dealt before any hand is played on, which changes no
    chance; a hand that received another rank while b others did so too is worth the average over what those cards
    may be, worked out by conditioning on each of them in turn not being of the pair's rank.
    """
    deep = 2 * most_hands - 2
    any_card = np.zeros((deep, most_hands, deep, 2))  # [others, other ranks seen]: any second card
    other_rank = np.zeros((deep, most_hands, deep, 2))  # second card of another rank
    for others in range(1, deep):
        any_card[others, 0, others, 0] = 1.0
        pairs = left_pair_chance(own, unseen, barred, barred_holds_own, others + 1, 0)
        if pairs < 1.0:
            other_rank[others, 0, others, 0] = 1.0 / (1.0 - pairs)
            other_rank[others, 0, others, 1] = -pairs / (1.0 - pairs)
    for seen in range(most_hands - 1):
        for others in range(1, deep - 1):
            pairs = left_pair_chance(own, unseen, barred, barred_holds_own, others + 1, seen)
            if pairs < 1.0:
                any_card[others, seen + 1] = (any_card[others, seen] - pairs * any_card[others + 1, seen]) / (
                    1.0 - pairs
                )
            pairs = left_pair_chance(own, unseen, barred, barred_holds_own, others + 1, seen + 1)
            if pairs < 1.0:
                other_rank[others, seen + 1] = (other_rank[others, seen] - pairs * other_rank[others + 1, seen]) / (
                    1.0 - pairs
                )
    weights, ends = np.zeros((deep, 2)), np.zeros(most_hands + 1)
    chance = np.zeros((most_hands + 2, most_hands + 2))
    chance[2, 0] = 1.0
    for hands in range(2, most_hands + 1):
        for closed in range(hands + 1):
            reached = chance[hands, closed]
            if reached == 0.0:
                continue
            if hands == most_hands:
                ends[hands] += reached
                weights += reached * (hands - closed) * any_card[hands - 1, closed]
                if closed > 0:
                    weights += reached * closed * other_rank[hands - 1, closed - 1]
            elif closed == hands:
                ends[hands] += reached
                weights += reached * hands * other_rank[hands - 1, hands - 1]
            else:
                pairs = left_pair_chance(own, unseen, barred, barred_holds_own, hands, closed)
                chance[hands + 1, closed] += reached * pairs
                chance[hands, closed + 1] += reached * (1.0 - pairs)
    return weights, ends


@compiled
def left_pair_chance(own: int, unseen: int, barred: int, barred_holds_own: bool, pair_cards: int, seen: int) -> float:
    barred_gone = pair_cards if barred_holds_own and barred >= 0 else 0
    return pair_chance(own - pair_cards, unseen - pair_cards, barred - barred_gone, barred_holds_own, seen)
