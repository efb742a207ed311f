"""Every table in one line: as the lobby lists them, and as the floor sees them."""

from upcard.codes import CodedError
from upcard.service.live_table import LiveTable
from upcard.service.refusals import Refused
from upcard.service.rules_in_force import rules_notice
from upcard.service.running import Service
from upcard.service.views import seats_view, table_line
from upcard.service.wire_models import TableLine, TableShort


def list_tables(service: Service) -> list[TableShort]:
    """Every table for the lobby; a stopped one is shown as such, among the others."""
    names = service.queries.tables()
    meters = service.queries.meters(names)
    return [_short(service, name, {wager: at for wager, (_, at) in meters[name].items()}) for name in names]


def _short(service: Service, name: str, meters: dict[str, dict[str, int]]) -> TableShort:
    try:
        live = service.desk.live(name)
    except (Refused, CodedError) as wrong:
        return {"table": name, "stopped": wrong.coded, "meters": meters}
    return {
        "table": name,
        "layout": live.layout,
        "rules": live.rules.hash,
        "game": live.table.layout.game,
        "open": live.opened and not live.table.closed,
        "posted_minimum": live.table.posted_minimum,
        "spots": live.table.layout.spots,
        "seats": seats_view(live),
        "round": live.round,
        "meters": meters,
    }


def floor_lines(service: Service) -> list[TableLine]:
    """Every table for the floor."""
    return [floor_line(service, name) for name in service.queries.tables()]


def floor_line(service: Service, name: str) -> TableLine:
    """One table for the floor, as it stands in the database."""
    try:
        return floor_line_of(service, service.desk.live(name))
    except (Refused, CodedError) as wrong:  # a stopped table is shown as such, among the others
        return {"table": name, "number": 0, "stopped": wrong.coded}


def floor_line_of(service: Service, live: LiveTable) -> TableLine:
    """One table for the floor, as it is known here."""
    return table_line(live, rules_notice(service.desk.context, live))


def with_every_field(line: TableLine) -> TableLine:
    """A line with the fields of a stopped table filled in, as it is answered over HTTP."""
    return {**_NOTHING_KNOWN, **line}


_NOTHING_KNOWN: TableLine = {
    "table": "",
    "number": 0,
    "stopped": None,
    "rules": "",
    "rules_notice": None,
    "layout": "",
    "game": "",
    "open": False,
    "counted": False,
    "closing": False,
    "by_hand": False,
    "shuffler": "",
    "posted_minimum": 0,
    "spots": 0,
    "seats": {},
    "absent": [],
    "flat": [],
    "round": 0,
    "phase": "",
    "staked": 0,
    "shoe": 0,
    "shoe_cards": 0,
    "last_round": False,
}
