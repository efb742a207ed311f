"""The standard deviation against the plain recursion, which squares the result of a whole round, splits and all."""

from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np
import pytest
from support import blackjack_oracle as plain
from support.main_game_rules import PEERS, shoe_of, solved

from upcard.odds.main.deviation import standard_deviation, unsplit_squares
from upcard.odds.main.position import FIRST, SECOND
from upcard.odds.main.solve import solve

SMALL = (4, 0, 0, 0, 3, 0, 0, 6, 0, 12)


@dataclass(eq=False)
class Squares(plain.Table):
    """The same rounds, decided as the plain table decides, with every result squared."""

    decides: plain.Table = field(default_factory=lambda: plain.Table(SMALL))

    def settle(self, shoe: plain.Counts, up: int, hole: int, finished: plain.Finished) -> float:
        if plain.natural(up, hole):
            return float(sum(stake for _, stake in finished) ** 2)
        ends = plain.dealer_ends(shoe, plain.two_cards(len(shoe), up, hole), self.soft17)
        return sum(
            chance * sum(stake * plain.result(total, end) for total, stake in finished) ** 2
            for end, chance in ends.items()
        )

    def first_value(self, first: int, second: int, up: int) -> float:
        hand = plain.two_cards(len(self.shoe), first, second)
        dealer_natural = self.natural_chance(hand, up)
        if plain.natural(first, second):
            return self.blackjack**2 * (1 - dealer_natural)
        best = max(self.decides.actions(hand, up).values())
        if first == second and self.decides.split(first, up) > best:
            worth = self.split(first, up)
        else:
            unseen = self.without(hand, up)
            holes = self.holes(unseen, up)
            worth = sum(
                chance * self.played(plain.minus(unseen, hole), hand, up, hole) for hole, chance in holes.items()
            )
        return (1 - dealer_natural) * worth + dealer_natural

    def played(self, shoe: plain.Counts, hand: plain.Counts, up: int, hole: int) -> float:
        values = self.decides.actions(hand, up)
        act = max(values, key=lambda name: values[name])
        if act == "stand":
            return self.settle(shoe, up, hole, ((plain.points(hand)[0], 1),))
        stake, sums = (2 if act == "double" else 1), 0.0
        for value in range(len(shoe)):
            if shoe[value]:
                grown, after = plain.plus(hand, value), plain.minus(shoe, value)
                total = min(plain.points(grown)[0], plain.BUST)
                if act == "double" or total == plain.BUST:
                    worth = self.settle(after, up, hole, ((total, stake),))
                else:
                    worth = self.played(after, grown, up, hole)
                sums += worth * shoe[value] / sum(shoe)
        return sums

    def _act(self, hand: plain.Counts, value: int, up: int) -> str:
        return self.decides._act(hand, value, up)


def plain_deviation(shoe: plain.Counts) -> float:
    decides = plain.Table(shoe, hands=3)
    return sqrt(Squares(shoe, hands=3, decides=decides).value() - decides.value() ** 2)


@pytest.mark.parametrize(("hand", "up"), [((10, 6), 10), ((9, 2), 8)])
def test_a_hand_that_is_not_split_has_its_exact_mean_square(hand: tuple[int, int], up: int) -> None:
    deck = (4,) * 9 + (16,)
    table = Squares(deck, decides=plain.Table(deck))
    unseen = table.without(plain.cards(*hand), up - 1)
    slow = sum(
        chance * table.played(plain.minus(unseen, hole), plain.cards(*hand), up - 1, hole)
        for hole, chance in table.holes(unseen, up - 1).items()
    )
    low, high = sorted(hand)
    place = int(np.flatnonzero((low - 1 == FIRST) & (high - 1 == SECOND))[0])
    assert unsplit_squares(solved(1).optimum)[place, up - 1] == pytest.approx(slow, abs=1e-12)


def test_with_many_splits_from_a_tiny_shoe_the_deviation_is_close() -> None:
    """A quarter of these cards are eights: many more hands are split than from any full shoe."""
    best = solve(shoe_of(*SMALL), replace(PEERS, hands=3)).optimum
    assert standard_deviation(best) == pytest.approx(plain_deviation(SMALL), rel=0.003)


@pytest.mark.parametrize(
    ("calmer", "wilder"),
    [({"surrender": "late"}, {}), ({"das": False}, {}), ({"double": "none", "das": False}, {"double": "10-11"})],
)
def test_rules_that_put_less_at_risk_calm_the_game(calmer: dict[str, object], wilder: dict[str, object]) -> None:
    assert standard_deviation(solved(6, **calmer).optimum) < standard_deviation(solved(6, **wilder).optimum)
