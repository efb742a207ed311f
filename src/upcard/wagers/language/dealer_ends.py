"""A condition on the dealer's final hand as a test of its feature: all that such wagers may depend on."""

from collections.abc import Callable, Mapping

from upcard.cards import value_of_rank
from upcard.wagers.kind import DealerFeature
from upcard.wagers.language.card_sets import COMPARE
from upcard.wagers.language.syntax import (
    And,
    Anything,
    Condition,
    DealerCards,
    DealerIs,
    DealerTotal,
    Is,
    Named,
    Not,
    Or,
)

Known = Mapping[str, bool]  # what is known of the conditions that a condition refers to by name


Test = Callable[[DealerFeature, Known], bool]


def dealer_test(condition: Condition) -> Test:
    """The test of a hand, which is told whether the hand meets the conditions with a name."""
    match condition:
        case Anything():
            return lambda _feature, _known: True
        case Named(name):
            return lambda _feature, known: known[name]
        case Not(part):
            opposite = dealer_test(part)
            return lambda feature, known: not opposite(feature, known)
        case And(parts):
            every = [dealer_test(part) for part in parts]
            return lambda feature, known: all(test(feature, known) for test in every)
        case Or(parts):
            some = [dealer_test(part) for part in parts]
            return lambda feature, known: any(test(feature, known) for test in some)
        case DealerIs("bust"):
            return lambda feature, _known: feature.bust
        case DealerIs("suited"):
            return lambda feature, _known: feature.suited
        case DealerIs("three-eights"):
            return lambda feature, _known: feature.three_eights
        case DealerIs("player-blackjack"):
            return lambda feature, _known: feature.player_blackjack
        case DealerTotal(comparison, points):
            compare = COMPARE[comparison]
            return lambda feature, _known: not feature.bust and compare(feature.total, points)
        case DealerCards(comparison, cards):
            compare = COMPARE[comparison]
            return lambda feature, _known: compare(feature.cards, cards)
        case Is(_, items):
            values = {value_of_rank(rank) for item in items for rank in item.ranks}
            return lambda feature, _known: value_of_rank(feature.up_rank) in values
        case _:
            raise TypeError("a test of the deal says nothing about the dealer's final hand")


def dealer_answers(tests: Mapping[str, Test], feature: DealerFeature) -> dict[str, bool]:
    """Which conditions a hand meets; each comes after those that it refers to."""
    known: dict[str, bool] = {}
    for name, test in tests.items():
        known[name] = test(feature, known)
    return known


def needs_bust(condition: Condition, known: Known) -> bool:
    """Whether the condition says so that the dealer busts. One that only implies it gives False."""
    match condition:
        case Named(name):
            return known[name]
        case And(parts):
            return any(needs_bust(part, known) for part in parts)
        case Or(parts):
            return all(needs_bust(part, known) for part in parts)
        case _:
            return condition == DealerIs("bust")


def mentions(condition: Condition, known: Known, part: type[Condition] | Condition) -> bool:
    """Whether a test of this type, or this test, occurs in the condition."""
    match condition:
        case Named(name):
            return known[name]
        case Not(inner):
            return mentions(inner, known, part)
        case And(parts) | Or(parts):
            return any(mentions(inner, known, part) for inner in parts)
        case _:
            return isinstance(condition, part) if isinstance(part, type) else condition == part
