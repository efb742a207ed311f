"""The main game by plain recursion, to check the fast solver against: slow, and written from the rules alone.

It knows nothing of the package it checks. A hand and a shoe are ten counts, ace to ten, or thirteen, ace to king: then
pairs go by printed rank. The hole card is dealt first and looked at by nobody: every average runs over what it may be.
Splits are played hand after hand from the shoe as it then is, with no formula for re-splits; a split hand follows what
is best for the same cards without a split (CDZ-).
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


def natural(one: int, other: int) -> bool:
    return min(one, other) == ACE and max(one, other) >= TEN


def two(kinds: int, first: int, second: int) -> Counts:
    return plus(plus((0,) * kinds, first), second)


def cards(*values: int) -> Counts:
    """A hand of these values, ace 1 to ten 10."""
    hand: Counts = (0,) * 10
    for value in values:
        hand = plus(hand, value - 1)
    return hand


@cache
def dealer_ends(shoe: Counts, hand: Counts, soft17: str, bound: bool = False) -> dict[int, float]:
    """How the dealer ends from a hand of two or more cards."""
    total, soft = points(hand)
    bound = bound or (soft17 == "until_hard" and soft and total == 17)
    draws = total < 17 or (total == 17 and soft and soft17 == "hit") or (bound and soft)
    if not draws:
        return {min(total, BUST): 1.0}
    ends: dict[int, float] = {}
    left = sum(shoe)
    for value in range(len(shoe)):
        if shoe[value]:
            then = dealer_ends(minus(shoe, value), plus(hand, value), soft17, bound)
            for total, chance in then.items():
                ends[total] = ends.get(total, 0.0) + chance * shoe[value] / left
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
        """A round, in initial wagers."""
        sums, every = 0.0, sum(self.shoe)
        kinds = len(self.shoe)
        for first in range(kinds):
            for second in range(kinds):
                for up in range(kinds):
                    left, ways = self.shoe, 1
                    for value in (first, second, up):
                        ways *= left[value]
                        left = minus(left, value)
                    if ways > 0:
                        chance = ways / (every * (every - 1) * (every - 2))
                        sums += chance * self.first_value(first, second, up)
        return sums

    def first_value(self, first: int, second: int, up: int) -> float:
        hand = two(len(self.shoe), first, second)
        lost = self.natural_chance(hand, up)
        if natural(first, second):
            return self.blackjack * (1 - lost)
        best = max(self.actions(hand, up).values())
        if first == second:
            best = max(best, self.split(first, up))
        if not self.peek:
            return max(best, -0.5 - 0.5 * lost) if self.surrender else best
        return (1 - lost) * (max(best, -0.5) if self.surrender else best) - lost

    def natural_chance(self, hand: Counts, up: int) -> float:
        left = self.left(hand, up)
        return sum(count for hole, count in enumerate(left) if natural(up, hole)) / sum(left)

    def left(self, hand: Counts, up: int) -> Counts:
        left = minus(self.shoe, up)
        return tuple(count - held for count, held in zip(left, hand, strict=True))

    def holes(self, left: Counts, up: int) -> dict[int, float]:
        """What the hole card may be, and how likely; after a peek it makes no blackjack."""
        allowed = {hole: count for hole, count in enumerate(left) if count and not (self.peek and natural(up, hole))}
        return {value: count / sum(allowed.values()) for value, count in allowed.items()}

    def actions(self, hand: Counts, up: int) -> dict[str, float]:
        """Stand, hit and (with two cards) double, best play after it."""
        known = self._values.get((hand, up))
        if known is not None:
            return known
        left = self.left(hand, up)
        found = {"stand": 0.0, "hit": 0.0}
        if sum(hand) == 2:
            found["double"] = 0.0
        for hole, likely in self.holes(left, up).items():
            shoe = minus(left, hole)
            found["stand"] += likely * self.against(shoe, hand, up, hole)
            for value in range(len(shoe)):
                if shoe[value]:
                    chance = likely * shoe[value] / sum(shoe)
                    grown = plus(hand, value)
                    bust = points(grown)[0] > 21
                    found["hit"] += chance * (-1 if bust else max(self.actions(grown, up).values()))
                    if "double" in found:
                        after = minus(shoe, value)
                        found["double"] += 2 * chance * (-1 if bust else self.against(after, grown, up, hole))
        self._values[hand, up] = found
        return found

    def against(self, shoe: Counts, hand: Counts, up: int, hole: int) -> float:
        total = points(hand)[0]
        return self.settle(shoe, up, hole, ((total, 1),))

    def settle(self, shoe: Counts, up: int, hole: int, finished: Finished) -> float:
        dealer = two(len(shoe), up, hole)
        if natural(up, hole):
            return -float(sum(stake for _, stake in finished))
        ends = dealer_ends(shoe, dealer, self.soft17)
        return sum(chance * stake * result(total, end) for end, chance in ends.items() for total, stake in finished)

    def split(self, value: int, up: int) -> float:
        """Every hand of a split played out in turn, re-split whenever allowed."""
        left = self.left(two(len(self.shoe), value, value), up)
        sums = 0.0
        for hole, likely in self.holes(left, up).items():
            sums += likely * self._open(minus(left, hole), value, up, hole, 2, 2, ())
        self._open.cache_clear()
        self._play.cache_clear()
        return sums

    @cache  # noqa: B019 - cleared after each split
    def _open(self, shoe: Counts, value: int, up: int, hole: int, hands: int, waiting: int, done: Finished) -> float:
        if waiting == 0:
            return self.settle(shoe, up, hole, done)
        most = self.hands if value != ACE or self.resplit_aces else 2
        sums, every = 0.0, sum(shoe)
        for second in range(len(shoe)):
            if not shoe[second]:
                continue
            after = minus(shoe, second)
            if second == value and hands < most:
                worth = self._open(after, value, up, hole, hands + 1, waiting + 1, done)
            else:
                hand = two(len(shoe), value, second)
                worth = self._play(after, hand, value, up, hole, hands, waiting - 1, done)
            sums += worth * shoe[second] / every
        return sums

    @cache  # noqa: B019 - lives as long as its one caller
    def _play(
        self, shoe: Counts, hand: Counts, value: int, up: int, hole: int, hands: int, waiting: int, done: Finished
    ) -> float:
        act = self._act(hand, value, up)
        if act == "stand":
            return self._open(shoe, value, up, hole, hands, waiting, self._with(done, hand, 1))
        sums, every = 0.0, sum(shoe)
        for card in range(len(shoe)):
            if shoe[card]:
                grown, after = plus(hand, card), minus(shoe, card)
                if act == "double" or points(grown)[0] > 21:
                    stake = 2 if act == "double" else 1
                    worth = self._open(after, value, up, hole, hands, waiting, self._with(done, grown, stake))
                else:
                    worth = self._play(after, grown, value, up, hole, hands, waiting, done)
                sums += worth * shoe[card] / every
        return sums

    def _act(self, hand: Counts, value: int, up: int) -> str:
        if value == ACE and not self.hit_split_aces:
            return "stand"
        found = self.actions(hand, up)
        allowed = [name for name in found if name != "double" or self.das]
        return max(allowed, key=lambda name: found[name])

    @staticmethod
    def _with(done: Finished, hand: Counts, stake: int) -> Finished:
        return tuple(sorted((*done, (min(points(hand)[0], BUST), stake))))

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other
