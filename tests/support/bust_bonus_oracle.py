"""Break Bonus and Bust Bonus beside a hand played by a chart, card by card: slow, and written from the rules alone.

Cards are dealt as they lie in the shoe, suits and all: the player's two, the up card, his draws, and then the
dealer's hole card and draws. A wager that is lost with the hand (R6) brings something back only while one hand of
the spot is neither bust nor surrendered nor a blackjack.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from upcard.strategy.chart import Chart, Letter

Card = tuple[int, str]  # value, ace 1 to ten 10, and suit
Cards = tuple[Card, ...]  # a hand, or a shoe


def points(hand: Cards) -> tuple[int, bool]:
    hard = sum(value for value, _ in hand)
    soft = any(value == 1 for value, _ in hand) and hard <= 11
    return (hard + 10 if soft else hard), soft


def draws(shoe: Cards) -> Iterator[tuple[Card, float, Cards]]:
    """Each sort of card that may come next, how likely, and the shoe after it."""
    for card in sorted(set(shoe)):
        place = shoe.index(card)
        yield card, shoe.count(card) / len(shoe), shoe[:place] + shoe[place + 1 :]


def break_bonus(dealer: Cards) -> float:
    """002: what a unit brings back, its stake included."""
    return 1.0 + {3: 1, 4: 3, 5: 4, 6: 15, 7: 50}.get(len(dealer), 200)


def bust_bonus(dealer: Cards) -> float:
    """003, appendix B."""
    suited = len({suit for _, suit in dealer}) == 1
    if [value for value, _ in dealer] == [8, 8, 8]:
        return 76.0 if suited else 26.0
    up = dealer[0][0]
    if suited:
        return 1.0 + (50, 25, 15, 10, 5, 3, 15, 10, 20, 20)[up - 1]
    return 1.0 + (3, 1, 1, 1, 1, 1, 2, 2, 2, 2)[up - 1]


@dataclass(eq=False)
class Spot:
    """One spot alone against a dealer who hits soft 17."""

    shoe: Cards
    chart: Chart
    pays: Callable[[Cards], float]
    hands: int = 2
    resplit_aces: bool = False
    surrender: bool = False

    def __post_init__(self) -> None:
        self.dealer = cache(self._dealer)
        self.settle = cache(self._settle)
        self.hit = cache(self._hit)
        self.open = cache(self._open)

    def brought_back(self, *, lost_with_hand: bool) -> float:
        """A unit's return in all rounds."""
        sums = 0.0
        for first, one, shoe in draws(tuple(sorted(self.shoe))):
            for second, two, fewer in draws(shoe):
                for up, three, left in draws(fewer):
                    back = self.first(first, second, up, left) if lost_with_hand else self.dealer((up,), left)
                    sums += one * two * three * back
        return sums

    def _dealer(self, hand: Cards, shoe: Cards) -> float:
        total, soft = points(hand)
        if total > 21:
            return self.pays(hand)
        if len(hand) > 1 and (total > 17 or (total == 17 and not soft)):
            return 0.0
        return sum(chance * self.dealer((*hand, card), left) for card, chance, left in draws(shoe))

    def first(self, one: Card, other: Card, up: Card, shoe: Cards) -> float:
        total, soft = points((one, other))
        pair = one[0] if one[0] == other[0] else None
        letter = self.chart.look_up(total, soft=soft, up_value=up[0], pair_value=pair)
        if total == 21 or (letter.surrenders and self.surrender):
            return 0.0
        if letter.splits:
            return self.open(one[0], 2, 2, up, shoe, False)
        return self.act(letter, (one, other), up, shoe, lambda alive, left: self.settle(alive, up, left))

    def act(self, letter: Letter, hand: Cards, up: Card, shoe: Cards, then: Callable[[bool, Cards], float]) -> float:
        """Plays a hand by this letter first, and goes on with whether it lives."""
        if letter.doubles and len(hand) == 2:
            return sum(chance * then(points((*hand, card))[0] <= 21, left) for card, chance, left in draws(shoe))
        if letter.stands:
            return then(True, shoe)
        sums = 0.0
        for card, chance, left in draws(shoe):
            grown = tuple(sorted((*hand, card)))
            total, soft = points(grown)
            if total > 21:
                sums += chance * then(False, left)
            else:
                after = self.chart.look_up(total, soft=soft, up_value=up[0])
                sums += chance * self.act(after, grown, up, left, then)
        return sums

    def _settle(self, alive: bool, up: Card, shoe: Cards) -> float:
        return self.dealer((up,), shoe) if alive else 0.0

    def _open(self, value: int, hands: int, waiting: int, up: Card, shoe: Cards, alive: bool) -> float:
        """The hands of a split, one after another; those `waiting` have one card so far."""
        if waiting == 0:
            return self.settle(alive, up, shoe)
        most = self.hands if value != 1 or self.resplit_aces else 2
        sums = 0.0
        for card, chance, left in draws(shoe):
            if card[0] == value and hands < most:
                sums += chance * self.open(value, hands + 1, waiting + 1, up, left, alive)
            elif value == 1:
                sums += chance * self.open(value, hands, waiting - 1, up, left, True)
            else:
                sums += chance * self.hit(value, card[0], hands, waiting, up, left, alive)
        return sums

    def _hit(self, value: int, second: int, hands: int, waiting: int, up: Card, shoe: Cards, alive: bool) -> float:
        hand = ((value, ""), (second, ""))
        total, soft = points(hand)
        letter = self.chart.look_up(total, soft=soft, up_value=up[0])
        return self.act(
            letter,
            hand,
            up,
            shoe,
            lambda lives, left: self.open(value, hands, waiting - 1, up, left, alive or lives),
        )
