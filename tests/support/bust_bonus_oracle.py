"""A slow oracle for Break Bonus and Bust Bonus beside a hand played by a chart, written from the rules alone.

Cards are dealt with their suits: the player's two, the up card, the player's draws, and then the dealer's hole card
and draws. A wager that is lost with the hand (R6) can win only while one hand of the spot is neither bust nor
surrendered nor a blackjack.
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
    """Each card that may come next, its probability, and the shoe after it."""
    for card in sorted(set(shoe)):
        place = shoe.index(card)
        yield card, shoe.count(card) / len(shoe), shoe[:place] + shoe[place + 1 :]


def break_bonus(dealer: Cards) -> float:
    """002: what a unit returns, its stake included."""
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

    def mean_return(self, *, lost_with_hand: bool) -> float:
        """The average return of a unit."""
        sums = 0.0
        for first, first_chance, after_first in draws(tuple(sorted(self.shoe))):
            for second, second_chance, after_second in draws(after_first):
                for up, up_chance, shoe in draws(after_second):
                    worth = self.deal_value(first, second, up, shoe) if lost_with_hand else self.dealer((up,), shoe)
                    sums += first_chance * second_chance * up_chance * worth
        return sums

    def _dealer(self, hand: Cards, shoe: Cards) -> float:
        total, soft = points(hand)
        if total > 21:
            return self.pays(hand)
        if len(hand) > 1 and (total > 17 or (total == 17 and not soft)):
            return 0.0
        return sum(chance * self.dealer((*hand, card), rest) for card, chance, rest in draws(shoe))

    def deal_value(self, first: Card, second: Card, up: Card, shoe: Cards) -> float:
        total, soft = points((first, second))
        pair = first[0] if first[0] == second[0] else None
        letter = self.chart.look_up(total, soft=soft, up_value=up[0], pair_value=pair)
        if total == 21 or (letter.surrenders and self.surrender):
            return 0.0
        if letter.splits:
            return self.open(first[0], 2, 2, up, shoe, False)
        return self.act(letter, (first, second), up, shoe, lambda alive, rest: self.settle(alive, up, rest))

    def act(self, letter: Letter, hand: Cards, up: Card, shoe: Cards, finish: Callable[[bool, Cards], float]) -> float:
        """Plays a hand by the chart from this letter on; `finish` gets whether it is still alive, and the shoe."""
        if letter.doubles and len(hand) == 2:
            return sum(chance * finish(points((*hand, card))[0] <= 21, rest) for card, chance, rest in draws(shoe))
        if letter.stands:
            return finish(True, shoe)
        sums = 0.0
        for card, chance, rest in draws(shoe):
            grown = tuple(sorted((*hand, card)))
            total, soft = points(grown)
            if total > 21:
                sums += chance * finish(False, rest)
            else:
                after = self.chart.look_up(total, soft=soft, up_value=up[0])
                sums += chance * self.act(after, grown, up, rest, finish)
        return sums

    def _settle(self, alive: bool, up: Card, shoe: Cards) -> float:
        return self.dealer((up,), shoe) if alive else 0.0

    def _open(self, value: int, hands: int, waiting: int, up: Card, shoe: Cards, alive: bool) -> float:
        """Plays the hands of a split one after another; the last `waiting` hands have only one card so far."""
        if waiting == 0:
            return self.settle(alive, up, shoe)
        most = self.hands if value != 1 or self.resplit_aces else 2
        sums = 0.0
        for card, chance, rest in draws(shoe):
            if card[0] == value and hands < most:
                sums += chance * self.open(value, hands + 1, waiting + 1, up, rest, alive)
            elif value == 1:
                sums += chance * self.open(value, hands, waiting - 1, up, rest, True)
            else:
                sums += chance * self.hit(value, card[0], hands, waiting, up, rest, alive)
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
            lambda lives, rest: self.open(value, hands, waiting - 1, up, rest, alive or lives),
        )
