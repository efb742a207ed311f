"""What a kind of wager is: the cards it reads, its events in order of precedence, and when it can be settled.

There are two types. A `DealKind` reads cards of the first deal; its classifier gives every event as a union of
(ranks, suits) conditions. A `DealerHandKind` reads the dealer's final hand through a small finite feature.
Neither knows money: the paytable says which events are paid, and how much. Events are inclusive
("suited 20" is also "any 20"); a paytable's hand is the first event *it lists* that holds, highest first.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from upcard.cards import EIGHT, HEARTS, rank_of, suit_of
from upcard.cards.hand import total
from upcard.problems import BadRequest, UnknownName
from upcard.wagers.pattern_sets import Role, Space, split_by

Condition = tuple[int, int]  # a set of rank patterns and a set of suit patterns: both must hold
Events = Mapping[str, Sequence[Condition]]  # highest first; an event holds when any of its conditions does
Classifier = Callable[[Space, Space, int], Events]


class SettlesAt(Enum):
    """The earliest moment at which a wager's event is certain."""

    DEAL = "after the deal"
    PEEK = "after the peek"
    REVEAL = "after the hole card is revealed"
    DEALER_DONE = "after the dealer's hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A deal kind as tables: classes of rank and suit patterns, and which events hold on which pair of them."""

    reads: tuple[Role, ...]
    ranks: Space
    suits: Space
    rank_classes: tuple[int, ...]
    suit_classes: tuple[int, ...]
    events: Mapping[str, frozenset[tuple[int, int]]]
    offered: frozenset[tuple[int, int]] | None

    def rank(self, listed: Sequence[str]) -> dict[tuple[int, int], str]:
        """The highest listed event of every pair of classes that has one."""
        highest: dict[tuple[int, int], str] = {}
        for event, pairs in self.events.items():
            if event in listed:
                for pair in pairs:
                    highest.setdefault(pair, event)
        return highest

    def pair_of(self, cards: Mapping[Role, int]) -> tuple[int, int]:
        """The classes a single deal belongs to."""
        ranks = self.ranks.index([rank_of(cards[role]) for role in self.reads])
        suits = self.suits.index([suit_of(cards[role]) for role in self.reads])
        return _class_with(self.rank_classes, ranks), _class_with(self.suit_classes, suits)


@dataclass(frozen=True, kw_only=True)
class DealKind:
    """A wager on two, three or four cards of the first deal."""

    name: str
    title: str
    reads: tuple[Role, ...]
    classifier: Classifier
    settles: SettlesAt = SettlesAt.DEAL
    reads_chosen_suit: bool = False
    offered_when: Callable[[Space, Space], Condition] | None = None  # insurance: an ace is up
    offered_with: str = ""  # `offered_when` in words
    paid_like: str = ""  # the kind whose paytables this one uses
    event_names: tuple[str, ...] = ()  # known before the classifier is evaluated, or empty

    def sheet(self, suit: int = HEARTS) -> Sheet:
        """The classifier evaluated over all patterns, for the operator's chosen suit."""
        return _sheet(self, suit if self.reads_chosen_suit else HEARTS)

    @property
    def events(self) -> tuple[str, ...]:
        """Every event, highest first."""
        return self.event_names or tuple(self.sheet().events)

    def classify(self, cards: Mapping[Role, int], listed: Sequence[str], suit: int = HEARTS) -> str | None:
        """The event of one deal among those listed, or None."""
        sheet = self.sheet(suit)
        return sheet.rank(listed).get(sheet.pair_of(cards))


BUST = 22  # the total of every busted hand
UNPLAYED = 16  # the total of a hand that the dealer did not have to play out, whatever it is
TOTALS = (17, 18, 19, 20, 21, BUST)  # of a final hand


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerFeature:
    """Everything wagers on the dealer's final hand depend on. A blackjack is a total of 21 with two cards."""

    up_rank: int
    cards: int
    total: int  # one of `TOTALS`, or `UNPLAYED`
    suited: bool
    three_eights: bool
    player_blackjack: bool = False  # of the wager's own spot

    @property
    def bust(self) -> bool:
        return self.total == BUST


