"""The main game's result times what a wager on the dealer's hand returns: their covariance follows from it.

Such a wager returns something only when the dealer busts. Then every hand that has not bust wins its stake and every
other loses it. Every order of the cards is equally likely, so the player's draws and the dealer's bust are counted from
one shoe without regard to the hole card; with a blackjack below there is no bust to count.
"""

from collections.abc import Sequence

import numpy as np

from upcard.catalog.paytable import Paytable
from upcard.odds.dealer import VALUES
from upcard.odds.dealer_hands import bust_returns
from upcard.odds.main import kernel, result_kernel
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.hand_tables import DealerTree, Floats, Ints, counts_of, key_of, tree_of
from upcard.odds.main.kernel import ALL_LOST, DOUBLE, HIT, STAND, SURRENDER
from upcard.odds.main.play import SPLIT, Optimum, mix_pairs
from upcard.odds.main.position import ACE, NATURAL, PAIRS, Position
from upcard.odds.main.result_kernel import BUST_TOTAL, MOST_CARDS
from upcard.odds.main.split_results import pair_chain, sum_of_hands


def result_times_return(way: Optimum | ChartPlay, table: Paytable, cards: Sequence[int]) -> float:
    """The mean of both, over all rounds from a shoe given as copies of each of the 52 cards."""
    position = way.play.position
    tree = tree_of((counts, 0, back) for counts, back in bust_returns(table, cards, position.rules.soft17))
    returned = _returned(position.shoe.values, position.hands.counts, tree)
    options = _options(position, way.play.actions, returned)
    by_total, by_pair = (_chosen(position, options, decisions, returned) for decisions in way.decisions)
    for value, up in np.argwhere(way.decisions[1][PAIRS] == SPLIT).tolist():
        action = way.play.split_actions if value != ACE else way.play.aces_actions
        by_pair[PAIRS[value], up] = _split(position, action, value, up, tree)
    return float((position.dealt * mix_pairs(position, by_total, by_pair)).sum())


def _returned(shoe: Ints, removed: Ints, tree: DealerTree) -> Floats:
    """[removal, up card] the mean return when these cards and the up card are gone."""
    returned = np.zeros((len(removed), VALUES))
    possible = np.flatnonzero((removed <= shoe).all(axis=1))
    returned[possible] = kernel.dealer_chances(shoe, removed[possible], tree)[:, :, 0]
    return returned


def _options(position: Position, actions: Ints, returned: Floats) -> Floats:
    """[hand, up card, first action] the mean of (result + stake) times the return; zero for hands that bust."""
    table = position.hands
    ups = np.arange(VALUES)
    followed = np.zeros((len(table.keys), VALUES))
    options = np.zeros((len(table.keys), VALUES, 3))
    for hand in range(len(table.keys) - 1, -1, -1):
        left = position.shoe.values - table.counts[hand] - np.eye(VALUES, dtype=np.int64)  # [up card, value]
        possible = (left >= 0).all(axis=1)
        if not possible.any():
            continue
        draws = np.maximum(left, 0) / np.maximum(left.sum(axis=1), 1)[:, None]
        then = table.after[hand]
        drawn = then >= 0
        options[hand, :, STAND] = 2 * returned[hand]
        options[hand, :, HIT] = (draws[:, drawn] * followed[then[drawn]].T).sum(axis=1)
        options[hand, :, DOUBLE] = 4 * (draws[:, drawn] * returned[then[drawn]].T).sum(axis=1)
        options[hand][~possible] = 0.0
        followed[hand] = options[hand, ups, actions[hand]]
    return options


def _chosen(position: Position, options: Floats, decisions: Ints, returned: Floats) -> Floats:
    """[55, up card] the mean of result times return by first decision; splits are left at zero."""
    back = returned[position.two]
    stake = np.where(decisions == DOUBLE, 2.0, 1.0)
    chosen = np.take_along_axis(options[position.two], np.minimum(decisions, 2)[:, :, None], axis=2)[:, :, 0]
    product = np.where(decisions == SURRENDER, -0.5 * back, chosen - stake * back)
    product[NATURAL] = float(position.rules.blackjack) * back[NATURAL]
    return np.where(decisions == SPLIT, 0.0, product)


def _split(position: Position, action: Ints, value: int, up: int, tree: DealerTree) -> float:
    """The same for a pair that is split: a sum over its hands, each of which needs no other."""
    felt = position.felt._replace(hole=ALL_LOST)
    finals, orders = result_kernel.split_finals(felt.shoe, felt.hands, up, value, action)
    most_hands = position.most_hands(value)
    others = 2 * most_hands - 2
    pair_card = key_of(value)
    means = np.zeros((others, 2))
    signs = np.where(finals[:, 1] == BUST_TOTAL, -1.0, 1.0) * finals[:, 2]
    before = _returned(felt.shoe, counts_of(pair_card * (2 + np.arange(others + 1))), tree)[:, up]
    ways, share = np.zeros((VALUES, MOST_CARDS)), np.zeros(MOST_CARDS)
    for other in range(others):
        back = _returned(felt.shoe, counts_of(finals[:, 0] + (1 + other) * pair_card), tree)[:, up]
        for paired in range(2):
            result_kernel.draw_tables(felt, up, value, 2 + other + paired, ways, share)
            drawn = [result_kernel.drawn_chance(int(key), value, 1 + paired, ways, share) for key in finals[:, 0]]
            often = orders[:, paired] * np.array(drawn) * back
            means[other, paired] = (often * signs).sum() - (before[other + paired] - often.sum())  # the rest bust
    return sum(
        share * sum_of_hands(means.tolist(), pair_chain(position, value, up, of_rank, known=False), most_hands)
        for share, of_rank, _ in position.pair_ranks(value, up)
    )
