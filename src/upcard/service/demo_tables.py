"""A demo on one machine: a house with its hours, a table of each game with its jackpots, and full trays."""

from datetime import date

from upcard.ledger.gaming_day import Hours
from upcard.ledger.requests import SetHours
from upcard.service import commands as s
from upcard.service.refusals import Refused
from upcard.service.running import Service

ACTOR = "demo"
TRAY = 5_000_000_00  # cents
LAYOUTS = ("the-brook", "lucky-ladies-jackpot", "bet-bigger", "lucky-ladies", "double-action")


def open_demo_tables(service: Service) -> None:
    """Opens what is not open yet; asked again at every start, it does nothing twice."""
    hours = Hours(since=date(2020, 1, 1), zone="America/New_York", start=6)
    _do(service, s.House(request=SetHours(hours=hours)), "demo-hours")
    for layout in LAYOUTS:
        found = service.desk.catalog.layout(layout)
        jackpots = {one.wager: f"{layout} {one.wager}" for one in found.jackpot}
        opening = s.OpenTable(table=layout, layout=layout, tray=TRAY, jackpots=jackpots)
        _do(service, opening, f"demo-open-{layout}")


def _do(service: Service, command: s.Command, name: str) -> None:
    try:
        service.desk.do(command, id=name, actor=ACTOR)
    except Refused:
        return  # it is so already, by somebody else's word
