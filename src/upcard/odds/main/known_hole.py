"""What a round of the main game is worth to the player once the hole card is known, played as if it were not.

The same kernels value it: with the hole card out of the shoe nothing is given about it, and the dealer's chances are
those of hands that have it as their second card. Wagers that read the first four cards are compared with the main game
through these values.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.odds.dealer import BUST, VALUES, endings_by_hole
from upcard.odds.main import kernel
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.hand_tables import DealerTree, Floats, Ints, tree_of
from upcard.odds.main.kernel import SURRENDER
from upcard.odds.main.play import SPLIT, Optimum, Play, worth_of_decisions
from upcard.odds.main.position import ACE, FIRST, NATURAL, PAIRS, TEN, Position
from upcard.odds.main.rank_shoe import RankShoe
from upcard.problems import BadRequest


@dataclass(frozen=True)
class KnownHole(Position):
    """A position whose shoe is without the hole card, which is known."""

    whole_shoe: RankShoe
    hole_value: int

    @cached_property
    def hole(self) -> int:
        """Nothing is given about the hole card, and a blackjack is an outcome like any other."""
        return kernel.ALL_LOST

    @cached_property
    def dealer(self) -> Floats:
        """[removal, up card, outcome] the chances of hands with this hole card."""
        removed, values = self.removals.counts, self.whole_shoe.values
        gone = removed[:, None, :] + np.eye(VALUES, dtype=np.int64)  # [removal, up card, value]
        left = values - gone
        possible = (left >= 0).all(axis=2) & (left[:, :, self.hole_value] > 0)
        rows = np.flatnonzero(possible.any(axis=1))
        chances = np.zeros((len(removed), VALUES, kernel.OUTCOMES))
        chances[rows] = kernel.dealer_chances(values, removed[rows], self._tree)
        hole_chance = left[:, :, self.hole_value] / np.maximum(left.sum(axis=2), 1)
        chances /= np.where(possible, hole_chance, 1.0)[:, :, None]
        chances[~possible] = 0.0
        bust = kernel.OUTCOMES - 2
        chances[:, :, bust] = 0.0
        chances[:, :, bust] = np.where(possible, 1 - chances.sum(axis=2), 0.0)
        return chances

    @property
    def _tree(self) -> DealerTree:
        return tree_of(
            (ending.counts, min(ending.total - 17, 5), ending.orders)
            for ending in endings_by_hole(self.rules.soft17, self.hole_value)
            if ending.total != BUST
        )


def values_by_hole(way: Optimum | ChartPlay) -> tuple[Floats, Floats]:
    """[55, up card, hole card] the worth of a round by values: of hands that may not be split, and of all hands.

    Zero where the shoe does not hold the cards.
    """
    position = way.play.position
    by_total, by_pair = way.decisions
    if position.rules.split == "rank" and (by_pair[PAIRS[TEN]] == SPLIT).any():
        raise BadRequest("this way to play splits tens, and the rules pair tens by printed rank: that is not compared")
    worth = np.zeros((2, len(FIRST), VALUES, VALUES))
    for hole in np.flatnonzero(position.shoe.values).tolist():
        rank = hole if hole < TEN else max(range(9, 13), key=lambda ten: position.shoe.ranks[ten])
        known = KnownHole(position.shoe.without([rank]), position.rules, position.shoe, hole)
        play = Play(known, way.play.actions, way.play.split_actions)
        for place, decisions in enumerate((by_total, by_pair)):
            worth[place, :, :, hole] = _worth(known, play, decisions)
    return worth[0], worth[1]


def _worth(known: KnownHole, play: Play, decisions: Ints) -> Floats:
    """[55, up card] what these decisions are worth with this hole card."""
    rules = known.rules
    worth = worth_of_decisions(play, decisions)
    gives_up = decisions == SURRENDER
    worth = np.where(gives_up, -0.5, worth)
    worth[NATURAL] = float(rules.blackjack)
    partner = {ACE: TEN, TEN: ACE}.get(known.hole_value)
    if partner is not None:  # against this up card the dealer has blackjack
        early = gives_up[:, partner] & (rules.surrender == "early")
        lost = worth[:, partner] if rules.hole == "none" else np.full(len(worth), -1.0)
        lost = np.where(gives_up[:, partner], -1.0, lost)
        worth[:, partner] = np.where(early, -0.5, lost)
        worth[NATURAL, partner] = 0.0
    return worth
