"""A paytable: which events of a wager kind are paid, how much, with how many decks, and what its filing published.

One file has the tables that a filing prints together: keys above the first `[[paytable]]` apply to all of them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from upcard.catalog.fields import MOST_DECKS, CatalogModel, Decks, PositiveMoney, RawTable, slug_of
from upcard.catalog.pays import Pay, Printed, PrintedPay, Share, resolve
from upcard.catalog.salvage import Salvaged
from upcard.problems import Problem, UnknownName
from upcard.units import Basis, Cents
from upcard.wagers import Kind
from upcard.wagers.kind import check_listed

MOST_LETTERS = 60  # of a name
ALL_DECKS = tuple(range(1, 9))  # if a table gives none

Figure = Literal[
    "house advantage",  # in percent
    "return to player",  # in percent
    "hit rate",  # the wagers that win, in percent
    "hit frequency",  # the same as "1 in 4"
    "probability",  # of an event: a number, or in percent
    "combinations",  # of an event
    "average hands until hit",  # of an event
]


class Published(CatalogModel):
    """One figure exactly as the filing prints it."""

    figure: Figure
    printed: str = Field(pattern=r"^(1 in )?-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?%?$")
    event: str = ""  # for figures of a line; all events named so form the published table's rows
    decks: int | None = Field(default=None, ge=1, le=MOST_DECKS)


class _Common(CatalogModel):
    """Keys that apply to a whole file or to one table."""

    wager: str | None = None
    filing: str | None = None
    place: str | None = None
    basis: Literal["to 1", "for 1"] | None = None
    decks: Decks | None = None
    jackpot: str | None = None
    printed_wager: PositiveMoney | None = None
    readings: tuple[str, ...] | None = Field(default=None, strict=False)
    notes: tuple[str, ...] | None = Field(default=None, strict=False)


class PaytableEntry(_Common):
    """One `[[paytable]]` of a file."""

    name: str = Field(min_length=1, max_length=MOST_LETTERS)
    pays: Mapping[str, PrintedPay] = Field(min_length=1)
    titles: Mapping[str, str] = {}
    published: tuple[Published, ...] = Field(default=(), strict=False)


class PaytableHead(_Common):
    """The keys above the first table."""

    titles: Mapping[str, str] = {}


class PaytableFile(PaytableHead):
    """A file of paytables."""

    paytable: tuple[PaytableEntry, ...] = Field(min_length=1, strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paytable:
    """A paytable ready for use; its lines are ordered by event, highest first."""

    name: str
    kind: Kind
    filing: str
    place: str
    basis: Basis
    decks: tuple[int, ...]
    lines: Mapping[str, Pay]
    titles: Mapping[str, str]
    printed_wager: Cents | None
    published: tuple[Published, ...]
    readings: tuple[str, ...]
    notes: tuple[str, ...]
    file: str
    printed: Mapping[str, Printed] = field(default_factory=dict)  # the lines as their file prints them

    @property
    def slug(self) -> str:
        return slug_of(self.name)

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The jackpots this table pays from, in order of their first line."""
        return tuple(dict.fromkeys(pay.jackpot for pay in self.lines.values() if isinstance(pay, Share)))

    @property
    def names_a_suit(self) -> bool:
        """Whether an award is only for the operator's suit."""
        return any(map(is_for_one_suit, self.lines))

    def title(self, event: str) -> str:
        """The filing's name for an event."""
        return self.titles.get(event) or event.replace("-", " ").capitalize()


def is_for_one_suit(event: str) -> bool:
    """Whether an event is won in the operator's suit only."""
    return "specific" in event


def build(file: str, parsed: PaytableFile, kinds: Mapping[str, Kind]) -> list[Paytable]:
    """Builds the tables of a file without problems: applies file-wide keys and resolves printed pays."""
    return [
        _table(file, parsed, entry, _lines(Salvaged(parsed), Salvaged(entry))[0], kinds) for entry in parsed.paytable
    ]


def paytable_problems(
    file: str, head: Salvaged[PaytableHead], drafts: Sequence[Salvaged[PaytableEntry]], readings: Collection[str] | None
) -> list[Problem]:
    """The problems of the tables, as far as they could be read."""
    problems = []
    names: list[str] = []
    for number, draft in enumerate(drafts):
        name: str | None = draft.entry.name  # None where it is missing
        place = f"paytable {name}" if name else f"paytable[{number}]"
        complaints = [*_lines(head, draft)[1], *_complaints(head, draft, readings)]
        if name in names:
            complaints.append(("", "this name is used twice"))
        names += [name] if name else []
        problems += [
            Problem(file=file, place=f"{place}, {key}" if key else place, sentence=text) for key, text in complaints
        ]
    return problems


