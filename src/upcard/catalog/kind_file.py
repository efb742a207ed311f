"""A file of kinds of wager: their events as conditions in the language, with examples."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from upcard.cards import Card, read_cards
from upcard.catalog.fields import MOST_DECKS, CatalogModel
from upcard.catalog.load import load_model
from upcard.catalog.toml_places import TomlPlaces
from upcard.problems import BadFile, Problem, UnknownName
from upcard.wagers import Kind, Role, SettlesAt
from upcard.wagers.written_kind import NAME, WrittenKind, highest

NO_EVENT = "none"
WITH_BLACKJACK = "player has blackjack"  # after the cards of an example on the dealer's hand

CardName = Literal["first", "second", "up", "hole"]
_CardNames = Annotated[tuple[CardName, ...], Field(strict=False)]
_Texts = Annotated[tuple[str, ...], Field(strict=False)]
_ROLES: Mapping[CardName, Role] = {
    "first": Role.FIRST,
    "second": Role.SECOND,
    "up": Role.UP,
    "hole": Role.HOLE,
}
_SETTLES = {"peek": SettlesAt.PEEK, "reveal": SettlesAt.REVEAL}


class KindEntry(CatalogModel):
    """One `[[kind]]` of a file."""

    name: str = Field(pattern=f"^{NAME.pattern}$")
    title: str = Field(default="", max_length=60)
    reads: _CardNames | Literal["dealer hand"]
    settles: Literal["peek", "reveal"] | None = None  # of a kind that reads the hole card
    events: Mapping[str, str] = Field(min_length=1, max_length=60)
    let: Mapping[str, str] = Field(default={}, max_length=60)
    offered: str = ""
    offered_with: str = ""
    paid_like: str = ""
    lost_on_player_total: int | None = Field(default=None, ge=22, le=31)
    least_decks: Mapping[str, int] = {}
    examples: Mapping[str, _Texts] = {}
    notes: tuple[str, ...] = Field(default=(), strict=False)

    def written(self) -> WrittenKind:
        reads = None if self.reads == "dealer hand" else tuple(sorted(_ROLES[card] for card in self.reads))
        settles = SettlesAt.DEALER_DONE if reads is None else SettlesAt.DEAL
        return WrittenKind(
            name=self.name,
            title=self.title or self.name.replace("-", " ").capitalize(),
            reads=reads,
            events=self.events,
            let=self.let,
            settles=settles if self.settles is None else _SETTLES[self.settles],
            offered=self.offered,
            offered_with=self.offered_with,
            paid_like=self.paid_like,
            lost_on_player_total=self.lost_on_player_total,
            least_decks=self.least_decks,
        )


class KindFile(CatalogModel):
    """A file of kinds."""

    kind: tuple[KindEntry, ...] = Field(min_length=1, strict=False)


def load_kinds(path: Path, *, trusted: bool = False) -> dict[str, KindEntry]:
    """The kinds of a file by name. A trusted file is not checked: its kinds are compiled when they are used."""
    entries = load_model(path, KindFile).kind
    if not trusted:
        problems = kind_problems(path, entries)
        if problems:
            raise BadFile(problems)
    return {entry.name: entry for entry in entries}


def kind_problems(path: Path, entries: Sequence[KindEntry]) -> list[Problem]:
    """Everything wrong with the kinds of a file, with line and column."""
    places = TomlPlaces(path.read_text(encoding="utf-8-sig"))
    problems = []
    names: set[str] = set()
    for number, entry in enumerate(entries):
        complaints = list(_complaints(entry))
        if entry.name in names:
            complaints.append(("name", "this name is used twice", 0))
        names.add(entry.name)
        placed = []
        for key, sentence, letter in complaints:
            steps: tuple[str | int, ...] = ("kind", number, *key.split(".", 1))
            placed.append((places.find_letter(steps, letter), key, sentence))
        problems += [
            Problem(file=str(path), place=f"kind {entry.name}, {key}, line {line}, column {column}", sentence=sentence)
            for (line, column), key, sentence in sorted(placed)
        ]
    return problems


def _complaints(entry: KindEntry) -> Iterator[tuple[str, str, int]]:
    """A key, what is wrong with it, and the letter of its text where, counted from 1, or 0."""
    if entry.reads == "dealer hand":
        if entry.settles or entry.offered or entry.paid_like:
            yield "reads", "settles, offered and paid_like are for kinds that read cards of the deal", 0
    else:
        yield from _reads_complaints(entry)
        if entry.lost_on_player_total is not None or entry.least_decks:
            yield "reads", "lost_on_player_total and least_decks are for kinds that read the dealer's hand", 0
    for event, decks in entry.least_decks.items():
        if event not in entry.events:
            yield "least_decks", str(UnknownName(what="event", name=event, known=entry.events)), 0
        elif not 1 <= decks <= MOST_DECKS:
            yield "least_decks", f"decks must be between 1 and {MOST_DECKS}, not {decks}", 0
    if NO_EVENT in entry.events:
        yield f"events.{NO_EVENT}", f"{NO_EVENT!r} stands for no event in examples: choose another name", 0
    mistakes = entry.written().mistakes()
    for mistake in mistakes:
        yield mistake.key, mistake.sentence, mistake.column
    kind = None if mistakes else entry.written().kind()
    cards = None if entry.reads == "dealer hand" else len(entry.reads)
    for event, sentence in example_complaints(entry.examples, tuple(entry.events), cards, kind):
        yield f"examples.{event}", sentence, 0


def _reads_complaints(entry: KindEntry) -> Iterator[tuple[str, str, int]]:
    if not 2 <= len(entry.reads) <= 4:
        yield "reads", "a wager reads two to four cards of the deal", 0
    if len({*entry.reads}) != len(entry.reads):
        yield "reads", "a card is named twice", 0
    if ("hole" in entry.reads) != (entry.settles is not None):
        yield (
            "reads",
            'settles = "peek" or "reveal" goes with the hole card: settled when the dealer has looked, or turns it up',
            0,
        )


def example_complaints(
    examples: Mapping[str, Sequence[str]], events: Sequence[str], cards: int | None, kind: Kind | None
) -> Iterator[tuple[str, str]]:
    """Examples that cannot be read, or that are not what they are listed for; without the kind, only the former.

    A hand has so many cards; None for the dealer's final hand.
    """
    for event, hands in examples.items():
        if event != NO_EVENT and event not in events:
            yield event, str(UnknownName(what="event", name=event, known=events))
            continue
        for hand in hands:
            try:
                example, natural = _example(hand, cards)
            except ValueError as error:
                yield event, str(error)
                continue
            found = event if kind is None else highest(kind, example, player_blackjack=natural) or NO_EVENT
            if found != event:
                yield event, f"{hand!r} is {'no event' if found == NO_EVENT else found}, not {event}"


def _example(hand: str, number: int | None) -> tuple[Sequence[Card], bool]:
    """The cards of an example, and whether the player has a blackjack beside them."""
    text, _, rest = hand.partition(",")
    if rest and (number is not None or rest.strip() != WITH_BLACKJACK):
        raise ValueError(f"{hand!r}: after the cards of the dealer only ', {WITH_BLACKJACK}' may follow")
    cards = read_cards(text)
    if number is not None and len(cards) != number:
        raise ValueError(f"{hand!r} should be {number} cards")
    if number is None and len(cards) < 2:
        raise ValueError(f"{hand!r} should be the dealer's whole hand, the up card first")
    return cards, bool(rest)
