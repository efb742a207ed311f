"""A kind of wager written as conditions in the language: parsed and compiled only when it is used."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from upcard.wagers.kind import Condition as PatternPair
from upcard.wagers.kind import DealerFeature, DealerHandKind, DealKind, Events, Kind, SettlesAt
from upcard.wagers.language.card_sets import CardSets
from upcard.wagers.language.dealer_ends import Test, dealer_test, mentions, needs_bust
from upcard.wagers.language.parser import is_taken, parse
from upcard.wagers.language.syntax import Condition, DealerIs, DealerTotal, names_in
from upcard.wagers.language.tokens import ConditionError
from upcard.wagers.pattern_sets import Role, Space

OFFERED = "offered"
MOST_CLASSES = 256  # of ranks: a byte for each pattern


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong with the text of a condition: which one, and where in it."""

    key: str  # "events.NAME", "let.NAME" or "offered"
    sentence: str
    column: int


@dataclass(frozen=True, kw_only=True, eq=False)  # one object each, so that what is compiled from it can be kept
class WrittenKind:
    """The texts of a kind; events from highest to lowest."""

    name: str
    title: str
    reads: tuple[Role, ...] | None  # None: the dealer's final hand
    events: Mapping[str, str]
    let: Mapping[str, str]
    settles: SettlesAt
    offered: str = ""
    offered_with: str = ""
    paid_like: str = ""
    lost_on_player_total: int | None = None
    least_decks: Mapping[str, int] | None = None

    def kind(self) -> Kind:
        """The kind, whose conditions are compiled when it is first used."""
        if self.reads is None:
            conditions, named = [self.conditions[event] for event in self.events], self.conditions
            return DealerHandKind(
                name=self.name,
                title=self.title,
                settles=self.settles,
                classifier=self.classify_dealer,
                events=tuple(self.events),
                least_decks=self.least_decks or {},
                lost_on_player_total=self.lost_on_player_total,
                only_busts=all(needs_bust(condition, named) for condition in conditions),
                reads_total=any(mentions(condition, named, DealerTotal) for condition in conditions),
                reads_player_blackjack=any(
                    mentions(condition, named, DealerIs("player-blackjack")) for condition in conditions
                ),
            )
        texts = (*self.events.values(), *self.let.values())
        return DealKind(
            name=self.name,
            title=self.title,
            reads=self.reads,
            classifier=self.classify_deal,
            settles=self.settles,
            reads_chosen_suit=any("chosen-suit" in text for text in texts),
            offered_when=self.offered_sets if self.offered else None,
            offered_with=self.offered_with,
            paid_like=self.paid_like,
            event_names=tuple(self.events),
        )

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Every condition by its name."""
        names = (*self.events, *self.let)
        return {name: parse(text, self.reads, names) for name, text in (*self.events.items(), *self.let.items())}

    def classify_deal(self, ranks: Space, suits: Space, chosen: int) -> Events:
        sets = CardSets(ranks, suits, chosen, self.conditions)
        return {event: sets.of(self.conditions[event]) for event in self.events}

    def offered_sets(self, ranks: Space, suits: Space) -> PatternPair:
        """When the wager is offered; the mistakes say so if it takes more than one pair."""
        (pair,) = CardSets(ranks, suits, 0, self.conditions).of(parse(self.offered, self.reads, ()))
        return pair

    @cached_property
    def _dealer_tests(self) -> Mapping[str, Test]:
        return {event: dealer_test(self.conditions[event], self.conditions) for event in self.events}

    def classify_dealer(self, feature: DealerFeature) -> Mapping[str, bool]:
        return {event: test(feature) for event, test in self._dealer_tests.items()}

    def mistakes(self) -> list[Mistake]:
        """Everything wrong with the texts."""
        mistakes, parsed = [], {}
        names = [name for name in (*self.events, *self.let) if not is_taken(name, self.reads)]
        for key, text in self._texts():
            name = key.partition(".")[2]
            if is_taken(name, self.reads):
                mistakes.append(Mistake(key, f"{name!r} means something else in a condition: choose another name", 0))
            try:
                parsed[name] = parse(text, self.reads, () if key == OFFERED else names)
            except ConditionError as error:
                mistakes.append(Mistake(key, error.sentence, error.column))
        mistakes += [
            Mistake(f"let.{name}", "this name is also an event's", 0) for name in self.let if name in self.events
        ]
        if mistakes:
            return mistakes
        mistakes += list(_cycles(parsed, dict(self._texts())))
        return mistakes or list(self._impossible())

    def _texts(self) -> Iterator[tuple[str, str]]:
        yield from ((f"events.{name}", text) for name, text in self.events.items())
        yield from ((f"let.{name}", text) for name, text in self.let.items())
        if self.offered:
            yield OFFERED, self.offered

    def _impossible(self) -> Iterator[Mistake]:
        """Events that no cards are, and conditions that take too many pairs."""
        if self.reads is None:
            yield from self._impossible_ends()
            return
        sets = CardSets(Space(values=13, roles=self.reads), Space(values=4, roles=self.reads), 0, self.conditions)
        for event in self.events:
            try:
                if not sets.of(self.conditions[event]):
                    yield Mistake(f"events.{event}", "no cards can be this event", 0)
            except ValueError as error:
                yield Mistake(f"events.{event}", str(error), 0)
        if self.offered and len(sets.of(parse(self.offered, self.reads, ()))) != 1:
            yield Mistake(OFFERED, "this must be one condition on ranks and one on suits", 0)

    def _impossible_ends(self) -> Iterator[Mistake]:
        from upcard.wagers.definition import every_feature, is_possible

        hands = [feature for feature in every_feature(totals=True) if is_possible(feature)]
        for event, test in self._dealer_tests.items():
            if not any(map(test, hands)):
                yield Mistake(f"events.{event}", "no hand of the dealer can be this event", 0)


def _cycles(conditions: Mapping[str, Condition], texts: Mapping[str, str]) -> Iterator[Mistake]:
    """Names that refer to themselves, directly or through others."""
    keys = {key.partition(".")[2]: key for key in texts}

    def leads_to(name: str, target: str, visited: set[str]) -> bool:
        for other in names_in(conditions[name]):
            if other.name == target:
                return True
            if other.name not in visited:
                visited.add(other.name)
                if leads_to(other.name, target, visited):
                    return True
        return False

    for name, condition in conditions.items():
        for other in names_in(condition):
            if other.name == name or leads_to(other.name, name, set()):
                yield Mistake(keys[name], f"{other.name!r} leads back to {name!r}", other.column)
                break


def highest(kind: Kind, hand: Sequence[int], *, player_blackjack: bool = False) -> str | None:
    """The highest event of a hand, given in the order the kind reads it (the dealer's: up card first)."""
    if isinstance(kind, DealKind):
        return kind.classify(dict(zip(kind.reads, hand, strict=True)), kind.events)
    return kind.classify(hand, (), kind.events, player_blackjack=player_blackjack)