def event_problems(file: str, raw: RawTable, kinds: Mapping[str, Kind]) -> list[Problem]:
    """Unknown kinds, and lines that are not events of their kind; checked even if other keys are wrong."""
    complaints: list[tuple[str, str]] = []
    used: list[Kind | None] = []
    entries = raw.get("paytable")
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        if not isinstance(entry, Mapping):
            continue
        name = entry.get("name")
        place = f"paytable {name}" if isinstance(name, str) and name else f"paytable[{number}]"
        wager = entry.get("wager", raw.get("wager"))
        used.append(None)
        if wager is None:
            complaints.append((place, 'its wager is missing, like wager = "21+3"'))
        elif isinstance(wager, str):
            kind = used[-1] = kinds.get(wager)
            if kind is None:
                complaints.append((f"{place}, wager", str(unknown_kind(wager, kinds))))
            else:
                complaints += _unknown_events(place, kind, entry)
    if used and None not in used:
        complaints += _unknown_titles(raw, [kind for kind in used if kind])
    return [Problem(file=file, place=place, sentence=sentence) for place, sentence in complaints]


def _unknown_events(place: str, kind: Kind, entry: RawTable) -> Iterator[tuple[str, str]]:
    published = entry.get("published")
    figures = [figure for figure in published if isinstance(figure, Mapping)] if isinstance(published, list) else []
    for key, names in (
        *(
            (key, [str(name) for name in entry[key]])
            for key in ("pays", "titles")
            if isinstance(entry.get(key), Mapping)
        ),
        ("published", [str(figure["event"]) for figure in figures if figure.get("event")]),
    ):
        for unknown in check_listed(kind, names):
            yield f"{place}, {key}.{unknown.name}", str(unknown)


def _unknown_titles(raw: RawTable, kinds: Sequence[Kind]) -> Iterator[tuple[str, str]]:
    """Titles above the tables must name events of at least one of them."""
    titles = raw.get("titles")
    events = {event for kind in kinds for event in kind.events}
    for name in titles if isinstance(titles, Mapping) else ():
        if name not in events:
            yield f"titles, {name}", str(UnknownName(what="event", name=str(name), known=events))


def _lines(
    head: Salvaged[PaytableHead], draft: Salvaged[PaytableEntry]
) -> tuple[dict[str, Pay], list[tuple[str, str]]]:
    """What each line pays, and complaints on lines that cannot be resolved."""
    doubtful = head.doubtful | draft.doubtful
    unknowable = {"dollars": "printed_wager" in doubtful, "share": "jackpot" in doubtful}
    lines: dict[str, Pay] = {}
    complaints = []
    pays: Mapping[str, Printed] | None = draft.entry.pays  # None where they are missing
    for event, printed in (pays or {}).items():
        try:
            lines[event] = resolve(
                printed,
                jackpot=draft.entry.jackpot or head.entry.jackpot or "",
                printed_wager=_cents(draft.entry.printed_wager or head.entry.printed_wager),
            )
        except ValueError as error:
            if not unknowable.get(printed.what):
                complaints.append((f"pays.{event}", str(error)))
    return lines, complaints


def _complaints(
    head: Salvaged[PaytableHead], draft: Salvaged[PaytableEntry], readings: Collection[str] | None
) -> Iterator[tuple[str, str]]:
    """All other problems of an entry."""
    doubtful = head.doubtful | draft.doubtful
    if not (draft.entry.basis or head.entry.basis or "basis" in doubtful):
        yield "", 'its basis is missing: "to 1" or "for 1"'
    decks = draft.entry.decks or head.entry.decks or ALL_DECKS
    for figure in draft.entry.published:
        if figure.decks is None and len(decks) > 1 and "decks" not in doubtful:
            yield "", f"the published {figure.figure} {figure.printed} needs its number of decks"
    for number in draft.entry.readings or head.entry.readings or ():
        if readings is not None and number not in readings:
            yield "readings", str(UnknownName(what="reading", name=number, known=readings))


def _table(
    file: str, head: PaytableHead, entry: PaytableEntry, lines: Mapping[str, Pay], kinds: Mapping[str, Kind]
) -> Paytable:
    kind = kinds[entry.wager or head.wager or ""]
    return Paytable(
        name=entry.name,
        kind=kind,
        filing=entry.filing or head.filing or "",
        place=entry.place or head.place or "",
        basis=Basis(entry.basis or head.basis),
        decks=entry.decks or head.decks or ALL_DECKS,
        lines={event: lines[event] for event in kind.events if event in lines},
        titles={**head.titles, **entry.titles},
        printed_wager=_cents(entry.printed_wager or head.printed_wager),
        published=entry.published,
        readings=entry.readings or head.readings or (),
        notes=entry.notes or head.notes or (),
        file=file,
        printed={event: entry.pays[event] for event in kind.events if event in entry.pays},
    )


def unknown_kind(name: str, kinds: Collection[str]) -> UnknownName:
    return UnknownName(what="wager kind", name=name, known=kinds, hint=f"the kinds are {', '.join(kinds)}")


def _cents(amount: int | None) -> Cents | None:
    return None if amount is None else Cents(amount)
