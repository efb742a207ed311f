"""A condition on the cards of the deal as sets of patterns (decision 001).

A condition is a union of pairs: a set of rank patterns, and a set of suit patterns. One that ties ranks to suits card
by card needs several pairs. A kind may have at most `MOST_PAIRS` of them for an event.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

from upcard.cards import ACE, TEN, value_of_rank
from upcard.wagers.language.syntax import (
    And,
    Anything,
    Blackjack,
    Cards,
    Comparison,
    Condition,
    DealerCards,
    DealerIs,
    DealerTotal,
    Is,
    Item,
    Matches,
    Named,
    Not,
    Or,
    Order,
    Run,
    Share,
    Total,
)
from upcard.wagers.pattern_sets import Role, Space

Pair = tuple[int, int]
Pairs = list[Pair]

MOST_PAIRS = 64

COMPARE: Mapping[Comparison, Callable[[int, int], bool]] = {
    "=": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


class TooManyPairs(ValueError):  # noqa: N818 - casino English, not a traceback
    """A condition that ties ranks to suits in too many ways."""

    def __init__(self) -> None:
        super().__init__(f"this ties ranks to suits in more than {MOST_PAIRS} ways: use fewer cards or conditions")


class CardSets:
    """The sets of patterns of a kind's conditions, for one chosen suit."""

    def __init__(self, ranks: Space, suits: Space, chosen: int) -> None:
        self.ranks, self.suits, self.chosen = ranks, suits, chosen
        self._named: dict[str, Pairs] = {}
        self._known: dict[Condition, Pairs] = {}

    def define(self, name: str, condition: Condition) -> Pairs:
        """The pairs of a condition with a name; those that it refers to must have been defined before."""
        self._named[name] = self.of(condition)
        return self._named[name]

    def of(self, condition: Condition) -> Pairs:
        """The pairs of a condition."""
        if condition not in self._known:
            self._known[condition] = self._pairs(condition)
        return self._known[condition]

    def _pairs(self, condition: Condition) -> Pairs:
        match condition:
            case Anything():
                return [(self.ranks.every, self.suits.every)]
            case Named(name):
                return self._named[name]
            case Not(part):
                return self._complement(self.of(part))
            case And(parts):
                pairs = self.of(parts[0])
                for part in parts[1:]:
                    pairs = _both(pairs, self.of(part))
                return pairs
            case Or(parts):
                return _merged(pair for part in parts for pair in self.of(part))
            case Is(cards, items, least, most):
                return self._is(cards, items, least, most)
            case Matches(cards, other, aspect, least, most):
                return self._counted([self._share((card, other), aspect) for card in cards], least, most)
            case Share(cards, aspect, differ):
                if not differ:
                    return self._share(cards, aspect)
                alike = [self._share(pair, aspect) for pair in combinations(cards, 2)]
                return self._counted(alike, 0, 0)
            case DealerIs() | DealerCards() | DealerTotal():
                raise TypeError("a test of the dealer's final hand says nothing about the deal")
            case _:
                return _merged([(self._by_ranks(condition), self.suits.every)])

    def _is(self, cards: Cards, items: Sequence[Item], least: int, most: int) -> Pairs:
        """Every card one of the items, or so many of them."""
        by_card = []
        for card in cards:
            pairs: Pairs = []
            for item in items:
                suits = {self.chosen} if item.chosen else item.suits
                pairs.append((self.ranks.at(card, *item.ranks), self.suits.at(card, *suits)))
            by_card.append(_merged(pairs))
        return self._counted(by_card, least, most)

    def _counted(self, by_card: Sequence[Pairs], least: int, most: int) -> Pairs:
        """At least and at most so many of these conditions hold."""
        if least == len(by_card):
            return self._all(by_card)
        if (least, most) == (1, len(by_card)):
            return _merged(pair for pairs in by_card for pair in pairs)
        opposites = [self._complement(pairs) for pairs in by_card]
        ways: Pairs = []
        for count in range(least, most + 1):
            for true in combinations(range(len(by_card)), count):
                ways += self._all([pairs if place in true else opposites[place] for place, pairs in enumerate(by_card)])
        return _merged(ways)

    def _all(self, conditions: Sequence[Pairs]) -> Pairs:
        pairs: Pairs = [(self.ranks.every, self.suits.every)]
        for condition in conditions:
            pairs = _both(pairs, condition)
        return pairs

    def _share(self, cards: Sequence[Role], aspect: str) -> Pairs:
        match aspect:
            case "rank":
                return [(self.ranks.same(*cards), self.suits.every)]
            case "suit":
                return [(self.ranks.every, self.suits.same(*cards))]
            case "card":
                return [(self.ranks.same(*cards), self.suits.same(*cards))]
            case "value":
                alike = _where(self.ranks, cards, lambda *ranks: len(set(map(value_of_rank, ranks))) == 1)
                return [(alike, self.suits.every)]
            case _:
                color = _where(self.suits, cards, lambda *suits: len({suit in (1, 2) for suit in suits}) == 1)
                return [(self.ranks.every, color)]

    def _by_ranks(self, condition: Condition) -> int:
        match condition:
            case Run(cards, ace):
                return self.ranks.among(cards, _runs(len(cards), ace))
            case Total(cards, comparison, points, aces):
                compare = COMPARE[comparison]
                return _where(
                    self.ranks, cards, lambda *ranks: any(compare(total, points) for total in _totals(ranks, aces))
                )
            case Order(first, comparison, second, ace):
                compare = COMPARE[comparison]
                return _where(
                    self.ranks,
                    (first, second),
                    lambda *ranks: any(compare(*_numbers(ranks, way)) for way in _ways(ace)),
                )
            case Blackjack((first, second)):
                tens = range(TEN, 13)
                ranks = self.ranks
                return ranks.at(first, ACE) & ranks.at(second, *tens) | ranks.at(first, *tens) & ranks.at(second, ACE)
            case _:
                raise TypeError(f"{condition} has no meaning")

    def _complement(self, pairs: Pairs) -> Pairs:
        """All other patterns: by classes of suits, since each class of suits has its own ranks."""
        rest: Pairs = [(0, self.suits.every)]  # the ranks for which the condition holds, with these suits
        for ranks, suits in pairs:
            rest = [
                (held | (ranks if part == suits & group else 0), part)
                for held, group in rest
                for part in (group & suits, group & ~suits)
                if part
            ]
            if len(rest) > MOST_PAIRS:
                raise TooManyPairs
        return _merged((self.ranks.every & ~held, group) for held, group in rest)


