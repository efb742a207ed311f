"""`upcard init-house`: sets up a house by its plan, and gives everybody their link."""

import os
from collections.abc import Mapping
from html import escape
from pathlib import Path

import segno

from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.output import write_json, write_lines
from upcard.problems import BadRequest
from upcard.service.house_plan import EXAMPLE, HousePlan, read_house_plan
from upcard.service.house_set_up import carry_out_plan

SETTINGS = Path("upcard.toml")


def set_up_house(plan: str | None, *, example: bool, links: str | None, key: str | None, as_json: bool) -> None:
    if example:
        write_lines(EXAMPLE.rstrip("\n"))
        return
    if plan is None:
        raise BadRequest("name the file with the plan; `upcard init-house --example` prints one to start from")
    if links is not None and Path(links).exists():
        raise BadRequest(f"{links} exists already: choose another name for the page of links")
    catalog = catalog_in_use()
    house = read_house_plan(Path(plan), catalog)
    tokens = carry_out_plan(house, catalog, None if key is None else Path(key))
    addresses = {name: f"{house.link_address}/#/accept/{token}" for name, token in tokens.items()}
    new_settings = _write_settings(house, key)
    if links is not None:
        _write_private(Path(links), _links_page(house, addresses))
    if as_json:
        write_json({"house": house.name, "book": house.book, "links": addresses, "settings": new_settings})
        return
    write_lines(
        f"{house.name} is set up in {house.book}: {len(house.people)} people, {len(house.tables)} tables.",
        f"Settings are in {SETTINGS}." if new_settings else _settings_to_check(house),
        "Each link works once, within three days:",
        *(f"  {name}: {address}" for name, address in addresses.items()),
        *([] if links is None else [f"{links} has them with QR codes; delete it when they were handed out."]),
        f"Next: upcard serve{'' if new_settings else f' --book {house.book}'}",
    )


def _write_settings(house: HousePlan, key: str | None) -> bool:
    """Writes the settings of the service, unless there are some."""
    if SETTINGS.exists():
        return False
    lines = [f"book = {_quoted(house.book)}", f"origins = [{_quoted(house.link_address)}]"]
    lines += [] if key is None else [f"key = {_quoted(key)}"]
    _write_private(SETTINGS, "\n".join(lines) + "\n")
    return True


def _settings_to_check(house: HousePlan) -> str:
    return f"{SETTINGS} exists: its origins must name {house.link_address}."


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _write_private(file: Path, text: str) -> None:
    """Writes a new file that only its owner can read."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)


def _links_page(house: HousePlan, addresses: Mapping[str, str]) -> str:
    """A page to print and cut: one letter for each person."""
    roles = {person.name: ", ".join(role.value for role in person.roles) for person in house.people}
    letters = "".join(
        f"<section><h2>{escape(name)} ({escape(roles[name])})</h2><p>{escape(house.name)} invites you. Open this link "
        f"within three days, choose a password, and set up your authenticator.</p>"
        f"<p><a href='{escape(address)}'>{escape(address)}</a></p>"
        f"<img alt='QR code of the link' src='{segno.make(address, micro=False).svg_data_uri(scale=4, border=2)}'>"
        "</section>"
        for name, address in addresses.items()
    )
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(house.name)}: links</title>"
        "<style>body{font:16px sans-serif;margin:2rem}section{break-inside:avoid;border-bottom:1px dashed;"
        f"padding:1rem 0}}a{{overflow-wrap:anywhere}}</style>{letters}</html>\n"
    )
