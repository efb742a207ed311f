"""A paytable: which events of a wager kind are paid, how much, with how many decks, and what its filing published.

One file holds the tables a filing prints side by side: keys above the first `[[paytable]]` hold for all of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from upcard.catalog.fields import MOST_DECKS, Decks, Entry, PositiveMoney, Table, slug_of
from upcard.catalog.pays import Pay, PrintedPay, Share, resolve
from upcard.problems import Problem, UnknownName
from upcard.units import Basis, Cents
from upcard.wagers import Kind, kind_named
from upcard.wagers.kind import check_listed

Figure = Literal["house advantage", "return to player", "hit frequency", "probability", "average hands until hit"]


class Published(Entry):
    """One figure exactly as the filing prints it."""

    figure: Figure
    printed: str = Field(pattern=r"^(1 in )?\d+(\.\d+)?%?$")
    event: str = ""  # for figures of a line; all events named so form the published table's rows
    decks: int | None = Field(default=None, ge=1, le=MOST_DECKS)


class _Common(Entry):
    """What a whole file may say once for its tables, or a table for itself."""

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

    name: str = Field(min_length=1, max_length=60)
    pays: Mapping[str, PrintedPay] = Field(min_length=1)
    titles: Mapping[str, str] = {}
    published: tuple[Published, ...] = Field(default=(), strict=False)


class PaytableFile(_Common):
    """A file of paytables."""

    titles: Mapping[str, str] = {}
    paytable: tuple[PaytableEntry, ...] = Field(min_length=1, strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paytable:
    """A paytable ready for use; its lines stand highest event first, whatever the order of the file."""

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

    @property
    def slug(self) -> str:
        """The name as part of an address."""
        return slug_of(self.name)

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The jackpots this table pays from, in order of their first line."""
        return tuple(dict.fromkeys(pay.jackpot for pay in self.lines.values() if isinstance(pay, Share)))

    def title(self, event: str) -> str:
        """An event under the filing's own name."""
        return self.titles.get(event) or event.replace("-", " ").capitalize()


def build(file: str, parsed: PaytableFile) -> tuple[list[Paytable], list[Problem]]:
    """Puts file-wide keys into each table and resolves what the tables print."""
    tables, problems = [], []
    for number, entry in enumerate(parsed.paytable):
        place = f"paytable {entry.name}"
        found = list(_resolve(file, place, parsed, entry))
        problems += [one for one in found if isinstance(one, Problem)]
        tables += [one for one in found if isinstance(one, Paytable)]
        if entry.name in [other.name for other in parsed.paytable[:number]]:
            problems.append(Problem(file=file, place=place, sentence="this name is used twice"))
    return tables, problems


def event_problems(file: str, raw: Table) -> list[Problem]:
    """Lines that are not events of their kind, and kinds nobody knows; looked for even when other keys are wrong."""
    problems = []
    entries = raw.get("paytable")
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, Mapping):
            continue
        place = f"paytable {entry.get('name', '')}".strip()
        wager = entry.get("wager", raw.get("wager"))
        if not isinstance(wager, str):
            problems.append(
                Problem(
                    file=file,
                    place=place,
                    sentence='it does not say its wager, like wager = "21+3"',
                )
            )
            continue
        try:
            kind = kind_named(wager)
        except UnknownName as unknown:
            problems.append(Problem(file=file, place=f"{place}, wager", sentence=str(unknown)))
            continue
        for key in ("pays", "titles"):
            listed = entry.get(key)
            names = [str(name) for name in listed] if isinstance(listed, Mapping) else []
            problems += [
                Problem(file=file, place=f"{place}, {key}.{unknown.name}", sentence=str(unknown))
                for unknown in check_listed(kind, names)
            ]
    return problems


def _resolve(file: str, place: str, parsed: PaytableFile, entry: PaytableEntry) -> Iterator[Paytable | Problem]:
    """The finished table, or everything that keeps it from being one."""
    lines: dict[str, Pay] = {}
    problems = []
    wager = entry.wager or parsed.wager or ""
    basis = entry.basis or parsed.basis
    jackpot = entry.jackpot or parsed.jackpot or ""
    for event, printed in entry.pays.items():
        try:
            lines[event] = resolve(
                printed,
                jackpot=jackpot,
                printed_wager=_cents(entry.printed_wager or parsed.printed_wager),
            )
        except ValueError as wrong:
            problems.append(Problem(file=file, place=f"{place}, pays.{event}", sentence=str(wrong)))
    if basis is None:
        problems.append(Problem(file=file, place=place, sentence='it does not say its basis: "to 1" or "for 1"'))
    if problems or basis is None:
        yield from problems
        return
    kind = kind_named(wager)
    decks = entry.decks or parsed.decks or tuple(range(1, 9))
    for one in entry.published:
        if one.decks is None and len(decks) > 1:
            sentence = f"the published {one.figure} {one.printed} does not say for how many decks"
            yield Problem(file=file, place=place, sentence=sentence)
    yield Paytable(
        name=entry.name,
        kind=kind,
        filing=entry.filing or parsed.filing or "",
        place=entry.place or parsed.place or "",
        basis=Basis(basis),
        decks=decks,
        lines={event: lines[event] for event in kind.events if event in lines},
        titles={**parsed.titles, **entry.titles},
        printed_wager=_cents(entry.printed_wager or parsed.printed_wager),
        published=entry.published,
        readings=entry.readings or parsed.readings or (),
        notes=entry.notes or parsed.notes or (),
        file=file,
    )


def _cents(amount: int | None) -> Cents | None:
    return None if amount is None else Cents(amount)
