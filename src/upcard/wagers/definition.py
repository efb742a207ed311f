"""A kind of wager as data: which patterns of cards are which event, so that it can classify without program code.

A book outlives the program. If a later version defines a kind differently, or no longer has it, rounds dealt under the
old definition are still settled by it.
"""

import base64
import bz2
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NotRequired, TypedDict

from upcard.cards import HEARTS
from upcard.wagers.kind import BUST, TOTALS, DealerFeature, DealerHandKind, DealKind, Events, Kind, SettlesAt
from upcard.wagers.pattern_sets import Role, Space
from upcard.wagers.ranking import class_numbers


class DealDefinition(TypedDict):
    """A `DealKind`: the class of each pattern of ranks and suits, packed, and which pairs of classes are an event."""

    name: str
    settles: str
    reads: list[str]
    ranks: str
    suits: str
    events: list[list[str | list[list[int]]]]  # pairs of an event's name and its pairs of classes
    paid_like: str


class DealerDefinition(TypedDict):
    """A `DealerHandKind`: which hands of the dealer, packed, are an event."""

    name: str
    settles: str
    events: list[list[str]]  # pairs of an event's name and its hands
    least_decks: dict[str, int]
    lost_on_player_total: int | None
    hands: NotRequired[str]  # "totals": hands are told apart by total and the player's blackjack, not by bust alone


Definition = DealDefinition | DealerDefinition

_SETTLES = {
    SettlesAt.DEAL: "deal",
    SettlesAt.PEEK: "peek",
    SettlesAt.REVEAL: "reveal",
    SettlesAt.DEALER_DONE: "dealer-done",
}
_ROLES = {Role.FIRST: "first", Role.SECOND: "second", Role.UP: "up", Role.HOLE: "hole"}
_MOST_CARDS = 32  # of a dealer's hand; more than any can have

_NO_YES = (False, True)

# Every dealer hand that wagers can distinguish; its index is its bit number. Stored definitions have the bits in this
# order: the first for kinds that read no more than whether the hand is a bust, the second for all others.
_BY_BUST = tuple(
    DealerFeature(up_rank=rank, cards=cards, total=BUST if bust else 17, suited=suited, three_eights=eights)
    for rank, cards, bust, suited, eights in product(range(13), range(2, _MOST_CARDS + 1), _NO_YES, _NO_YES, _NO_YES)
)
_TOTALS = "totals"


@cache
def _by_total() -> tuple[DealerFeature, ...]:
    return tuple(
        DealerFeature(
            up_rank=rank, cards=cards, total=total, suited=suited, three_eights=eights, player_blackjack=natural
        )
        for rank, cards, total, suited, eights, natural in product(
            range(13), range(2, _MOST_CARDS + 1), TOTALS, _NO_YES, _NO_YES, _NO_YES
        )
    )


def every_feature(*, totals: bool) -> tuple[DealerFeature, ...]:
    """Every final hand: by total and the player's blackjack, or only by whether it is a bust."""
    return _by_total() if totals else _BY_BUST


def is_possible(feature: DealerFeature) -> bool:
    """Whether a dealer can end so: two cards do not bust, three eights do, and nobody draws more than 17 cards."""
    if feature.cards == 2 and feature.bust:
        return False
    if feature.three_eights and (not feature.bust or feature.cards == 2):
        return False
    return feature.cards <= 17


@cache
def _numbers(*, totals: bool) -> Mapping[DealerFeature, int]:
    return {feature: number for number, feature in enumerate(every_feature(totals=totals))}


@cache
def definition_of(kind: Kind, suit: int = HEARTS) -> Definition:
    """The complete definition of a kind, for the suit a layout has chosen."""
    if isinstance(kind, DealerHandKind):
        return _dealer_definition(kind)
    sheet = kind.sheet(suit)
    return {
        "name": kind.name,
        "settles": _SETTLES[kind.settles],
        "reads": [_ROLES[role] for role in kind.reads],
        "ranks": _packed(class_numbers(sheet.ranks, sheet.rank_classes)),
        "suits": _packed(class_numbers(sheet.suits, sheet.suit_classes)),
        "events": [[event, sorted(list(pair) for pair in pairs)] for event, pairs in sheet.events.items()],
        "paid_like": kind.paid_like,
    }


