"""A kind of wager as data: which patterns of cards are which event, so that it can classify without program code.

A book outlives the program. If a later version defines a kind differently, or no longer has it, rounds dealt under the
old definition are still settled by it.
"""

import base64
import bz2
import json
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import TypedDict

from upcard.cards import HEARTS
from upcard.wagers.kind import DealerFeature, DealerHandKind, DealKind, Events, Kind, SettlesAt
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


Definition = DealDefinition | DealerDefinition

_SETTLES = {
    SettlesAt.DEAL: "deal",
    SettlesAt.PEEK: "peek",
    SettlesAt.REVEAL: "reveal",
    SettlesAt.DEALER_DONE: "dealer-done",
}
_ROLES = {Role.FIRST: "first", Role.SECOND: "second", Role.UP: "up", Role.HOLE: "hole"}
_MOST_CARDS = 32  # of a dealer's hand; more than any can have

# Every dealer hand that wagers can distinguish; its index is its bit number.
_FEATURES = tuple(
    DealerFeature(up_rank=rank, cards=cards, bust=bust, suited=suited, three_eights=eights)
    for rank, cards, bust, suited, eights in product(
        range(13), range(2, _MOST_CARDS + 1), (False, True), (False, True), (False, True)
    )
)
_NUMBERS = {feature: number for number, feature in enumerate(_FEATURES)}


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


def kind_of(definitions: Mapping[int, Definition], program: Kind | None) -> Kind:
    """The kind that its definitions by chosen suit describe: the program's own if it still means the same."""
    if program is not None and all(definition_of(program, suit) == stored for suit, stored in definitions.items()):
        return program
    first = next(iter(definitions.values()))
    title = first["name"].replace("-", " ").capitalize() if program is None else program.title
    return _built(json.dumps(list(definitions.items()), sort_keys=True), title)


@cache
def _built(text: str, title: str) -> Kind:
    """Cached, because rankings are cached by kind."""
    definitions = dict(json.loads(text))
    definition = next(iter(definitions.values()))
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
    sets: dict[int, int] = {}
    for pattern, number in enumerate(_unpacked(packed)[: space.patterns]):
        sets[number] = sets.get(number, 0) | 1 << pattern
    return sets


def _dealer_definition(kind: DealerHandKind) -> DealerDefinition:
    sets = dict.fromkeys(kind.events, 0)
    for number, feature in enumerate(_FEATURES):
        for event, holds in kind.classifier(feature).items():
            sets[event] |= int(holds) << number
    size = (len(_FEATURES) + 7) // 8
    return {
        "name": kind.name,
        "settles": _SETTLES[kind.settles],
        "events": [[event, _packed(sets[event].to_bytes(size, "little"))] for event in kind.events],
        "least_decks": dict(kind.least_decks),
        "lost_on_player_total": kind.lost_on_player_total,
    }


def _dealer_kind(definition: DealerDefinition, title: str, settles: SettlesAt) -> DealerHandKind:
    sets = {event: int.from_bytes(_unpacked(packed), "little") for event, packed in definition["events"]}

    def classifier(feature: DealerFeature) -> Mapping[str, bool]:
        number = _NUMBERS[feature]
        return {event: bool(numbers >> number & 1) for event, numbers in sets.items()}

    return DealerHandKind(
        name=definition["name"],
        title=title,
        settles=settles,
        classifier=classifier,
        events=tuple(sets),
        least_decks=definition["least_decks"],
        lost_on_player_total=definition["lost_on_player_total"],
    )


def _packed(numbers: bytes) -> str:
    return base64.b64encode(bz2.compress(numbers)).decode()  # every build gives the same output


def _unpacked(text: str) -> bytes:
    return bz2.decompress(base64.b64decode(text))
