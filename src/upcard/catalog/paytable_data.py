"""A paytable as JSON."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from upcard.catalog.pays import Fixed, Pay
from upcard.catalog.paytable import Paytable
from upcard.serialize import json_text, number
from upcard.units import dollars


class ShareData(TypedDict):
    """A share of a jackpot; by stake if it depends on the stake."""

    jackpot: str
    share: str
    by_stake: NotRequired[dict[str, str]]


PayData = int | float | ShareData  # units, or a share


def as_json(tables: Paytable | Sequence[Paytable]) -> str:
    return json_text(_as_dict(tables) if isinstance(tables, Paytable) else [_as_dict(table) for table in tables])


def _as_dict(table: Paytable) -> dict[str, object]:
    return {
        "name": table.name,
        "slug": table.slug,
        "wager": table.kind.name,
        "filing": table.filing,
        "place": table.place,
        "decks": list(table.decks),
        "basis": table.basis.value,
        "printed_wager": None if table.printed_wager is None else dollars(table.printed_wager),
        "lines": [
            {"event": event, "title": table.title(event), "pays": pays_json(pay)} for event, pay in table.lines.items()
        ],
        "published": [
            {"figure": figure.figure, "event": figure.event or None, "printed": figure.printed}
            for figure in table.published
        ],
        "readings": list(table.readings),
        "notes": list(table.notes),
    }


def pays_json(pay: Pay) -> PayData:
    """Units, or a share of a jackpot."""
    if isinstance(pay, Fixed):
        return number(pay.units)
    data: ShareData = {"jackpot": pay.jackpot, "share": str(pay.largest)}
    if len(pay.by_stake) > 1:
        data["by_stake"] = {dollars(stake or 0): str(part) for stake, part in pay.by_stake}
    return data
