"""One line per table, for the lobby and for the floor."""

from collections.abc import Collection

from upcard.codes import CodedError
from upcard.engine.round import Phase
from upcard.pit.jackpot_sign import JackpotSigns
from upcard.pit.posted_text import limits_text
from upcard.pit.terms import derive
from upcard.service.jackpot_signs import signs_sent
from upcard.service.live_table import LiveTable
from upcard.service.refusals import Refused
from upcard.service.rules_in_force import rules_notice
from upcard.service.running import Service
from upcard.service.views import felt_short, seats_view, table_line
from upcard.service.wire_models import TableLine, TableShort


def list_tables(service: Service) -> list[TableShort]:
    """Every table for the lobby; stopped tables are marked."""
    return lobby_lines(service, service.queries.tables())


def lobby_lines(service: Service, names: Collection[str]) -> list[TableShort]:
    """Tables for the lobby, by name."""
    signs = service.queries.signs(names)
    return [_lobby_line(service, name, signs[name]) for name in names]


def without_names(line: TableShort) -> TableShort:
    """A line for visitors who are not signed in, without the names of players."""
    public = line.copy()
    public.pop("seats", None)
    return public


def _lobby_line(service: Service, name: str, signs: JackpotSigns) -> TableShort:
    shown = signs_sent(signs)
    try:
        live = service.desk.live(name)
    except (Refused, CodedError) as error:
        return {
            "table": name,
            "stopped": error.coded,
            "meters": shown["meters"],
            "off": shown["off"],
            "notices": shown["notices"],
        }
    terms = live.table.terms or derive(live.table)
    return {
        "table": name,
        "layout": live.layout,
        "rules": live.rules.hash,
        "game": live.table.layout.game,
        "open": live.opened and not live.table.closed,
        "posted_minimum": live.table.posted_minimum,
        "limits": limits_text(terms.main),
        "spots": live.table.layout.spots,
        "seats": seats_view(live),
        "players": len(live.players),
        "in_play": live.table.round is not None and live.table.round.phase is not Phase.BETTING,
        "free": live.table.layout.spots - len(live.table.seats),
        "round": live.round,
        "meters": shown["meters"],
        "off": shown["off"] | {wager.name: {"code": wager.off} for wager in terms.wagers.values() if wager.off},
        "notices": shown["notices"],
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


def with_felt(line: TableLine, live: LiveTable) -> TableLine:
    """The line with the table's felt."""
    return {**line, "felt": felt_short(live)}


def felt_lines(service: Service, names: Collection[str]) -> list[TableLine]:
    """The lines of tables with their felts; of a stopped table without."""
    lines = []
    for name in names:
        line = floor_line(service, name)
        lines.append(with_felt(line, service.desk.live(name)) if "layout" in line else line)
    return lines


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
    "shuffled": "",
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
    "felt": {"dealer": [], "spots": {}},
}
