"""What the floor's log refuses: disputes about rounds that were not played, and answers to what is not open."""

import sqlalchemy as sa

from upcard.ledger.journal import FLOOR
from upcard.service import schema
from upcard.service.floor_log_commands import FloorLogCommand, OpenDispute, SettleDispute, TakeOver
from upcard.service.records import command_of
from upcard.service.refusals import ServiceRefusal, ServiceRefused

_H = schema.history.c
_R = schema.rounds.c


def check_floor_log(connection: sa.Connection, command: FloorLogCommand, actor: str) -> None:
    """Raises ServiceRefused if the log cannot take the command."""
    if isinstance(command, OpenDispute):
        query = sa.select(_R.round).where(_R.table_name == command.table, _R.round == command.round)
        if connection.execute(query).first() is None:
            raise ServiceRefused(ServiceRefusal.NO_FINISHED_ROUND, table=command.table, round=command.round)
    elif isinstance(command, SettleDispute):
        number = command.dispute
        if _opener(connection, number, "open-dispute") is None:
            raise ServiceRefused(ServiceRefusal.NO_SUCH_DISPUTE, dispute=number)
        if _is_answered(connection, number, "settle-dispute", "dispute"):
            raise ServiceRefused(ServiceRefusal.DISPUTE_SETTLED, dispute=number)
    elif isinstance(command, TakeOver):
        number = command.hand_over
        opener = _opener(connection, number, "hand-over")
        if opener is None:
            raise ServiceRefused(ServiceRefusal.NO_SUCH_HAND_OVER, hand_over=number)
        if opener == actor:
            raise ServiceRefused(ServiceRefusal.OWN_HAND_OVER)
        if _is_answered(connection, number, "take-over", "hand_over"):
            raise ServiceRefused(ServiceRefusal.HAND_OVER_TAKEN, hand_over=number)


def _opener(connection: sa.Connection, number: int, do: str) -> str | None:
    """Who wrote a record of the log; None: it is no such record."""
    query = sa.select(schema.history).where(_H.stream == FLOOR, _H.number == number)
    row = connection.execute(query).first()
    if row is None or command_of(row._asdict()).do != do:
        return None
    return str(row.actor)


def _is_answered(connection: sa.Connection, number: int, do: str, field: str) -> bool:
    query = sa.select(schema.history).where(_H.stream == FLOOR, _H.number > number, _H.command.like(f'%"do":"{do}"%'))
    return any(getattr(command_of(row._asdict()), field, None) == number for row in connection.execute(query))
