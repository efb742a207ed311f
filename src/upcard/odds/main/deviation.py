"""The standard deviation of a round under the optimum.

Exact for every hand that is not split: a hand's result and its square are followed through all draws and all ends
of the dealer. The hands of a split are taken as independent of one another once the dealer's final total is known,
with the exact chance of each number of hands; a pair is split in one round out of forty, so the error is small.
"""

from math import sqrt

import numpy as np

from upcard.odds.main import deviation_kernel
from upcard.odds.main.hand_tables import Floats
from upcard.odds.main.play import Optimum, mix_pairs
from upcard.odds.main.position import NATURAL, PAIRS, Position

METHOD = "exact; the hands of a split are independent once the dealer's final total is known"


def standard_deviation(best: Optimum) -> float:
    """Of one round's result, in initial wagers."""
    position, options = best.play.position, best.options
    unsplit = np.where(options.surrender >= options.unsplit, _surrender_square(position), unsplit_squares(best))
    split = unsplit.copy()
    split[PAIRS] = np.where(options.split[PAIRS] > options.unsplit[PAIRS], _split(best), unsplit[PAIRS])
    square = mix_pairs(position, unsplit, split)
    pays = float(position.rules.blackjack)
    square[NATURAL] = pays * position.natural_pays
    return sqrt(float((position.weight * square).sum()) + position.lost_to_blackjack - best.value**2)


def unsplit_squares(best: Optimum) -> Floats:
    """[55, up card] the mean square of a hand that is not split, exact."""
    position = best.play.position
    return deviation_kernel.first_squares(position.felt, best.play.actions, position.two)


def _split(best: Optimum) -> Floats:
    position, play = best.play.position, best.play
    return deviation_kernel.split_squares(
        position.felt, play.split_actions, play.aces_actions, position.split_weights[1]
    )


def _surrender_square(position: Position) -> Floats:
    """[55, up card] the mean square of a surrender, on the scale of `weight` and `lost_to_blackjack`."""
    natural = position.dealer_blackjack
    early = position.rules.surrender == "early"
    if position.rules.hole == "none":
        return np.full(natural.shape, 0.25) if early else 0.25 + 0.75 * natural
    return (0.25 - natural) / np.maximum(1 - natural, 1e-300) if early else np.full(natural.shape, 0.25)
