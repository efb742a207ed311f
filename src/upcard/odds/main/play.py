"""What the main game is worth when the player decides in some way: best by composition, or by a chart."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from upcard.odds.main import kernel
from upcard.odds.main.hand_tables import Floats, Ints
from upcard.odds.main.kernel import DOUBLE, HIT, STAND, SURRENDER
from upcard.odds.main.position import NATURAL, PAIRS, Position

SPLIT_MODEL = "CDZ-"
SPLIT = SURRENDER + 1  # among first decisions


@dataclass(frozen=True)
class Play:
    """A way to play a position. `actions` serve hands as dealt, `split_actions` the hands of a split pair."""

    position: Position
    actions: Ints  # [hand, up card]
    split_actions: Ints  # [hand, up card]

    @cached_property
    def aces_actions(self) -> Ints:
        """[hand, up card] what split aces do: nothing, where they receive one card each."""
        if self.position.rules.hit_split_aces:
            return self.split_actions
        return np.full_like(self.split_actions, STAND)

    @cached_property
    def followed(self) -> tuple[Floats, Floats, Floats]:
        """[hand, up] worth and wager of every hand; [55, up, option] of each option (see `kernel.follow`)."""
        return kernel.follow(self.position.felt, self.actions, self.position.two)

    @cached_property
    def split_hands(self) -> tuple[Floats, Floats]:
        """[up, value, others, second card] the worth and the wager of one hand of a split."""
        return kernel.split_hands(self.position.felt, self.split_actions, self.aces_actions)

    @cached_property
    def split(self) -> Floats:
        """[value, up card] what splitting a pair is worth."""
        return self._whole_split(self.split_hands[0])

    @cached_property
    def split_stake(self) -> Floats:
        """[value, up card] what splitting a pair puts at risk in the end."""
        return self._whole_split(self.split_hands[1])

    def _whole_split(self, one_hand: Floats) -> Floats:
        weights, _ = self.position.split_weights
        return np.asarray((weights * one_hand).sum(axis=(2, 3)).T)


@dataclass(frozen=True, slots=True)
class Options:
    """[55, up card] what each first decision is worth, minus infinity where it is not allowed."""

    stand: Floats
    hit: Floats
    double: Floats
    split: Floats
    surrender: Floats

    @property
    def unsplit(self) -> Floats:
        """The best of all but a split."""
        return np.maximum(np.maximum(self.stand, self.hit), np.maximum(self.double, self.surrender))

    @property
    def best(self) -> Floats:
        return np.maximum(self.unsplit, self.split)


@dataclass(frozen=True)
class Optimum:
    """The composition-dependent optimum of a position (CDZ-)."""

    play: Play
    options: Options

    @cached_property
    def value(self) -> float:
        """What a round is worth, in initial wagers."""
        return whole_game(self.play.position, self._mixed(self.options.unsplit, self.options.best))

    @cached_property
    def stake(self) -> float:
        """What a round puts at risk in the end, in initial wagers."""
        position, options = self.play.position, self.options
        _, staked, _ = self.play.followed
        unsplit = np.where(options.surrender >= options.unsplit, 1.0, staked[position.two])
        split = unsplit.copy()
        split[PAIRS] = np.where(options.split[PAIRS] > options.unsplit[PAIRS], self.play.split_stake, unsplit[PAIRS])
        return whole_stake(position, self._mixed(unsplit, split))

    @cached_property
    def decisions(self) -> tuple[Ints, Ints]:
        """[55, up card] the first decision of hands that may not be split, and of all hands."""
        position, options = self.play.position, self.options
        unsplit = np.where(options.surrender >= options.unsplit, SURRENDER, self.play.actions[position.two])
        paired = unsplit.copy()
        paired[PAIRS] = np.where(options.split[PAIRS] > options.unsplit[PAIRS], SPLIT, unsplit[PAIRS])
        return unsplit, paired

    def _mixed(self, unsplit: Floats, best: Floats) -> Floats:
        """Pairs by value that do not pair by printed rank take the first, all other hands the second."""
        return mix_pairs(self.play.position, unsplit, best)


def best_draws(position: Position) -> tuple[Floats, Floats, Floats]:
    """[hand, up card] the worth of standing, of hitting and then playing best, and of doubling where allowed."""
    return kernel.best_play(position.felt)


def optimum(position: Position) -> Optimum:
    """Plays every hand by its own composition; a split hand is played as if it had not been split (CDZ-)."""
    stand, hit, double = best_draws(position)
    double[~position.may_double] = -np.inf
    draw = np.where(hit > stand, HIT, STAND)
    best = np.where(double > np.maximum(hit, stand), DOUBLE, draw)
    play = Play(position, best, best if position.rules.das else draw)
    return Optimum(play, options_of(play, stand[position.two], hit[position.two], double[position.two]))


def options_of(play: Play, stand: Floats, hit: Floats, double: Floats) -> Options:
    """The first decisions of a position, the worth of a split included."""
    split = np.full(stand.shape, -np.inf)
    split[PAIRS] = play.split
    return Options(stand, hit, double, split, play.position.surrender)


def worth_of_decisions(play: Play, decisions: Ints) -> Floats:
    """[55, up card] what first decisions are worth; a surrender is left to the caller."""
    options = play.followed[2]
    worth = np.take_along_axis(options, np.minimum(decisions, 2)[:, :, None], axis=2)[:, :, 0]
    split = np.zeros(worth.shape)
    split[PAIRS] = play.split
    return np.where(decisions == SPLIT, split, worth)


def mix_pairs(position: Position, unsplit: Floats, split: Floats) -> Floats:
    """Weighs what happens to pairs that may be split with what happens to equal values of unequal rank."""
    mixed = split.copy()
    mixed[PAIRS] = position.splittable * split[PAIRS] + (1 - position.splittable) * unsplit[PAIRS]
    return mixed


def whole_game(position: Position, first: Floats) -> float:
    """The value of a round from the worth of every first decision."""
    worth = first.copy()
    worth[NATURAL] = position.natural_pays
    return float((position.weight * worth).sum()) - position.lost_to_blackjack


def whole_stake(position: Position, first: Floats) -> float:
    """The wager of a round at its end; one where the dealer's blackjack ends it at once."""
    staked = first.copy()
    staked[NATURAL] = 1.0
    return float((position.weight * staked).sum() + (position.dealt - position.weight).sum())
