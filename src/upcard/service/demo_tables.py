"""Sets up the demo: opening hours, and one table per layout of the catalog, with its jackpots and a full tray."""

from datetime import date

from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.service.running import Service

ACTOR = "demo"
TRAY = 5_000_000_00  # cents


def open_demo_tables(service: Service) -> None:
    """Opens the demo's tables that are not open yet. Safe to call at every start."""
    hours = Hours(since=date(2020, 1, 1), zone="America/New_York", start=6)
    _submit(service, s.House(request=SetHours(hours=hours)), "demo-hours")
    for slug, layout in _layouts(service.desk.catalog).items():
        jackpots = {jackpot.wager: f"{slug} {jackpot.wager}" for jackpot in layout.jackpot}
        opening = s.OpenTable(table=slug, layout=slug, tray=TRAY, jackpots=jackpots)
        _submit(service, opening, f"demo-open-{slug}")


def _layouts(catalog: Catalog) -> dict[str, Layout]:
    """All layouts: first every game's usual one, in the order of the games."""
    names = dict.fromkeys([*catalog.games, *catalog.layouts])
    return {slug: catalog.layouts[slug] for slug in names if slug in catalog.layouts}


def _submit(service: Service, command: s.Command, name: str) -> None:
    try:
        service.desk.do(command, id=name, actor=ACTOR)
    except Refused:
        return  # somebody already did it, under another command id
