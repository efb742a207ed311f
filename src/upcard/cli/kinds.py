"""`upcard kinds`."""

from upcard.cli.output import Cell, Form, write_csv, write_json, write_lines, write_table
from upcard.wagers import KINDS, DealKind, Kind, kind_named


def show(name: str | None, form: Form) -> None:
    """Lists the kinds of wager with their events, highest first."""
    kinds = list(KINDS.values()) if name is None else [kind_named(name)]
    match form:
        case Form.JSON:
            listed = [_as_dict(kind) for kind in kinds]
            write_json(listed if name is None else listed[0])
        case Form.CSV:
            write_csv([{"kind": kind.name, "event": event} for kind in kinds for event in kind.events])
        case Form.PEOPLE if name is None:
            write_table(f"{len(kinds)} kinds of wager", [_row(kind) for kind in kinds])
            write_lines("upcard kinds NAME lists its events, highest first.")
        case Form.PEOPLE:
            rows: list[dict[str, Cell]] = [{"event, highest first": event} for event in kinds[0].events]
            write_table(f"{kinds[0].name}: {kinds[0].title}, reads {_reads(kinds[0])}", rows)


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
