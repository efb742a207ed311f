"""A table's records: how they are sealed, and how a table is made again from them."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from upcard.catalog.index import Catalog
from upcard.ledger.journal import GENESIS, instant_of
from upcard.service import commands as s
from upcard.service.at_table import Moment
from upcard.service.live import Keys, Live, opened
from upcard.service.refusals import RecordBroken
from upcard.service.turn import Turn
from upcard.service.wire import text

Row = Mapping[str, Any]

_SEALED = ("stream", "number", "id", "at", "day", "actor", "role", "command", "events", "answer")


def seal_of(previous: str, row: Row) -> str:
    """The seal of a record and, through the one before, of all before it."""
    told = "\x1f".join((previous, *(str(row[name]) for name in _SEALED)))
    return hashlib.sha256(told.encode()).hexdigest()


def replay(catalog: Catalog, keys: Keys, live: Live | None, row: Row) -> Live:
    """The table after one more record; RecordBroken where the rules say something else than the record."""
    return redo(catalog, keys, live, row).live


def redo(catalog: Catalog, keys: Keys, live: Live | None, row: Row, known: Collection[str] = ()) -> Turn:
    """A record's command carried out again, with what it asks of the book; `known` jackpots were open before it."""
    command = s.COMMANDS.validate_json(row["command"])
    moment = Moment(
        id=row["id"],
        at=instant_of(row["at"]),
        day=date.fromisoformat(row["day"]),
        actor=row["actor"],
        role=row["role"],
    )
    if isinstance(command, s.OpenTable):
        turn = Turn(catalog, keys, moment, live or blank(catalog, command))
        turn.open(command, live, known)
    elif isinstance(command, s.Reset) and live is not None:
        turn = Turn(catalog, keys, moment, begun_anew(catalog, live, command))
        turn.reset(command, live.round if live.table.round is not None else 0)
    elif isinstance(command, s.TableCommand) and live is not None:
        turn = Turn(catalog, keys, moment, live)
        turn.carry_out(command)
    else:
        raise RecordBroken(f"record {row['number']} is no record of a table")
    if text(turn.events) != row["events"]:
        raise RecordBroken(f"record {row['number']} tells other events than the rules")
    if turn.live.version != row["number"] or turn.live.at != row["at"]:
        raise RecordBroken(f"record {row['number']} stands in the wrong place")
    return turn


def begun_anew(catalog: Catalog, live: Live, command: s.Reset) -> Live:
    """A table that is reset: it keeps its numbers and nothing else."""
    layout = catalog.layout(live.layout)
    past = {"version": live.version, "rounds": live.round, "shoe": live.shoe}
    return opened(catalog, live.name, layout, s.Pace(), by_hand=command.by_hand, **past)


def blank(catalog: Catalog, command: s.OpenTable) -> Live:
    """A table before its first record."""
    layout = catalog.layout(command.layout)
    return opened(catalog, command.table, layout, command.pace, by_hand=command.by_hand)


def replay_all(catalog: Catalog, keys: Keys, live: Live | None, rows: Iterable[Row]) -> Live | None:
    """The table after some more records."""
    for row in rows:
        live = replay(catalog, keys, live, row)
    return live


def check_seals(rows: Sequence[Row], previous: str = GENESIS) -> str:
    """Follows the seals of records; tells the last."""
    for row in rows:
        if row["seal"] != seal_of(previous, row):
            raise RecordBroken(f"record {row['number']} was changed: its seal is broken")
        previous = row["seal"]
    return previous
