"""A kind of wager written as conditions in the language: parsed and compiled only when it is used."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from upcard.wagers.kind import Condition as PatternPair
from upcard.wagers.kind import DealerFeature, DealerHandKind, DealKind, Events, Kind, SettlesAt
from upcard.wagers.language.card_sets import CardSets
from upcard.wagers.language.dealer_ends import Test, dealer_answers, dealer_test, mentions, needs_bust
from upcard.wagers.language.parser import is_taken, parse
from upcard.wagers.language.syntax import Condition, DealerIs, DealerTotal, answers, in_order, names_in
from upcard.wagers.language.tokens import ConditionError
from upcard.wagers.pattern_sets import Role, Space

OFFERED = "offered"
NAME = re.compile(r"[a-z0-9][a-z0-9+\-]{0,59}")  # of a kind, an event or a let
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
            busts = answers(self._ordered, needs_bust)
            totals = answers(self._ordered, lambda condition, known: mentions(condition, known, DealerTotal))
            blackjack = DealerIs("player-blackjack")
            blackjacks = answers(self._ordered, lambda condition, known: mentions(condition, known, blackjack))
            return DealerHandKind(
                name=self.name,
                title=self.title,
                settles=self.settles,
                classifier=self.classify_dealer,
                events=tuple(self.events),
                least_decks=self.least_decks or {},
                lost_on_player_total=self.lost_on_player_total,
                only_busts=all(busts[event] for event in self.events),
                reads_total=any(totals[event] for event in self.events),
                reads_player_blackjack=any(blackjacks[event] for event in self.events),
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

    @cached_property
    def _ordered(self) -> Mapping[str, Condition]:
        return in_order(self.conditions)

    def classify_deal(self, ranks: Space, suits: Space, chosen: int) -> Events:
        sets = CardSets(ranks, suits, chosen)
        pairs = {name: sets.define(name, condition) for name, condition in self._ordered.items()}
        return {event: pairs[event] for event in self.events}

    def offered_sets(self, ranks: Space, suits: Space) -> PatternPair:
        """When the wager is offered; the mistakes say so if it takes more than one pair."""
        (pair,) = CardSets(ranks, suits, 0).of(parse(self.offered, self.reads, ()))
        return pair

    @cached_property
    def _dealer_tests(self) -> Mapping[str, Test]:
        return {name: dealer_test(condition) for name, condition in self._ordered.items()}

    def classify_dealer(self, feature: DealerFeature) -> Mapping[str, bool]:
        held = dealer_answers(self._dealer_tests, feature)
        return {event: held[event] for event in self.events}

    def mistakes(self) -> list[Mistake]:
        """Everything wrong with the texts. A mistake of one condition hides none of another."""
        texts = {name: (f"{part}.{name}", text) for part, of in self._parts() for name, text in of.items()}
        mistakes = [
            Mistake(f"{part}.{name}", sentence, 0)
            for part, of in self._parts()
            for name in of
            for sentence in self._name_mistakes(part, name)
        ]
        names = [name for name in texts if not is_taken(name, self.reads)]
        parsed = {name: self._parsed(key, text, names, mistakes) for name, (key, text) in texts.items()}
        offered = self._parsed(OFFERED, self.offered, (), mistakes) if self.offered else None
        readable = {name: condition for name, condition in parsed.items() if condition is not None}
        mistakes += [Mistake(texts[name][0], sentence, column) for name, sentence, column in _cycles(readable)]
        wrong = {mistake.key.partition(".")[2] for mistake in mistakes}
        sound = {name: condition for name, condition in readable.items() if name not in wrong}
        while unsound := [name for name in sound if any(other.name not in sound for other in names_in(sound[name]))]:
            sound = {name: condition for name, condition in sound.items() if name not in unsound}
        return [*mistakes, *self._impossible(in_order(sound), offered)]

    def _parts(self) -> tuple[tuple[str, Mapping[str, str]], ...]:
        return ("events", self.events), ("let", self.let)

    def _parsed(self, key: str, text: str, names: Sequence[str], mistakes: list[Mistake]) -> Condition | None:
        try:
            return parse(text, self.reads, names)
        except ConditionError as error:
            mistakes.append(Mistake(key, error.sentence, error.column))
            return None

    def _name_mistakes(self, part: str, name: str) -> Iterator[str]:
        if is_taken(name, self.reads):
            yield f"{name!r} means something else in a condition: choose another name"
        elif not NAME.fullmatch(name):
            yield f"{name!r} cannot stand in a condition: a name has small letters, digits and hyphens, at most 60"
        if part == "let" and name in self.events:
            yield "this name is also an event's"

    def _impossible(self, sound: Mapping[str, Condition], offered: Condition | None) -> Iterator[Mistake]:
        """Events that no cards are, and conditions that take too many pairs."""
        if self.reads is None:
            yield from self._impossible_ends(sound)
            return
        sets = CardSets(Space(values=13, roles=self.reads), Space(values=4, roles=self.reads), 0)
        too_many: set[str] = set()
        for name, condition in sound.items():
            if any(other.name in too_many for other in names_in(condition)):
                too_many.add(name)  # because of the other, which says so
                continue
            try:
                if not sets.define(name, condition) and name in self.events:
                    yield Mistake(f"events.{name}", "no cards can be this event", 0)
            except ValueError as error:
                too_many.add(name)
                yield Mistake(f"{'events' if name in self.events else 'let'}.{name}", str(error), 0)
        if offered is not None and len(sets.of(offered)) != 1:
            yield Mistake(OFFERED, "this must be one condition on ranks and one on suits", 0)

    def _impossible_ends(self, sound: Mapping[str, Condition]) -> Iterator[Mistake]:
        from upcard.wagers.definition import every_feature, is_possible

        tests = {name: dealer_test(condition) for name, condition in sound.items()}
        never = {name for name in sound if name in self.events}
        for hand in every_feature(totals=True):
            if never and is_possible(hand):
                held = dealer_answers(tests, hand)
                never = {name for name in never if not held[name]}
        for event in self.events:
            if event in never:
                yield Mistake(f"events.{event}", "no hand of the dealer can be this event", 0)


def _cycles(conditions: Mapping[str, Condition]) -> Iterator[tuple[str, str, int]]:
    """Names that refer to themselves, directly or through others; each with a sentence and its column."""

    def leads_to(name: str, target: str, visited: set[str]) -> bool:
        for other in names_in(conditions[name]) if name in conditions else ():
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
                yield name, f"{other.name!r} leads back to {name!r}", other.column
                break


def highest(kind: Kind, hand: Sequence[int], *, player_blackjack: bool = False) -> str | None:
    """The highest event of a hand, given in the order the kind reads it (the dealer's: up card first)."""
    if isinstance(kind, DealKind):
        return kind.classify(dict(zip(kind.reads, hand, strict=True)), kind.events)
    return kind.classify(hand, (), kind.events, player_blackjack=player_blackjack)