def kind_of(definitions: Mapping[int, Definition]) -> Kind:
    """The kind that its definitions by chosen suit describe."""
    return _built(json.dumps(list(definitions.items()), sort_keys=True))


@cache
def _built(text: str) -> Kind:
    """Cached, because rankings are cached by kind."""
    definitions = dict(json.loads(text))
    definition = next(iter(definitions.values()))
    title = definition["name"].replace("-", " ").capitalize()
    settles = next(point for point, name in _SETTLES.items() if name == definition["settles"])
    if "reads" not in definition:
        return _dealer_kind(definition, title, settles)
    roles = tuple(next(role for role, name in _ROLES.items() if name == read) for read in definition["reads"])

    def classifier(ranks: Space, suits: Space, suit: int) -> Events:
        chosen = definitions.get(suit, definition)
        rank_sets, suit_sets = _sets(chosen["ranks"], ranks), _sets(chosen["suits"], suits)
        return {
            event: [(rank_sets.get(rank_class, 0), suit_sets.get(suit_class, 0)) for rank_class, suit_class in pairs]
            for event, pairs in chosen["events"]
        }

    return DealKind(
        name=definition["name"],
        title=title,
        reads=roles,
        settles=settles,
        classifier=classifier,
        reads_chosen_suit=len(definitions) > 1,
        paid_like=definition["paid_like"],
    )


def _sets(packed: str, space: Space) -> dict[int, int]:
    """The set of patterns of each class."""
    numbers = _unpacked(packed)[: space.patterns][::-1]  # the first pattern is the lowest bit
    return {
        number: int(numbers.translate(bytes(ord("1") if other == number else ord("0") for other in range(256))), 2)
        for number in set(numbers)
    }


def _dealer_definition(kind: DealerHandKind) -> DealerDefinition:
    totals = kind.reads_total or kind.reads_player_blackjack
    features = every_feature(totals=totals)
    sets = dict.fromkeys(kind.events, 0)
    for number, feature in enumerate(features):
        for event, holds in kind.classifier(feature).items():
            sets[event] |= int(holds) << number
    size = (len(features) + 7) // 8
    definition: DealerDefinition = {
        "name": kind.name,
        "settles": _SETTLES[kind.settles],
        "events": [[event, _packed(sets[event].to_bytes(size, "little"))] for event in kind.events],
        "least_decks": dict(kind.least_decks),
        "lost_on_player_total": kind.lost_on_player_total,
    }
    return {**definition, "hands": _TOTALS} if totals else definition


def _dealer_kind(definition: DealerDefinition, title: str, settles: SettlesAt) -> DealerHandKind:
    sets = {event: int.from_bytes(_unpacked(packed), "little") for event, packed in definition["events"]}
    totals = definition.get("hands") == _TOTALS
    features = every_feature(totals=totals)
    numbers = _numbers(totals=totals)

    def classifier(feature: DealerFeature) -> Mapping[str, bool]:
        known = feature if totals else replace(feature, total=BUST if feature.bust else 17, player_blackjack=False)
        number = numbers.get(known)  # None: no hand has it
        return {event: number is not None and bool(bits >> number & 1) for event, bits in sets.items()}

    no_bust = sum(1 << number for number, feature in enumerate(features) if not feature.bust)
    return DealerHandKind(
        name=definition["name"],
        title=title,
        settles=settles,
        classifier=classifier,
        events=tuple(sets),
        least_decks=definition["least_decks"],
        lost_on_player_total=definition["lost_on_player_total"],
        only_busts=not any(bits & no_bust for bits in sets.values()),
        reads_total=totals,
        reads_player_blackjack=totals,
    )


def _packed(numbers: bytes) -> str:
    return base64.b64encode(bz2.compress(numbers)).decode()  # every build gives the same output


def _unpacked(text: str) -> bytes:
    return bz2.decompress(base64.b64decode(text))
