"""The loops of the standard deviation, compiled: a hand's result and its square, parted by how the dealer ends."""

import numpy as np

from upcard.odds.main.hand_tables import Floats, Ints
from upcard.odds.main.jit import compiled
from upcard.odds.main.kernel import DOUBLE, HIT, OUTCOMES, PEEK, STAND, Felt, _leave, draw_chances


@compiled
def dealer_ends(chances: Floats, hole: int, ends: Floats) -> None:
    """The dealer's chances as a hand in play meets them: after a peek there is no blackjack among them."""
    scale = 1.0 / (1.0 - chances[6]) if hole == PEEK and chances[6] < 1.0 else 1.0
    for end in range(OUTCOMES):
        ends[end] = chances[end] * scale
    if hole == PEEK:
        ends[6] = 0.0


@compiled
def result_of(total: int, end: int) -> float:
    """What standing on a total wins when the dealer ends so."""
    if end == 5:
        return 1.0
    if end == 6:
        return -1.0
    return 1.0 if total > 17 + end else (-1.0 if total < 17 + end else 0.0)


@compiled
def play_moments(felt: Felt, up: int, value: int, others: int, action: Ints, removal: Ints, moments: Floats) -> None:
    """Fills [hand, 0: result or 1: its square, dealer's end] for every hand two cards can lead to by these actions.

    A bust is parted by the dealer's end too: what the drawn hands leave of the chances before the draw.
    """
    shoe, hole, table, chances = felt.shoe, felt.hole, felt.hands, felt.chances
    hands = table.counts.shape[0]
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    undrawn, drawn_ends = np.zeros(OUTCOMES), np.zeros(OUTCOMES)
    reachable = np.zeros(hands, dtype=np.bool_)
    for hand in range(hands):
        if table.cards[hand] == 2 and removal[hand] >= 0:
            reachable[hand] = True
        if reachable[hand] and action[hand, up] == HIT:
            for rank in range(10):
                if table.after[hand, rank] >= 0:
                    reachable[table.after[hand, rank]] = True
    for hand in range(hands - 1, -1, -1):
        moments[hand] = 0.0
        if not reachable[hand] or not _leave(shoe, up, table.counts[hand], value, others, left):
            continue
        dealer_ends(chances[removal[hand], up], hole, undrawn)
        if action[hand, up] == STAND:
            for end in range(OUTCOMES):
                result = result_of(table.total[hand], end)
                moments[hand, 0, end] = result * undrawn[end]
                moments[hand, 1, end] = result * result * undrawn[end]
            continue
        stake = 2.0 if action[hand, up] == DOUBLE else 1.0
        draw_chances(left, up, hole, draws)
        for rank in range(10):
            then = table.after[hand, rank]
            if then < 0 or draws[rank] == 0.0:
                continue
            dealer_ends(chances[removal[then], up], hole, drawn_ends)
            for end in range(OUTCOMES):
                undrawn[end] -= draws[rank] * drawn_ends[end]
                if stake == 2.0:
                    result = 2.0 * result_of(table.total[then], end)
                    moments[hand, 0, end] += draws[rank] * result * drawn_ends[end]
                    moments[hand, 1, end] += draws[rank] * result * result * drawn_ends[end]
                else:
                    moments[hand, 0, end] += draws[rank] * moments[then, 0, end]
                    moments[hand, 1, end] += draws[rank] * moments[then, 1, end]
        for end in range(OUTCOMES):  # what is left of `before` are the busts
            moments[hand, 0, end] -= stake * undrawn[end]
            moments[hand, 1, end] += stake * stake * undrawn[end]


@compiled
def first_squares(felt: Felt, action: Ints, two: Ints) -> Floats:
    """[two cards, up] the mean square of a hand that is not split."""
    moments = np.zeros((felt.hands.counts.shape[0], 2, OUTCOMES))
    squares = np.zeros((two.shape[0], 10))
    for up in range(10):
        play_moments(felt, up, 0, 0, action, felt.removals.of_hand, moments)
        for place in range(two.shape[0]):
            squares[place, up] = moments[two[place], 1].sum()
    return squares


@compiled
def split_squares(felt: Felt, action: Ints, aces_action: Ints, ends: Floats) -> Floats:
    """[value, up] the mean square of a whole split, its hands taken as independent once the dealer's end is known."""
    table = felt.hands
    moments = np.zeros((table.counts.shape[0], 2, OUTCOMES))
    squares = np.zeros((10, 10))
    left, draws = np.zeros(10, dtype=np.int64), np.zeros(10)
    one_card, dealer = np.zeros(10, dtype=np.int64), np.zeros(OUTCOMES)
    for up in range(10):
        for value in range(10):
            one_card[:] = 0
            one_card[value] = 1
            acted = action if value > 0 else aces_action
            last = 0
            for hands in range(2, ends.shape[2]):
                if ends[up, value, hands] > 0.0:
                    last = hands
            for hands in range(2, last + 1):
                removal = felt.removals.of_split[value, hands - 1]
                if removal[table.pair[value, value]] < 0 or not _leave(felt.shoe, up, one_card, value, hands - 1, left):
                    continue
                play_moments(felt, up, value, hands - 1, acted, removal, moments)
                draw_chances(left, up, felt.hole, draws)
                if hands < last and draws[value] < 1.0:  # else a pair card would have been split again
                    draws[value] = 0.0
                    draws /= draws.sum()
                dealer_ends(felt.chances[removal[table.pair[value, value]], up], felt.hole, dealer)
                square = 0.0
                for end in range(OUTCOMES):
                    mean = 0.0
                    for rank in range(10):
                        mean += draws[rank] * moments[table.pair[value, rank], 0, end]
                        square += hands * draws[rank] * moments[table.pair[value, rank], 1, end]
                    if dealer[end] > 0.0:
                        square += hands * (hands - 1) * mean * mean / dealer[end]
                squares[value, up] += ends[up, value, hands] * square
    return squares
