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

Test = Callable[[DealerFeature], bool]


def dealer_test(condition: Condition, named: Mapping[str, Condition]) -> Test:
    """The test; cyclic names must have been refused before."""
    match condition:
        case Anything():
            return lambda _: True
        case Named(name):
            return dealer_test(named[name], named)
        case Not(part):
            opposite = dealer_test(part, named)
            return lambda feature: not opposite(feature)
        case And(parts):
            every = [dealer_test(part, named) for part in parts]
            return lambda feature: all(test(feature) for test in every)
        case Or(parts):
            some = [dealer_test(part, named) for part in parts]
            return lambda feature: any(test(feature) for test in some)
        case DealerIs("bust"):
            return lambda feature: feature.bust
        case DealerIs("suited"):
            return lambda feature: feature.suited
        case DealerIs("three-eights"):
            return lambda feature: feature.three_eights
        case DealerIs("player-blackjack"):
            return lambda feature: feature.player_blackjack
        case DealerTotal(comparison, points):
            holds = COMPARE[comparison]
            return lambda feature: not feature.bust and holds(feature.total, points)
        case DealerCards(comparison, cards):
            compare = COMPARE[comparison]
            return lambda feature: compare(feature.cards, cards)
        case Is(_, items):
            values = {value_of_rank(rank) for item in items for rank in item.ranks}
            return lambda feature: value_of_rank(feature.up_rank) in values
        case _:
            raise TypeError("a test of the deal says nothing about the dealer's final hand")


def needs_bust(condition: Condition, named: Mapping[str, Condition]) -> bool:
    """Whether the condition says so that the dealer busts. One that only implies it gives False."""
    match condition:
        case Named(name):
            return needs_bust(named[name], named)
        case And(parts):
            return any(needs_bust(part, named) for part in parts)
        case Or(parts):
            return all(needs_bust(part, named) for part in parts)
        case _:
            return condition == DealerIs("bust")


def mentions(condition: Condition, named: Mapping[str, Condition], part: type[Condition] | Condition) -> bool:
    """Whether a test of this type, or this test, occurs in the condition."""
    match condition:
        case Named(name):
            return mentions(named[name], named, part)
        case Not(inner):
            return mentions(inner, named, part)
        case And(parts) | Or(parts):
            return any(mentions(inner, named, part) for inner in parts)
        case _:
            return isinstance(condition, part) if isinstance(part, type) else condition == part
