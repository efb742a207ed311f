"""The rounds of a table, one line each, newest first: from a round or a moment back."""

from typing import Any

import sqlalchemy as sa
from typing_extensions import TypedDict

from upcard import formats
from upcard.service import schema
from upcard.service.queries import Queries
from upcard.service.record_search import first_number

_R = schema.rounds.c


class RoundLine(TypedDict):
    """A finished round; amounts in cents."""

    round: int
    shoe: int
    at: str
    day: str
    void: bool
    players: list[str]
    staked: int
    win: int  # of the house


def rounds_of_table(queries: Queries, table: str, *, before: int, until: str, most: int) -> list[RoundLine]:
    """Finished rounds before a round number and, if it is given, up to a moment."""
    owner = _R.table_name == table
    with queries.book.store.view() as unit:
        if until:
            later = first_number(unit.connection, owner, schema.rounds.c.round, schema.rounds.c.at, until)
            before = before if later is None else min(before, later)
        columns = (_R.round, _R.shoe, _R.at, _R.day, _R.void, _R.slips, _R.format)
        query = sa.select(*columns).where(owner, _R.round < before).order_by(_R.round.desc()).limit(most)
        rows = unit.connection.execute(query).all()
    return [_line(row) for row in rows]


def _line(row: Any) -> RoundLine:
    slips = formats.read("slips", row.slips, row.format)
    return {
        "round": row.round,
        "shoe": row.shoe,
        "at": row.at,
        "day": row.day,
        "void": row.void is not None,
        "players": sorted({slip["player"] for slip in slips}),
        "staked": sum(slip["stake"] for slip in slips),
        "win": sum(slip["stake"] - slip["returned"] - slip["paid"] for slip in slips),
    }