def _both(some: Pairs, others: Pairs) -> Pairs:
    return _merged((ranks & more, suits & other) for ranks, suits in some for more, other in others)


def _merged(pairs: Iterable[Pair]) -> Pairs:
    """Without empty pairs; pairs of the same suits become one, and pairs of the same ranks."""
    by_suits: dict[int, int] = {}
    for ranks, suits in pairs:
        if ranks and suits:
            by_suits[suits] = by_suits.get(suits, 0) | ranks
    by_ranks: dict[int, int] = {}
    for suits, ranks in by_suits.items():
        by_ranks[ranks] = by_ranks.get(ranks, 0) | suits
    if len(by_ranks) > MOST_PAIRS:
        raise TooManyPairs
    return list(by_ranks.items())


def _where(space: Space, cards: Sequence[Role], holds: Callable[..., bool]) -> int:
    if len(cards) < len(space.roles) or len(cards) < 4:
        return space.where(cards, holds)
    order = [cards.index(role) for role in space.roles]  # a bit for each pattern is quicker than their union
    cells = product(range(space.values), repeat=len(cards))
    return sum(
        1 << number for number, cell in enumerate(cells) if holds(*(cell[order.index(place)] for place in range(4)))
    )


def _ways(ace: str) -> tuple[str, ...]:
    return ("low", "high") if ace == "low or high" else (ace,)


def _numbers(ranks: Sequence[int], ace: str) -> list[int]:
    return [13 if rank == ACE and ace == "high" else rank for rank in ranks]


def _runs(length: int, ace: str) -> Iterator[Sequence[int]]:
    """Every order of every run of so many ranks."""
    lowest = 1 if ace == "high" else 0
    highest = 12 if ace == "low" else 13  # the ace above the king
    for start in range(lowest, highest - length + 2):
        yield from permutations([number % 13 for number in range(start, start + length)])


def _totals(ranks: Sequence[int], aces: str) -> list[int]:
    low, count = sum(map(value_of_rank, ranks)), sum(rank == ACE for rank in ranks)
    match aces:
        case "1":
            return [low]
        case "11":
            return [low + 10 * count]
        case "best":
            return [low + 10 if count and low <= 11 else low]
        case _:
            return [low + 10 * high for high in range(count + 1)]
