"""`upcard kinds`: the kinds of wager and their events."""

from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.wagers import KINDS, DealKind, Kind, kind_named


def show_kinds(name: str | None, form: Form) -> None:
    kinds = list(KINDS.values()) if name is None else [kind_named(name)]
    data = [_as_dict(kind) for kind in kinds]
    rows = [{"kind": kind.name, "event": event} for kind in kinds for event in kind.events]
    if write_data(form, lambda: data if name is None else data[0], lambda: rows):
        return
    if name is None:
        write_table(f"{len(kinds)} kinds of wager", [_row(kind) for kind in kinds])
        write_lines("upcard kinds NAME lists its events, highest first.")
    else:
        title = f"{kinds[0].name}: {kinds[0].title}, reads {_reads(kinds[0])}"
        write_table(title, [{"event, highest first": row["event"]} for row in rows])


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
