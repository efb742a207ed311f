"""The sentences of a controls sheet: its tables, its jackpots, the daily close, and who may do what."""

from collections.abc import Iterator

from upcard.reports.controls_sheet import (
    ControlsSheet,
    EquipmentLine,
    HouseLine,
    Permission,
    PromotionLine,
    TableLine,
)
from upcard.reports.document import Document, Grid, Section, Statements, facts, section
from upcard.reports.jackpot_text import Permissions, jackpot_sections, who
from upcard.units import dollars


def controls_document(sheet: ControlsSheet) -> Document:
    may = {permission.operation: permission for permission in sheet.permissions}
    sections = [section("About this sheet", Statements(tuple(_about(sheet))))]
    for table in sheet.tables:
        sections.append(_table(table))
    for line in sheet.jackpots:
        sections += jackpot_sections(line, may)
    sections.append(_day(sheet.house, may))
    sections += _duties(sheet)
    return Document(f"Internal controls: {sheet.name}", tuple(sections))


def _about(sheet: ControlsSheet) -> Iterator[str]:
    source = "the files of the layout" if sheet.about == "layout" else "the book"
    yield f"Made by Upcard on {sheet.date}, from {source}: each figure is the one that the program works with."
    count = len(sheet.jackpots)
    if not count:
        yield "There is no jackpot here."
    elif sheet.about == "layout":
        yield f"{count} jackpot{'s' * (count > 1)}, for every table that is opened with this layout."
    else:
        yield f"{len(sheet.tables)} tables and {count} jackpots."


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(table: TableLine) -> Section:
    source = ", ".join(filter(None, [table.document, table.regulator, table.reference, table.dated]))
    shuffled = "by machine" if table.shuffler == "automatic" else "by hand"
    return section(
        f"Table {table.table}" if table.table else f"Layout {table.layout}",
        facts(
            [
                ("layout", f"{table.title} ({table.layout})"),
                ("game", f"{table.game}, filing {table.filing}"),
                ("source", source),
                ("jurisdiction", table.jurisdiction),
                ("decks", f"{table.decks}, shuffled {shuffled}"),
                ("equipment", ", ".join(table.equipment)),
                *((piece.equipment, _model(piece)) for piece in table.models),
                *((wager, f"plays for {jackpot}") for wager, jackpot in table.links.items() if jackpot),
                *((f"promotion on {line.wager}", _promotion(line)) for line in table.promotions),
                ("rules", table.rules and f"SHA-256 {table.rules}"),
            ]
        ),
        Statements(tuple(f"Notice: {notice}." for notice in table.notices)),
    )


def _promotion(line: PromotionLine) -> str:
    days = f"from {line.since} to {line.until}"
    return f"{line.title} pays {dollars(line.award)} more, from the house, {days}; consent: {line.consent}"


def _model(piece: EquipmentLine) -> str:
    model = piece.model or "model not named"
    approved = {
        True: "on the operator's list of approved models",
        False: "not approved",
        None: "no list of approved models",
    }
    filed = f"; the filing says: {piece.filed}" if piece.filed else ""
    return f"{model}, {approved[piece.approved]}{filed}"


# --- the day --------------------------------------------------------------------------------------------------------


def _day(house: HouseLine | None, may: Permissions) -> Section:
    return section("The gaming day and its close", Statements(tuple(_day_statements(house, may))))


def _day_statements(house: HouseLine | None, may: Permissions) -> Iterator[str]:
    if house is not None and house.start is not None:
        yield f"A gaming day begins at {house.start}:00, {house.zone} (since {house.since})."
    yield f"Set the hours of the house, for later days only: {who(may['set-hours'])}."
    yield (
        "Days are closed in order, when the day is over and all its rounds are settled. A closed day takes no more "
        f"entries. Close a day: {who(may['close-day'])}."
    )
    yield (
        "The close stores the last hash of every record chain and every balance. It warns of escrow that is short and "
        "of deposits that are overdue."
    )
    if house is None:
        return
    if house.closed is None:
        yield "No day has been closed yet."
        return
    yield f"The last day closed is {house.closed}, hash {house.checkpoint}."
    for warning in house.warnings:
        yield f"Warning of that close: {warning}."


# --- who may do what ------------------------------------------------------------------------------------------------


def _duties(sheet: ControlsSheet) -> Iterator[Section]:
    yield section(
        "Who may do what",
        Statements(("Every operation that needs a role. The program refuses an operation that it does not list.",)),
    )
    for part in dict.fromkeys(permission.part for permission in sheet.permissions):
        rows = _grouped([permission for permission in sheet.permissions if permission.part == part])
        yield section(part, Grid(("roles", "also needed", "operations"), rows), level=3)
    yield section(
        "Duties kept apart",
        Statements(
            tuple(f"Nobody is both {' and '.join(pair.roles)}: {pair.why}." for pair in sheet.separations),
        ),
        level=3,
    )
    if sheet.staff is None:
        return
    verified = "verified" if sheet.staff_verified else "not verified: no operator's key was given"
    yield section(
        "Staff",
        Grid(
            ("name", "roles", "authenticator", "account"),
            tuple(
                (
                    person.name,
                    ", ".join(person.roles),
                    "yes" if person.has_authenticator else "no",
                    "disabled" if person.disabled else "active",
                )
                for person in sheet.staff
            ),
        ),
        Statements((f"The seals of these records were {verified}.",) if sheet.staff else ("There is no staff yet.",)),
        level=3,
    )


def _grouped(permissions: list[Permission]) -> tuple[tuple[str, ...], ...]:
    """One row for all operations with the same roles and needs."""
    groups: dict[tuple[str, str], list[str]] = {}
    for permission in permissions:
        key = ", ".join(permission.roles), permission.needs
        groups.setdefault(key, []).append(permission.operation.replace("-", " "))
    return tuple((roles, needs, ", ".join(operations)) for (roles, needs), operations in groups.items())
