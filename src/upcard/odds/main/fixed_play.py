"""What the main game is worth when two cards are gone that the player does not count: those of another spot.

Every decision stays that of the full shoe. The same kernels value it from the shoe without the two cards.
"""

import numpy as np

from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.hand_tables import Floats, Ints
from upcard.odds.main.kernel import SURRENDER
from upcard.odds.main.play import Optimum, Play, mix_pairs, worth_of_decisions
from upcard.odds.main.position import FIRST, NATURAL, SECOND, Position


def worth_by_upcard(way: Optimum | ChartPlay) -> tuple[Floats, Floats]:
    """[two cards gone, up card] the mean result, and the part of it in rounds with a dealer's blackjack.

    Takes three seconds. That part is only right where the dealer peeks, or takes no more than the first wager.
    """
    worths = [worth_without(way, gone) for gone in zip(FIRST.tolist(), SECOND.tolist(), strict=True)]
    means, lost = zip(*worths, strict=True)
    return np.array(means), np.array(lost)


def worth_without(way: Optimum | ChartPlay, gone: tuple[int, int]) -> tuple[Floats, Floats]:
    """[up card] the same when two cards of these values are gone."""
    left = Position(way.play.position.shoe.without(gone), way.play.position.rules)
    play = Play(left, way.play.actions, way.play.split_actions)
    ups = np.maximum(left.shoe.values, 1) / left.shoe.cards
    result = left.weight * mix_pairs(left, *(_worth(play, decisions) for decisions in way.decisions))
    to_blackjack = left.dealt * left.dealer_blackjack
    taken = to_blackjack * mix_pairs(left, *(_taken(left, decisions) for decisions in way.decisions))
    if left.peeks:  # the weights are of rounds without a blackjack; an early surrender counts it itself
        losses = to_blackjack.copy()
        losses[NATURAL] = 0.0
        result -= losses
    return np.asarray(result.sum(axis=0) / ups), np.asarray(taken.sum(axis=0) / ups)


def _worth(play: Play, decisions: Ints) -> Floats:
    position = play.position
    worth = np.where(decisions == SURRENDER, position.surrender, worth_of_decisions(play, decisions))
    worth[NATURAL] = position.natural_pays
    return worth


def _taken(position: Position, decisions: Ints) -> Floats:
    """[55, up card] what a dealer's blackjack takes."""
    early = (decisions == SURRENDER) & (position.rules.surrender == "early")
    taken = np.where(early, -0.5, -1.0)
    taken[NATURAL] = 0.0
    return taken
