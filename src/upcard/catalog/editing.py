"""A paytable with some of its lines changed, to try a design before filing it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import InvalidOperation

from upcard.catalog.fields import Exact
from upcard.catalog.pays import Printed, read_printed, resolve
from upcard.catalog.paytable import ALL_DECKS, Paytable
from upcard.problems import BadFile, BadRequest, Problem
from upcard.wagers.kind import check_listed

NO_PAY = "none"  # removes a line from the table
MOST_TEXT = 80


def parse_edits(texts: Iterable[str]) -> dict[str, str]:
    """Reads `event=pay` texts, like royal-match=30, top=$500, top=25% of MEGA or any-pair=none."""
    edits: dict[str, str] = {}
    for text in texts:
        event, equals, pay = text.partition("=")
        event, pay = event.strip().lower(), pay.strip()
        if not equals or not event or len(text) > MOST_TEXT:
            raise BadRequest(f"write a pay as event=pay, like suited-20=12, not {text[:MOST_TEXT]!r}")
        if event in edits:
            raise BadRequest(f"{event} has two pays")
        edits[event] = pay
    return edits


def edit_paytable(table: Paytable, edits: Mapping[str, str]) -> Paytable:
    """The table with these pays; it is no longer a filed table, so it allows any number of decks."""
    problems = [
        Problem(file=table.name, place="", sentence=str(unknown)) for unknown in check_listed(table.kind, [*edits])
    ]
    lines, printed = dict(table.lines), dict(table.printed)
    for event, text in edits.items():
        if text.lower() == NO_PAY:
            lines.pop(event, None)
            printed.pop(event, None)
            continue
        try:
            printed[event] = _read(text)
            jackpot = table.jackpots[0] if len(table.jackpots) == 1 else ""
            lines[event] = resolve(printed[event], jackpot=jackpot, printed_wager=table.printed_wager)
        except ValueError as error:
            problems.append(Problem(file=table.name, place=event, sentence=str(error)))
    if problems:
        raise BadFile(problems)
    if not lines:
        raise BadRequest(f"{table.name} needs at least one line that pays: all are set to {NO_PAY}")
    return replace(
        table,
        name=f"{table.name}, edited",
        decks=tuple(sorted({*ALL_DECKS, *table.decks})),
        lines={event: lines[event] for event in table.kind.events if event in lines},
        printed={event: printed[event] for event in table.kind.events if event in printed},
        published=(),
    )


def _read(text: str) -> Printed:
    try:
        return read_printed(Exact(text.replace(",", "")))
    except InvalidOperation:
        return read_printed(text)
