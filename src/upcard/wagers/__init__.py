"""Every kind of wager, by name. Classifiers turn cards into events; nothing here knows money.

A new kind is one pure function that names its events, highest first, and one entry in its file's `KINDS`.
"""

from upcard.problems import UnknownName
from upcard.wagers import dealer_hands, lucky_ladies, matches, three_cards, two_cards
from upcard.wagers.kind import DealerHandKind, DealKind, Kind, SettlesAt
from upcard.wagers.pattern_sets import Role

KINDS: dict[str, Kind] = {
    kind.name: kind for room in (lucky_ladies, two_cards, three_cards, matches, dealer_hands) for kind in room.KINDS
}


def kind_named(name: str) -> Kind:
    """The kind of this name; an unknown name suggests the nearest."""
    if name not in KINDS:
        raise UnknownName(what="wager kind", name=name, known=KINDS, hint=f"the kinds are {', '.join(KINDS)}")
    return KINDS[name]


__all__ = ["KINDS", "DealKind", "DealerHandKind", "Kind", "Role", "SettlesAt", "kind_named"]
