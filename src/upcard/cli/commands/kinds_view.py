"""`upcard kinds`: the kinds of wager, their events, what each means, and hands that are or nearly are one."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from upcard.cards import Card, read_cards
from upcard.catalog.catalog_kinds import CatalogKinds
from upcard.catalog.index import Catalog, part_of
from upcard.catalog.kind_file import WITH_BLACKJACK, KindEntry, load_kinds
from upcard.cli.catalog_in_use import catalog_in_use, use_file
from upcard.cli.layout_lookup import is_path
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.problems import BadFile, Problem
from upcard.wagers import DealerHandKind, DealKind, Kind
from upcard.wagers.language.examples import (
    dealer_example,
    dealer_near_misses,
    example_of,
    hand_text,
    near_misses,
)

MOST_EXAMPLES = 2


def show_kinds(name: str | None, form: Form) -> None:
    names = None if name is None else _names(name)
    catalog = catalog_in_use()
    kinds = list(catalog.kinds.values()) if names is None else [catalog.kind(name) for name in names]
    data = [_as_dict(kind) for kind in kinds]
    if names is not None:
        for entry, kind in zip(data, kinds, strict=True):
            entry["definitions"] = _definitions(catalog, kind)
    rows = [{"kind": kind.name, "event": event} for kind in kinds for event in kind.events]
    if write_data(form, lambda: data[0] if names is not None and len(data) == 1 else data, lambda: rows):
        return
    if names is None:
        write_table(f"{len(kinds)} kinds of wager", [_row(kind) for kind in kinds])
        write_lines("upcard kinds NAME shows its events, highest first, and what each means.")
        return
    for kind in kinds:
        _show_kind(kind, _definitions(catalog, kind), _entry(catalog, kind))


def _names(name: str) -> list[str]:
    """A name of a kind, or the names of those in a file, which is then in use."""
    if name in catalog_in_use().kinds or not is_path(name):
        return [name]
    path = Path(name)
    if (part := part_of(path)) != "kinds":
        raise BadFile([Problem(file=name, place="", sentence=f"this is a file of {part}, not of kinds")])
    names = list(load_kinds(path))
    use_file(path)
    return names


def _show_kind(kind: Kind, definitions: Sequence[Mapping[str, object]], entry: KindEntry | None) -> None:
    title = f"{kind.name}: {kind.title}, reads {_reads(kind)}"
    rows: list[dict[str, Cell]] = [
        {
            "event, highest first": str(row["event"]),
            "when": str(row["condition"]),
            "for example": _listed(row["examples"]) or "never: always a higher event too",
            "but not": _listed(row["near_misses"]),
        }
        for row in definitions
    ]
    write_table(title, rows, drop=["but not", "for example"])
    if entry is not None:
        write_lines(*(f"{name}: {text}" for name, text in entry.let.items()), *entry.notes)


def _listed(hands: object) -> str:
    return ", ".join(str(hand) for hand in hands) if isinstance(hands, list) else ""


def _definitions(catalog: Catalog, kind: Kind) -> list[dict[str, object]]:
    entry = _entry(catalog, kind)
    return [_definition(kind, event, entry) for event in kind.events]


def _definition(kind: Kind, event: str, entry: KindEntry | None) -> dict[str, object]:
    examples = list(entry.examples.get(event, ())) if entry else []
    misses: list[str] = []
    if isinstance(kind, DealKind):
        if not examples and (example := example_of(kind, event)) is not None:
            examples = [hand_text(example)]
        if examples:
            near = near_misses(kind, event, read_cards(examples[0]))
            misses = [f"{hand_text(hand)} ({found or 'no event'})" for hand, found in islice(near, MOST_EXAMPLES)]
    else:
        examples, misses = _dealer_hands(kind, event, examples)
    return {
        "event": event,
        "condition": entry.events[event] if entry else "written in Python",
        "examples": examples[:MOST_EXAMPLES],
        "near_misses": misses,
    }


def _dealer_hands(kind: DealerHandKind, event: str, examples: list[str]) -> tuple[list[str], list[str]]:
    if examples:
        text, _, rest = examples[0].partition(",")
        example: tuple[Sequence[Card], bool] | None = read_cards(text), bool(rest)
    else:
        example = dealer_example(kind, event)
    if example is None:
        return [], []
    near = islice(dealer_near_misses(kind, event, example), MOST_EXAMPLES)
    misses = [f"{_beside(hand, natural)} ({found or 'no event'})" for hand, natural, found in near]
    return examples or [_beside(*example)], misses


def _beside(hand: Sequence[Card], natural: bool) -> str:
    return f"{hand_text(hand)}, {WITH_BLACKJACK}" if natural else hand_text(hand)


def _entry(catalog: Catalog, kind: Kind) -> KindEntry | None:
    return catalog.kinds.written.get(kind.name) if isinstance(catalog.kinds, CatalogKinds) else None


def _as_dict(kind: Kind) -> dict[str, object]:
    return {
        "name": kind.name,
        "title": kind.title,
        "reads": [role.name.lower() for role in kind.reads] if isinstance(kind, DealKind) else ["dealer_hand"],
        "settles": kind.settles.value,
        "events": list(kind.events),
    }


def _row(kind: Kind) -> dict[str, Cell]:
    return {
        "kind": kind.name,
        "wager": kind.title,
        "reads": _reads(kind),
        "settles": kind.settles.value,
        "events": len(kind.events),
    }


def _reads(kind: Kind) -> str:
    if isinstance(kind, DealKind):
        return ", ".join(role.name.lower() for role in kind.reads)
    return "the dealer's final hand"