@dataclass(frozen=True, kw_only=True, eq=False)  # one object each, so it can be a cache key
class DealerHandKind:
    """A wager on how the dealer's hand ends.

    The last three fields say which parts of the feature the events may depend on. A kind that depends on fewer is
    priced and compiled faster; one that depends on more than it says would be priced wrong.
    """

    name: str
    title: str
    settles: SettlesAt
    classifier: Callable[[DealerFeature], Mapping[str, bool]]
    events: tuple[str, ...]
    least_decks: Mapping[str, int]  # events that need more than one deck to happen
    lost_on_player_total: int | None = None  # 003 B note 4: a player bust on exactly 30 loses
    only_busts: bool = False  # no event without a bust
    reads_total: bool = True  # beyond whether the hand is a bust
    reads_player_blackjack: bool = True

    def classify(
        self,
        dealer: Sequence[int],
        player_totals: Sequence[int],
        listed: Sequence[str],
        *,
        player_blackjack: bool = False,
    ) -> str | None:
        """The event of a finished round among those listed, or None."""
        if self.lost_on_player_total in player_totals:
            return None
        return self.highest(dealer_feature(dealer, player_blackjack=player_blackjack), listed)

    def highest(self, feature: DealerFeature, listed: Collection[str]) -> str | None:
        """The highest listed event of a final hand, or None."""
        holds = self.classifier(feature)
        return next((event for event in self.events if event in listed and holds[event]), None)


Kind = DealKind | DealerHandKind


def dealer_feature(dealer: Sequence[int], *, player_blackjack: bool = False) -> DealerFeature:
    """The feature of a final dealer hand, up card first."""
    eights = sum(rank_of(card) == EIGHT for card in dealer)
    return DealerFeature(
        up_rank=rank_of(dealer[0]),
        cards=len(dealer),
        total=min(max(total(dealer)[0], UNPLAYED), BUST),
        suited=len({suit_of(card) for card in dealer}) == 1,
        three_eights=eights == 3,
        player_blackjack=player_blackjack,
    )


def check_listed(kind: Kind, listed: Sequence[str]) -> list[UnknownName]:
    """The listed events this kind does not have, each with the nearest it has."""
    return [
        UnknownName(what=f"{kind.name} event", name=event, known=kind.events)
        for event in listed
        if event not in kind.events
    ]


@cache
def _sheet(kind: DealKind, suit: int) -> Sheet:
    ranks = Space(values=13, roles=kind.reads)
    suits = Space(values=4, roles=kind.reads)
    events = kind.classifier(ranks, suits, suit)
    if not events:
        raise BadRequest(f"the wager kind {kind.name} has no events")
    offered = kind.offered_when(ranks, suits) if kind.offered_when else None
    conditions = [condition for alternatives in events.values() for condition in alternatives]
    if offered is not None:
        conditions.append(offered)
    rank_classes = split_by(ranks.every, (rank_set for rank_set, _ in conditions))
    suit_classes = split_by(suits.every, (suit_set for _, suit_set in conditions))

    def pairs(alternatives: Sequence[Condition]) -> frozenset[tuple[int, int]]:
        return frozenset(
            (rank_number, suit_number)
            for rank_set, suit_set in alternatives
            for rank_number, rank_class in enumerate(rank_classes)
            if rank_class & rank_set
            for suit_number, suit_class in enumerate(suit_classes)
            if suit_class & suit_set
        )

    return Sheet(
        reads=kind.reads,
        ranks=ranks,
        suits=suits,
        rank_classes=tuple(rank_classes),
        suit_classes=tuple(suit_classes),
        events={event: pairs(alternatives) for event, alternatives in events.items()},
        offered=None if offered is None else pairs([offered]),
    )


def _class_with(classes: Sequence[int], pattern: int) -> int:
    return next(number for number, part in enumerate(classes) if part >> pattern & 1)
