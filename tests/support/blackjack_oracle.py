"""A slow oracle for the main game by plain recursion, written from the rules alone, to check the fast solver against.

It imports nothing from the package it checks. A hand and a shoe are ten counts, ace to ten; or thirteen, ace to king,
and then pairs go by printed rank. The hole card is dealt first and stays unknown: every average runs over all cards it
may be. Split hands are played one after another from the shoe as it then is, with no formula for re-splits; a split
hand follows what is best for the same cards without a split (CDZ-).
"""

from dataclasses import dataclass, field
from functools import cache

Counts = tuple[int, ...]
Finished = tuple[tuple[int, int], ...]  # each finished hand's total (22: bust) and stake

ACE, TEN, BUST = 0, 9, 22


def points(hand: Counts) -> tuple[int, bool]:
    hard = sum(min(value + 1, 10) * count for value, count in enumerate(hand))
    return (hard + 10, True) if hand[ACE] and hard <= 11 else (hard, False)


def plus(hand: Counts, value: int) -> Counts:
    return (*hand[:value], hand[value] + 1, *hand[value + 1 :])


def minus(shoe: Counts, value: int) -> Counts:
    return (*shoe[:value], shoe[value] - 1, *shoe[value + 1 :])


def natural(first: int, second: int) -> bool:
    return min(first, second) == ACE and max(first, second) >= TEN


def two_cards(kinds: int, first: int, second: int) -> Counts:
    return plus(plus((0,) * kinds, first), second)


def cards(*values: int) -> Counts:
    """A hand of these values, ace 1 to ten 10."""
    hand: Counts = (0,) * 10
    for value in values:
        hand = plus(hand, value - 1)
    return hand


@cache
def dealer_ends(shoe: Counts, hand: Counts, soft17: str, bound: bool = False) -> dict[int, float]:
    """The probabilities of the dealer's final totals from a hand of two or more cards."""
    total, soft = points(hand)
    bound = bound or (soft17 == "until_hard" and soft and total == 17)
    draws = total < 17 or (total == 17 and soft and soft17 == "hit") or (bound and soft)
    if not draws:
        return {min(total, BUST): 1.0}
    ends: dict[int, float] = {}
    remaining = sum(shoe)
    for value in range(len(shoe)):
        if shoe[value]:
            ends_after = dealer_ends(minus(shoe, value), plus(hand, value), soft17, bound)
            for total, chance in ends_after.items():
                ends[total] = ends.get(total, 0.0) + chance * shoe[value] / remaining
    return ends


def result(total: int, dealer: int) -> int:
    if total == BUST:
        return -1
    return 1 if dealer == BUST else (total > dealer) - (total < dealer)


