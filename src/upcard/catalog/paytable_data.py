"""A paytable as programs get it."""

from upcard.catalog.pays import Fixed, Pay
from upcard.catalog.paytable import Paytable
from upcard.serialize import number
from upcard.units import dollars


def as_dict(table: Paytable) -> dict[str, object]:
    """A paytable in the form programs get."""
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
            {"figure": one.figure, "event": one.event or None, "printed": one.printed} for one in table.published
        ],
        "readings": list(table.readings),
        "notes": list(table.notes),
    }


def pays_json(pay: Pay) -> object:
    """A pay in the form programs get: units, or a share of a jackpot."""
    if isinstance(pay, Fixed):
        return number(pay.units)
    answer: dict[str, object] = {"jackpot": pay.jackpot, "share": str(pay.largest)}
    if len(pay.by_stake) > 1:
        answer["by_stake"] = {dollars(stake or 0): str(part) for stake, part in pay.by_stake}
    return answer
