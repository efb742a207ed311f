"""A slow oracle for the results of a round: deals every card in turn and plays every hand by given decisions.

It imports nothing from the package it checks. The hole card is dealt before the player draws, so no formula conditions
on it. Counts are of values (ace to ten), or of ranks (ace to king): then pairs go by printed rank.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from support.blackjack_oracle import (
    ACE,
    BUST,
    Counts,
    Finished,
    dealer_ends,
    minus,
    natural,
    plus,
    points,
    result,
    two_cards,
)

Chances = dict[Fraction, float]
# hand by value, up card's value, whether it is a split hand, whether the two cards may be split now -> action
Decide = Callable[[Counts, int, bool, bool], str]


@dataclass(frozen=True)
class RoundRules:
    soft17: str
    hands: int
    resplit_aces: bool
    hit_split_aces: bool
    early_surrender: bool
    hole: str  # peek, none or none_originals
    blackjack: Fraction


@dataclass(eq=False)
class Rounds:
    shoe: Counts
    rules: RoundRules
    decide: Decide
    _memo: dict[object, Chances] = field(default_factory=dict)

    def chances(self) -> Chances:
        """Of every result, in initial wagers."""
        sums: Chances = defaultdict(float)
        for first, second, up, hole, shoe, chance in self._deals():
            for outcome, part in self._round(first, second, up, hole, shoe).items():
                sums[outcome] += chance * part
        return dict(sums)

    def _deals(self) -> Iterator[tuple[int, int, int, int, Counts, float]]:
        kinds = range(len(self.shoe))
        for first in kinds:
            for second in kinds:
                for up in kinds:
                    for hole in kinds:
                        shoe, chance = self.shoe, 1.0
                        for card in (first, second, up, hole):
                            chance *= max(shoe[card], 0) / sum(shoe)
                            shoe = minus(shoe, card)
                        if chance > 0:
                            yield first, second, up, hole, shoe, chance

    def _round(self, first: int, second: int, up: int, hole: int, shoe: Counts) -> Chances:
        dealer_natural = natural(up, hole)
        if natural(first, second):
            return {Fraction(0) if dealer_natural else self.rules.blackjack: 1.0}
        hand = two_cards(len(shoe), first, second)
        action = self.decide(by_value(hand), min(up, 9), False, first == second)
        if action == "surrender" and (self.rules.early_surrender or not dealer_natural):
            return {Fraction(-1, 2): 1.0}
        if dealer_natural and (self.rules.hole != "none" or action == "surrender"):
            return {Fraction(-1): 1.0}
        self._memo.clear()
        if action == "split":
            return self._open(shoe, first, up, hole, 2, 2, ())
        return self._play(shoe, hand, None, up, hole, 1, 0, (), action)

    def _open(
        self, shoe: Counts, pair: int, up: int, hole: int, hands: int, waiting: int, finished: Finished
    ) -> Chances:
        """Deals the second card of the next hand of a split, or settles when no hand waits."""
        if waiting == 0:
            return self._settle(shoe, up, hole, finished)
        key = (shoe, hands, waiting, finished)
        if key not in self._memo:
            most = self.rules.hands if pair != ACE or self.rules.resplit_aces else 2
            sums: Chances = defaultdict(float)
            for second, count in enumerate(shoe):
                if count:
                    after, hand = minus(shoe, second), two_cards(len(shoe), pair, second)
                    if second == pair and hands < most:
                        then = self._open(after, pair, up, hole, hands + 1, waiting + 1, finished)
                    else:
                        stays = pair == ACE and not self.rules.hit_split_aces
                        action = "stand" if stays else self.decide(by_value(hand), min(up, 9), True, False)
                        then = self._play(after, hand, pair, up, hole, hands, waiting - 1, finished, action)
                    add(sums, then, count / sum(shoe))
            self._memo[key] = sums
        return self._memo[key]

    def _play(
        self,
        shoe: Counts,
        hand: Counts,
        pair: int | None,
        up: int,
        hole: int,
        hands: int,
        waiting: int,
        finished: Finished,
        action: str,
    ) -> Chances:
        if action == "stand":
            return self._next(shoe, pair, up, hole, hands, waiting, finish(finished, hand, 1))
        key = (shoe, hand, hands, waiting, finished)
        if key not in self._memo:
            sums: Chances = defaultdict(float)
            for card, count in enumerate(shoe):
                if not count:
                    continue
                grown, after = plus(hand, card), minus(shoe, card)
                if action == "double" or points(grown)[0] > 21:
                    ended = finish(finished, grown, 2 if action == "double" else 1)
                    then = self._next(after, pair, up, hole, hands, waiting, ended)
                else:
                    next_action = self.decide(by_value(grown), min(up, 9), pair is not None, False)
                    then = self._play(after, grown, pair, up, hole, hands, waiting, finished, next_action)
                add(sums, then, count / sum(shoe))
            self._memo[key] = sums
        return self._memo[key]

    def _next(
        self, shoe: Counts, pair: int | None, up: int, hole: int, hands: int, waiting: int, finished: Finished
    ) -> Chances:
        if pair is None:
            return self._settle(shoe, up, hole, finished)
        return self._open(shoe, pair, up, hole, hands, waiting, finished)

    def _settle(self, shoe: Counts, up: int, hole: int, finished: Finished) -> Chances:
        if natural(up, hole):
            return {Fraction(-sum(stake for _, stake in finished)): 1.0}
        sums: Chances = defaultdict(float)
        for end, chance in dealer_ends(shoe, two_cards(len(shoe), up, hole), self.rules.soft17).items():
            sums[Fraction(sum(stake * result(total, end) for total, stake in finished))] += chance
        return sums


def by_value(hand: Counts) -> Counts:
    return (*hand[:9], sum(hand[9:]))


def finish(finished: Finished, hand: Counts, stake: int) -> Finished:
    return tuple(sorted((*finished, (min(points(hand)[0], BUST), stake))))


def add(sums: Chances, more: Chances, weight: float) -> None:
    for outcome, chance in more.items():
        sums[outcome] += weight * chance


def mean_and_sd(chances: Chances) -> tuple[float, float]:
    mean = sum(float(outcome) * chance for outcome, chance in chances.items())
    return mean, sqrt(sum(float(outcome) ** 2 * chance for outcome, chance in chances.items()) - mean**2)
