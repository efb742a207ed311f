"""One line per table, for the lobby and for the floor."""

from upcard.codes import CodedError
from upcard.service.live_table import LiveTable
from upcard.service.refusals import Refused
from upcard.service.rules_in_force import rules_notice
from upcard.service.running import Service
from upcard.service.views import seats_view, table_line
from upcard.service.wire_models import TableLine, TableShort


def list_tables(service: Service) -> list[TableShort]:
    """Every table for the lobby; stopped tables are marked."""
    names = service.queries.tables()
    meters = service.queries.meters(names)
    return [_lobby_line(service, name, {wager: at for wager, (_, at) in meters[name].items()}) for name in names]


def _lobby_line(service: Service, name: str, meters: dict[str, dict[str, int]]) -> TableShort:
    try:
        live = service.desk.live(name)
    except (Refused, CodedError) as error:
        return {"table": name, "stopped": error.coded, "meters": meters}
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
    return [floor_line(service, name) for name in service.queries.tables()]


def floor_line(service: Service, name: str) -> TableLine:
    """A table's line for the floor, from the database."""
    try:
        return floor_line_of(service, service.desk.live(name))
    except (Refused, CodedError) as error:  # a stopped table is listed with the reason
        return {"table": name, "number": 0, "stopped": error.coded}


def floor_line_of(service: Service, live: LiveTable) -> TableLine:
    """A table's line for the floor, from its state in memory."""
    return table_line(live, rules_notice(service.desk.context, live))


def with_every_field(line: TableLine) -> TableLine:
    """A line with empty values for the fields that a stopped table lacks, as HTTP answers have them."""
    return {**_EMPTY_LINE, **line}


_EMPTY_LINE: TableLine = {
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