@dataclass
class Table:
    """One shoe and one set of rules."""

    shoe: Counts
    soft17: str = "hit"
    das: bool = True
    hands: int = 4
    resplit_aces: bool = False
    hit_split_aces: bool = False
    surrender: bool = False  # late
    peek: bool = True
    blackjack: float = 1.5
    _values: dict[tuple[Counts, int], dict[str, float]] = field(default_factory=dict)

    def value(self) -> float:
        """The player's expected result of a round, per unit of initial wager."""
        sums, every = 0.0, sum(self.shoe)
        kinds = len(self.shoe)
        for first in range(kinds):
            for second in range(kinds):
                for up in range(kinds):
                    shoe, ways = self.shoe, 1
                    for value in (first, second, up):
                        ways *= shoe[value]
                        shoe = minus(shoe, value)
                    if ways > 0:
                        chance = ways / (every * (every - 1) * (every - 2))
                        sums += chance * self.first_value(first, second, up)
        return sums

    def first_value(self, first: int, second: int, up: int) -> float:
        hand = two_cards(len(self.shoe), first, second)
        dealer_natural = self.natural_chance(hand, up)
        if natural(first, second):
            return self.blackjack * (1 - dealer_natural)
        best = max(self.actions(hand, up).values())
        if first == second:
            best = max(best, self.split(first, up))
        if not self.peek:
            return max(best, -0.5 - 0.5 * dealer_natural) if self.surrender else best
        return (1 - dealer_natural) * (max(best, -0.5) if self.surrender else best) - dealer_natural

    def natural_chance(self, hand: Counts, up: int) -> float:
        shoe = self.without(hand, up)
        return sum(count for hole, count in enumerate(shoe) if natural(up, hole)) / sum(shoe)

    def without(self, hand: Counts, up: int) -> Counts:
        """The shoe without a hand and the up card."""
        shoe = minus(self.shoe, up)
        return tuple(count - in_hand for count, in_hand in zip(shoe, hand, strict=True))

    def holes(self, shoe: Counts, up: int) -> dict[int, float]:
        """The probability of each hole card; after a peek it makes no blackjack."""
        allowed = {hole: count for hole, count in enumerate(shoe) if count and not (self.peek and natural(up, hole))}
        return {value: count / sum(allowed.values()) for value, count in allowed.items()}

    def actions(self, hand: Counts, up: int) -> dict[str, float]:
        """The values of stand, hit and (with two cards) double, with best play afterwards."""
        cached = self._values.get((hand, up))
        if cached is not None:
            return cached
        unseen = self.without(hand, up)
        values = {"stand": 0.0, "hit": 0.0}
        if sum(hand) == 2:
            values["double"] = 0.0
        for hole, hole_chance in self.holes(unseen, up).items():
            shoe = minus(unseen, hole)
            values["stand"] += hole_chance * self.against(shoe, hand, up, hole)
            for value in range(len(shoe)):
                if shoe[value]:
                    chance = hole_chance * shoe[value] / sum(shoe)
                    grown = plus(hand, value)
                    bust = points(grown)[0] > 21
                    values["hit"] += chance * (-1 if bust else max(self.actions(grown, up).values()))
                    if "double" in values:
                        after = minus(shoe, value)
                        values["double"] += 2 * chance * (-1 if bust else self.against(after, grown, up, hole))
        self._values[hand, up] = values
        return values

    def against(self, shoe: Counts, hand: Counts, up: int, hole: int) -> float:
        total = points(hand)[0]
        return self.settle(shoe, up, hole, ((total, 1),))

    def settle(self, shoe: Counts, up: int, hole: int, finished: Finished) -> float:
        dealer = two_cards(len(shoe), up, hole)
        if natural(up, hole):
            return -float(sum(stake for _, stake in finished))
        ends = dealer_ends(shoe, dealer, self.soft17)
        return sum(chance * stake * result(total, end) for end, chance in ends.items() for total, stake in finished)

    def split(self, value: int, up: int) -> float:
        """The value of a split: every hand played in turn, and re-split whenever allowed."""
        unseen = self.without(two_cards(len(self.shoe), value, value), up)
        sums = 0.0
        for hole, hole_chance in self.holes(unseen, up).items():
            sums += hole_chance * self._open(minus(unseen, hole), value, up, hole, 2, 2, ())
        self._open.cache_clear()
        self._play.cache_clear()
        return sums

    @cache  # noqa: B019 - cleared after each split
    def _open(
        self, shoe: Counts, value: int, up: int, hole: int, hands: int, waiting: int, finished: Finished
    ) -> float:
        if waiting == 0:
            return self.settle(shoe, up, hole, finished)
        most = self.hands if value != ACE or self.resplit_aces else 2
        sums, every = 0.0, sum(shoe)
        for second in range(len(shoe)):
            if not shoe[second]:
                continue
            after = minus(shoe, second)
            if second == value and hands < most:
                worth = self._open(after, value, up, hole, hands + 1, waiting + 1, finished)
            else:
                hand = two_cards(len(shoe), value, second)
                worth = self._play(after, hand, value, up, hole, hands, waiting - 1, finished)
            sums += worth * shoe[second] / every
        return sums

    @cache  # noqa: B019 - lives as long as its one caller
    def _play(
        self, shoe: Counts, hand: Counts, value: int, up: int, hole: int, hands: int, waiting: int, finished: Finished
    ) -> float:
        act = self._act(hand, value, up)
        if act == "stand":
            return self._open(shoe, value, up, hole, hands, waiting, self._with(finished, hand, 1))
        sums, every = 0.0, sum(shoe)
        for card in range(len(shoe)):
            if shoe[card]:
                grown, after = plus(hand, card), minus(shoe, card)
                if act == "double" or points(grown)[0] > 21:
                    stake = 2 if act == "double" else 1
                    worth = self._open(after, value, up, hole, hands, waiting, self._with(finished, grown, stake))
                else:
                    worth = self._play(after, grown, value, up, hole, hands, waiting, finished)
                sums += worth * shoe[card] / every
        return sums

    def _act(self, hand: Counts, value: int, up: int) -> str:
        if value == ACE and not self.hit_split_aces:
            return "stand"
        values = self.actions(hand, up)
        allowed = [name for name in values if name != "double" or self.das]
        return max(allowed, key=lambda name: values[name])

    @staticmethod
    def _with(finished: Finished, hand: Counts, stake: int) -> Finished:
        return tuple(sorted((*finished, (min(points(hand)[0], BUST), stake))))

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other
